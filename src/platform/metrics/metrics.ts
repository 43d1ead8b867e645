import { Registry } from 'prom-client';
import type { CommitObserver } from '../../event-store/engines/group-commit.ts';
import type { Ticks } from '../ports.ts';
import { createCommitMeter } from './commit-meter.ts';
import { createMailMeter, type MailMeter } from './mail-meter.ts';
import { createOutgoingMeter, type OutgoingMeter } from './outgoing-meter.ts';
import { createRequestMeter, type RequestMeter } from './request-meter.ts';
import { createUpstreamMeter, type UpstreamMeter } from './upstream-meter.ts';
import { exposeProcess, NO_PROCESS, type ProcessReadings } from './process-gauges.ts';
import { exposeState, type ServiceState } from './state-gauges.ts';

/**
 * The server's metrics, in their own registry. The values of all labels are known at startup: requests cannot
 * create series, and no metric is about an individual user or client.
 */
export interface Metrics {
  /** The monotonic clock for measurements. */
  readonly ticks: Ticks;
  /** Measurements of the process, for reading without a scrape. */
  readonly process: ProcessReadings;
  readonly requests: RequestMeter;
  readonly commits: CommitObserver;
  readonly outgoing: OutgoingMeter;
  readonly emails: MailMeter;
  readonly upstream: UpstreamMeter;
  /** Makes `exposition` include `state`, and returns `state`. Call this only once. */
  addState(state: ServiceState): ServiceState;
  /** Returns all metrics in the Prometheus text format, version 0.0.4. */
  exposition(): Promise<Exposition>;
}

export interface Exposition {
  readonly contentType: string;
  readonly text: string;
}

export function createMetrics({
  ticks,
  process = NO_PROCESS,
}: {
  readonly ticks: Ticks;
  readonly process?: ProcessReadings;
}): Metrics {
  const registry = new Registry();
  exposeProcess(registry, process);
  let exposition: Promise<string> | undefined;

  return {
    ticks,
    process,
    requests: createRequestMeter(registry),
    commits: createCommitMeter(registry, ticks),
    outgoing: createOutgoingMeter(registry),
    emails: createMailMeter(registry),
    upstream: createUpstreamMeter(registry),
    addState(state) {
      exposeState(registry, state);
      return state;
    },
    async exposition() {
      // Concurrent requests share one exposition.
      exposition ??= registry.metrics().finally(() => (exposition = undefined));
      return { contentType: registry.contentType, text: await exposition };
    },
  };
}
