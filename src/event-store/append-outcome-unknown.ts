import { LogUnreachable } from './log-unreachable.ts';

/**
 * An append was sent to the storage, and its deadline has passed. Either the response is missing, and only reading the
 * stream shows whether the events are stored; or they are stored, but this node could not read the log up to them.
 * Callers report neither success nor failure.
 */
export class AppendOutcomeUnknown extends LogUnreachable {
  override readonly name = 'AppendOutcomeUnknown';
}
