import { Registry } from 'prom-client';
import type { CommitObserver } from '../../event-store/engines/group-commit.ts';
import type { Ticks } from '../ports.ts';
import { createCommitMeter } from './commit-meter.ts';
import { createRequestMeter, type RequestMeter } from './request-meter.ts';
import { exposeProcess, NO_PROCESS, type ProcessReadings } from './process-gauges.ts';
import { exposeState, type ServiceState } from './state-gauges.ts';

/**
 * What the server measures of itself, in a registry of its own. Every label has its values from a list that is known
 * at the start: what callers send never makes a series, and nothing here is about a person or a client.
 */
export interface Metrics {
  /** For those who measure: milliseconds that never go back. */
  readonly ticks: Ticks;
  /** For whoever looks at the process without a scrape. */
  readonly process: ProcessReadings;
  readonly requests: RequestMeter;
  readonly commits: CommitObserver;
  /** From then on `exposition` reads what `state` says at that moment. Once only; gives it back. */
  watch(state: ServiceState): ServiceState;
  /** All of it as text, in Prometheus' format 0.0.4. */
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
  let asked: Promise<string> | undefined;

  return {
    ticks,
    process,
    requests: createRequestMeter(registry),
    commits: createCommitMeter(registry, ticks),
    watch(state) {
      exposeState(registry, state);
      return state;
    },
    async exposition() {
      // Who asks while an answer is being made shares it: a crowd costs no more than one.
      asked ??= registry.metrics().finally(() => (asked = undefined));
      return { contentType: registry.contentType, text: await asked };
    },
  };
}
