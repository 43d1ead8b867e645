import type { DomainEvent } from '../../domain/events.ts';
import type { RecordedEvent } from '../../event-store/event-log.ts';
import type { History } from './history.ts';

/** What breaks a rule: a finding never happens in a sound log, a notice may and deserves a look. */
export interface Breach {
  readonly severity: 'finding' | 'notice';
  readonly message: string;
}

/** An event that follows its schema, and where and when it was recorded. */
export interface Fact {
  readonly event: DomainEvent;
  readonly recorded: RecordedEvent;
}

export interface Rule<Subject> {
  readonly name: string;
  /** What holds of every sound log, in one sentence, for auditors. */
  readonly says: string;
  /** @param history all that was said before, and nothing of what `subject` says */
  check(subject: Subject, history: History): Breach | undefined;
}

/** Looks at the envelope alone, and so at records too that follow no schema. */
export type EnvelopeRule = Rule<RecordedEvent>;

/** Looks at what an event says. */
export type FactRule = Rule<Fact>;

/** What two events of one stream contradict each other about can have no excuse. */
export function finding(message: string): Breach {
  return { severity: 'finding', message };
}

export function notice(message: string): Breach {
  return { severity: 'notice', message };
}

/** How far the record of a decision may lag behind what it was decided on. */
const RACE_SECONDS = 60;

/**
 * A decision reads what another stream says, and the clock, and is recorded a moment later. What was
 * so when it was decided may have ended in between; what is issued then is unusable from the start.
 * That moment is not a minute long.
 * @param endedAt milliseconds since the epoch
 */
export function afterTheEnd({ recordedAt }: RecordedEvent, endedAt: number, message: string): Breach {
  const seconds = (recordedAt - endedAt) / 1000;
  return seconds <= RACE_SECONDS ? notice(`${message}; decided just before, recorded just after`) : finding(message);
}

/** Whether every name of `inner` is one of `outer`. */
export function within(inner: readonly string[], outer: readonly string[]): boolean {
  return inner.every((name) => outer.includes(name));
}
