import { Registry, Counter, Histogram } from 'prom-client';
import type { CommitObserver } from '../../event-store/engines/group-commit.ts';
import type { Ticks } from '../ports.ts';
import { createRequestMeter, type RequestMeter } from './request-meter.ts';
import { exposeProcess, NO_PROCESS, type ProcessReadings } from './process-gauges.ts';
import { exposeState, type ServiceState } from './state-gauges.ts';
import { EGRESS_OUTCOMES, type EgressOutcome } from '../egress/egress-failed.ts';
import { EGRESS_PURPOSES, type EgressPurpose } from '../egress/purposes.ts';
import { registerHistogram } from './labeled-histogram.ts';
import { MAIL_OUTCOMES, type MailOutcome } from '../mail/mail-outcomes.ts';

/**
 * The server's metrics, in their own registry. The values of all labels are known at startup: requests cannot
 * create series, and no metric describes an individual user or client.
 */
export interface Metrics {
  /** The monotonic clock for measurements. */
  readonly ticks: Ticks;
  /** Measurements of the process, which can also be read without a scrape. */
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

/** In seconds. An fsync takes a fraction of a millisecond on a good disk, and tens of milliseconds on a bad one. */
const COMMIT_BUCKETS = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1];
const GROUP_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

/** Measures the duration and size of commits. Only one commit is in progress at a time. */
function createCommitMeter(registry: Registry, ticks: Ticks): CommitObserver {
  const registers = [registry];
  const durations = new Histogram({
    name: 'grantlog_log_commit_duration_seconds',
    help: 'Time from the start of a write to the log until it is durable.',
    buckets: COMMIT_BUCKETS,
    registers,
  });
  const groups = new Histogram({
    name: 'grantlog_log_commit_appends',
    help: 'Appends that became durable with one write.',
    buckets: GROUP_BUCKETS,
    registers,
  });
  const events = new Counter({
    name: 'grantlog_log_events_total',
    help: 'Events appended since startup.',
    registers,
  });
  let beganAt = 0;
  return {
    onBegin() {
      beganAt = ticks();
    },
    onDurable(appends, eventCount) {
      durations.observe((ticks() - beganAt) / 1000);
      groups.observe(appends);
      events.inc(eventCount);
    },
  };
}

/** Counts the server's requests to other servers. */
export interface OutgoingMeter {
  /**
   * Counts a request.
   * @param seconds ignored if the response was cached
   */
  observe(purpose: EgressPurpose, outcome: EgressOutcome, seconds: number): void;
}

/** In seconds. A request takes at most five seconds. */
const OUTGOING_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

function createOutgoingMeter(registry: Registry): OutgoingMeter {
  const requests = new Counter({
    name: 'grantlog_outgoing_requests_total',
    help: 'Requests to other servers, by purpose and outcome.',
    labelNames: ['purpose', 'outcome'],
    registers: [registry],
  });
  for (const purpose of EGRESS_PURPOSES) for (const outcome of EGRESS_OUTCOMES) requests.inc({ purpose, outcome }, 0);
  const addDurationSeries = registerHistogram(
    {
      name: 'grantlog_outgoing_request_duration_seconds',
      help: 'Time from the start of a request to another server to its end.',
      label: 'purpose',
      buckets: OUTGOING_BUCKETS,
    },
    registry,
  );
  const durations = new Map(EGRESS_PURPOSES.map((purpose) => [purpose, addDurationSeries(purpose)]));
  return {
    observe(purpose, outcome, seconds) {
      requests.inc({ purpose, outcome });
      if (outcome !== 'cached') durations.get(purpose)?.observe(seconds);
    },
  };
}

/** Counts e-mails. */
export interface MailMeter {
  observe(outcome: MailOutcome): void;
}

function createMailMeter(registry: Registry): MailMeter {
  const emails = new Counter({
    name: 'grantlog_mails_total',
    help: 'E-mails, by outcome: sent, failed and to be retried, failed for the last time, or dropped.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of MAIL_OUTCOMES) emails.inc({ outcome }, 0);
  return { observe: (outcome) => emails.inc({ outcome }) };
}

/** The results of logins through other providers. Refusals are named after their rules. */
const UPSTREAM_RESULTS = [
  'logged-in',
  'linked',
  'upstream-unavailable',
  'upstream-login-unknown',
  'upstream-provider-changed',
  'upstream-issuer-differs',
  'upstream-denied',
  'upstream-code-refused',
  'upstream-token-invalid',
  'upstream-login-too-old',
  'upstream-user-unknown',
  'upstream-user-inactive',
  'upstream-linked-elsewhere',
] as const;
export type UpstreamResult = (typeof UPSTREAM_RESULTS)[number];

/** Counts logins through other providers. */
export interface UpstreamMeter {
  observe(result: UpstreamResult): void;
}

function createUpstreamMeter(registry: Registry): UpstreamMeter {
  const logins = new Counter({
    name: 'grantlog_upstream_logins_total',
    help: 'Logins through other providers, including those that linked an account, by result; for refusals, the rule.',
    labelNames: ['result'],
    registers: [registry],
  });
  for (const result of UPSTREAM_RESULTS) logins.inc({ result }, 0);
  return { observe: (result) => logins.inc({ result }) };
}
