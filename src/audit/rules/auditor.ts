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
  /** The position of the last event, or null for an empty log. */
  readonly position: Position | null;
  readonly eventsByType: Readonly<Record<string, number>>;
  readonly rules: number;
  readonly findings: number;
  readonly notices: number;
}

/**
 * Checks the whole log, from its first event, against every rule. Yields each violation as it is found, and the summary
 * last. An audit finds contradictions in the log; the Merkle tree shows whether the log was changed.
 * @throws any error from `events`, or `signal.reason` soon after `signal` is aborted
 */
export async function* audit(
  events: AsyncIterable<readonly RecordedEvent[]>,
  { signal }: { readonly signal?: AbortSignal } = {},
): AsyncGenerator<AuditFinding | AuditSummary, void, void> {
  const examine = createExaminer();
  const eventsByType = new Map<string, number>();
  const counts = { finding: 0, notice: 0 };
  let position: Position | null = null;
  for await (const batch of events) {
    signal?.throwIfAborted();
    for (const event of batch) {
      eventsByType.set(event.type, (eventsByType.get(event.type) ?? 0) + 1);
      ({ position } = event);
      for (const violation of examine(event)) {
        counts[violation.severity] += 1;
        yield violation;
      }
    }
  }
  yield {
    events: [...eventsByType.values()].reduce((sum, count) => sum + count, 0),
    position,
    eventsByType: Object.fromEntries([...eventsByType].toSorted(([left], [right]) => (left < right ? -1 : 1))),
    rules: rules.length,
    findings: counts.finding,
    notices: counts.notice,
  };
}

/** Creates a function that returns the violations in the next event. Nearly all events have none. */
function createExaminer(): (record: RecordedEvent) => readonly AuditFinding[] {
  const { history, applyEnvelope, applyEvent } = createHistoryRecorder();

  function check<Subject>(
    candidates: readonly Rule<Subject>[],
    subject: Subject,
    { position, stream }: RecordedEvent,
  ): AuditFinding[] {
    const violations: AuditFinding[] = [];
    for (const rule of candidates) {
      const violation = rule.check(subject, history);
      if (violation !== undefined) violations.push({ rule: rule.name, position, stream, ...violation });
    }
    return violations;
  }

  return (record) => {
    const envelopeViolations = check(envelopeRules, record, record);
    applyEnvelope(record);
    const schemaViolations = check([schemaRule], record, record);
    if (schemaViolations.length > 0) return [...envelopeViolations, ...schemaViolations];
    const auditedEvent = { event: decodeEvent(record), record };
    const eventViolations = check(eventRules, auditedEvent, record);
    applyEvent(auditedEvent);
    return [...envelopeViolations, ...eventViolations];
  };
}
