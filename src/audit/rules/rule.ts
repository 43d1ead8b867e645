import type { DomainEvent } from '../../domain/events.ts';
import type { RecordedEvent } from '../../event-store/event-log.ts';
import type { History } from './history.ts';

/** What breaks a rule: a finding never happens in a sound log, a notice may and deserves a look. */
export interface Violation {
  readonly severity: 'finding' | 'notice';
  readonly message: string;
}

/** An event that follows its schema, and where and when it was recorded. */
export interface AuditedEvent {
  readonly event: DomainEvent;
  readonly recorded: RecordedEvent;
}

export interface Rule<Subject> {
  readonly name: string;
  /** What holds of every sound log, in one sentence, for auditors. */
  readonly says: string;
  /** @param history all that was said before, and nothing of what `subject` says */
  check(subject: Subject, history: History): Violation | undefined;
}

/** Looks at the envelope alone, and so at records too that follow no schema. */
export type EnvelopeRule = Rule<RecordedEvent>;

/** Looks at what an event says. */
export type EventRule = Rule<AuditedEvent>;

/** What two events of one stream contradict each other about can have no excuse. */
export function finding(message: string): Violation {
  return { severity: 'finding', message };
}

export function notice(message: string): Violation {
  return { severity: 'notice', message };
}

/** How far the record of a decision may lag behind what it was decided on. */
const MAX_RACE_SECONDS = 60;

/**
 * A decision reads what another stream says, and the clock, and is recorded a moment later. What was
 * so when it was decided may have ended in between; what is issued then is unusable from the start.
 * That moment is not a minute long.
 * @param endedAt milliseconds since the epoch
 */
export function lateViolation({ recordedAt }: RecordedEvent, endedAt: number, message: string): Violation {
  const seconds = (recordedAt - endedAt) / 1000;
  return seconds <= MAX_RACE_SECONDS
    ? notice(`${message}; decided just before, recorded just after`)
    : finding(message);
}

/** Whether every name of `inner` is one of `outer`. */
export function isSubset(inner: readonly string[], outer: readonly string[]): boolean {
  return inner.every((name) => outer.includes(name));
}
