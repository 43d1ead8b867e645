import { LogUnavailable } from './event-log.ts';

/**
 * The storage behind a shared log is not responding, or this node must not rely on its own state: it has been out of
 * touch with the log, or has read an event from a later release. Nothing was appended, unless this is an
 * `AppendOutcomeUnknown`. The log reconnects on its own, but the caller must retry the append.
 */
export class LogUnreachable extends LogUnavailable {
  override readonly name: string = 'LogUnreachable';
}

/**
 * An append was sent to the storage, and its deadline has passed. Either the response is missing, and only reading the
 * stream shows whether the events are stored; or they are stored, but this node could not read the log up to them.
 * Callers report neither success nor failure.
 */
export class AppendOutcomeUnknown extends LogUnreachable {
  override readonly name = 'AppendOutcomeUnknown';
}
