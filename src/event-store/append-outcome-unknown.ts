import { LogUnreachable } from './log-unreachable.ts';

/**
 * An append was sent to the storage. Either the answer is missing, and only reading the stream tells whether the events
 * are stored; or they are stored, and this node could not read up to them. The log tried until the append's deadline,
 * so callers report neither success nor failure.
 */
export class AppendOutcomeUnknown extends LogUnreachable {
  override readonly name = 'AppendOutcomeUnknown';
}
