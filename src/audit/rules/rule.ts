import type { RecordedEvent } from '../../event-store/event-log.ts';
import type { AuditedEvent } from './audited-event.ts';
import type { History } from './history.ts';

/**
 * A violation of a rule. A finding never occurs in a valid log. A notice may occur in a valid log, but deserves
 * attention.
 */
export interface Violation {
  readonly severity: 'finding' | 'notice';
  readonly message: string;
}

export interface Rule<Subject> {
  readonly name: string;
  /** A property of every valid log, in one sentence for auditors. */
  readonly description: string;
  /** @param history the events before `subject` */
  check(subject: Subject, history: History): Violation | undefined;
}

/** Checks only the envelope, so it also applies to records that match no schema. */
export type EnvelopeRule = Rule<RecordedEvent>;

/** Checks the data of an event. */
export type EventRule = Rule<AuditedEvent>;

/** Returns a violation that no race can explain. */
export function finding(message: string): Violation {
  return { severity: 'finding', message };
}

export function notice(message: string): Violation {
  return { severity: 'notice', message };
}

/** The maximum time between a change, such as the end of an account, and the record of a decision that missed it. */
const MAX_RACE_SECONDS = 60;

/**
 * Returns a notice if the event was recorded up to a minute after `endedAt`; otherwise, a finding. A decision reads
 * other streams and the clock, and is recorded much less than a minute later. If the account or client that it relied
 * on has ended by then, the new credential is invalid from the start.
 * @param endedAt milliseconds since the epoch
 */
export function lateViolation({ recordedAt }: RecordedEvent, endedAt: number, message: string): Violation {
  const seconds = (recordedAt - endedAt) / 1000;
  return seconds <= MAX_RACE_SECONDS
    ? notice(`${message}; the decision was probably made earlier and recorded later`)
    : finding(message);
}

/** Reports whether every name in `inner` is also in `outer`. */
export function isSubset(inner: readonly string[], outer: readonly string[]): boolean {
  return inner.every((name) => outer.includes(name));
}
