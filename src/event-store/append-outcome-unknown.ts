import { LogUnreachable } from './log-unreachable.ts';

/**
 * The storage accepted an append, and its answer is missing. Only reading the stream tells whether the events are
 * stored. The log tried that until its deadline, so callers report neither success nor failure.
 */
export class AppendOutcomeUnknown extends LogUnreachable {
  override readonly name = 'AppendOutcomeUnknown';
}
