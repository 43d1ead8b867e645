import { audit, type AuditSummary } from '../../../src/audit/rules/auditor.ts';
import type { RecordedEvent } from '../../../src/event-store/event-log.ts';
import { createTraffic, type Traffic } from './traffic.ts';
import { VIOLATIONS, type SeededViolation } from './violations.ts';

export interface AuditDrillOptions {
  readonly events: number;
  readonly seed: number;
  /** Whether to plant one event for each violation. */
  readonly plantViolations: boolean;
  readonly progress?: (events: number) => void;
}

export interface AuditDrillTotals {
  readonly summary: AuditSummary;
  readonly planted: number;
  /** Violations that the audit did not find at their position, and what it found elsewhere. */
  readonly findings: readonly string[];
}

const EVENTS_PER_BATCH = 1_000;
const EVENTS_PER_REPORT = 100_000;

/** Audits a log of `options.events` events, most of which belong to exchanges of tokens. */
export async function runAuditDrill(options: AuditDrillOptions): Promise<AuditDrillTotals> {
  const { events, seed, plantViolations } = options;
  const traffic = createTraffic(`audit ${seed}`);
  const plantedViolations = new Map<number, SeededViolation>();
  const foundRules = new Map<number, string[]>();
  let summary: AuditSummary | undefined;
  for await (const item of audit(generateLog(traffic, plantViolations ? VIOLATIONS : [], plantedViolations, options)))
    if ('rules' in item) summary = item;
    else foundRules.set(item.position, [...(foundRules.get(item.position) ?? []), item.rule]);
  if (summary === undefined || summary.events < events) throw new Error('the audit did not reach the end of the log');
  const missedViolations = [...plantedViolations].filter(
    ([position, { rule }]) => foundRules.get(position)?.includes(rule) !== true,
  );
  const otherFindings = [...foundRules].filter(([position]) => !plantedViolations.has(position));
  return {
    summary,
    planted: plantedViolations.size,
    findings: [
      ...missedViolations.map(
        ([position, { rule, description: what }]) => `not found at position ${position}: ${rule}, ${what}`,
      ),
      ...otherFindings.map(([position, rules]) => `found at position ${position}: ${rules.join(', ')}`),
    ],
  };
}

async function* generateLog(
  traffic: Traffic,
  violations: readonly SeededViolation[],
  plantedViolations: Map<number, SeededViolation>,
  { events, progress }: AuditDrillOptions,
): AsyncGenerator<readonly RecordedEvent[], void, void> {
  const plan = violations.map((violation) => ({ violation, position: traffic.choice.below(events) }));
  const remainingPlan = plan.toSorted((a, b) => a.position - b.position);
  let reportedEvents = 0;
  while (traffic.head() < events || remainingPlan.length > 0) {
    const end = traffic.head() + EVENTS_PER_BATCH;
    while (traffic.head() < end) {
      const [next] = remainingPlan;
      if (next !== undefined && next.position <= traffic.head()) {
        next.violation.plant(traffic);
        plantedViolations.set(traffic.head() - (next.violation.eventsAfter ?? 1), next.violation);
        remainingPlan.shift();
      } else traffic.recordFamily();
    }
    yield traffic.takeEvents();
    if (traffic.head() - reportedEvents >= EVENTS_PER_REPORT) progress?.((reportedEvents = traffic.head()));
  }
}
