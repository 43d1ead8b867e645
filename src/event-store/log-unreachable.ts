import { LogUnavailable } from './event-log.ts';

/**
 * Thrown when the storage behind a shared log is not responding. Nothing was appended, unless this is an
 * `AppendOutcomeUnknown`. The log reconnects on its own, but the caller must retry the append.
 */
export class LogUnreachable extends LogUnavailable {
  override readonly name: string = 'LogUnreachable';
}
