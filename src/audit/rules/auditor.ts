import { decodeEvent } from '../../domain/events.ts';
import type { Position, RecordedEvent, StreamName } from '../../event-store/event-log.ts';
import { createHistoryRecorder } from './history.ts';
import type { Violation, Rule } from './rule.ts';
import { envelopeRules, schemaRule } from './envelopes.ts';
import { rules, eventRules } from './rules.ts';

export interface AuditFinding extends Violation {
  /** The rule's name. */
  readonly rule: string;
  readonly position: Position;
  readonly stream: StreamName;
}

export interface AuditSummary {
  readonly events: number;
  /** Of the last event; null when there is none. */
  readonly position: Position | null;
  readonly eventsByType: Readonly<Record<string, number>>;
  readonly rules: number;
  readonly findings: number;
  readonly notices: number;
}

/**
 * Holds the whole log, from its first event, against every rule: each breach as it is met and, last
 * of all, the summary. It says what the log claims; that nobody changed it is for its hashes to say.
 * @throws whatever `events` throws; reason of `signal` soon after it aborts
 */
export async function* audit(
  events: AsyncIterable<readonly RecordedEvent[]>,
  { signal }: { readonly signal?: AbortSignal } = {},
): AsyncGenerator<AuditFinding | AuditSummary, void, void> {
  const examine = createExaminer();
  const eventsByType = new Map<string, number>();
  const counted = { finding: 0, notice: 0 };
  let position: Position | null = null;
  for await (const batch of events) {
    signal?.throwIfAborted();
    for (const event of batch) {
      eventsByType.set(event.type, (eventsByType.get(event.type) ?? 0) + 1);
      ({ position } = event);
      for (const breach of examine(event)) {
        counted[breach.severity] += 1;
        yield breach;
      }
    }
  }
  yield {
    events: [...eventsByType.values()].reduce((sum, count) => sum + count, 0),
    position,
    eventsByType: Object.fromEntries([...eventsByType].toSorted(([left], [right]) => (left < right ? -1 : 1))),
    rules: rules.length,
    findings: counted.finding,
    notices: counted.notice,
  };
}

/** What is wrong with the next event of a log, by the rules; empty for nearly all of them. */
function createExaminer(): (recorded: RecordedEvent) => readonly AuditFinding[] {
  const { history, applyEnvelope: noteEnvelope, applyEvent: noteFact } = createHistoryRecorder();

  function breaches<Subject>(
    among: readonly Rule<Subject>[],
    subject: Subject,
    { position, stream }: RecordedEvent,
  ): AuditFinding[] {
    const found: AuditFinding[] = [];
    for (const rule of among) {
      const breach = rule.check(subject, history);
      if (breach !== undefined) found.push({ rule: rule.name, position, stream, ...breach });
    }
    return found;
  }

  return (recorded) => {
    const ofEnvelope = breaches(envelopeRules, recorded, recorded);
    noteEnvelope(recorded);
    const ofSchema = breaches([schemaRule], recorded, recorded);
    if (ofSchema.length > 0) return [...ofEnvelope, ...ofSchema];
    const fact = { event: decodeEvent(recorded), recorded };
    const ofFact = breaches(eventRules, fact, recorded);
    noteFact(fact);
    return [...ofEnvelope, ...ofFact];
  };
}
