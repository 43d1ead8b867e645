import { Counter, type Registry } from 'prom-client';
import { EGRESS_OUTCOMES, type EgressOutcome } from '../egress/egress-failed.ts';
import { EGRESS_PURPOSES, type EgressPurpose } from '../egress/purposes.ts';
import { registerHistogram } from './labeled-histogram.ts';

/** Counts requests that the server sent to other servers. */
export interface OutgoingMeter {
  /**
   * Counts a request.
   * @param seconds ignored if the response was cached
   */
  observe(purpose: EgressPurpose, outcome: EgressOutcome, seconds: number): void;
}

/** In seconds. A request takes at most five. */
const BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export function createOutgoingMeter(registry: Registry): OutgoingMeter {
  const requests = new Counter({
    name: 'grantlog_outgoing_requests_total',
    help: 'Requests to other servers, by purpose and outcome.',
    labelNames: ['purpose', 'outcome'],
    registers: [registry],
  });
  for (const purpose of EGRESS_PURPOSES) for (const outcome of EGRESS_OUTCOMES) requests.inc({ purpose, outcome }, 0);
  const addDurations = registerHistogram(
    {
      name: 'grantlog_outgoing_request_duration_seconds',
      help: 'Time from the start of a request to another server to its end.',
      label: 'purpose',
      buckets: BUCKETS,
    },
    registry,
  );
  const durations = new Map(EGRESS_PURPOSES.map((purpose) => [purpose, addDurations(purpose)]));
  return {
    observe(purpose, outcome, seconds) {
      requests.inc({ purpose, outcome });
      if (outcome !== 'cached') durations.get(purpose)?.observe(seconds);
    },
  };
}
