import { setImmediate as turn } from 'node:timers/promises';
import { START, type EventLog, type RecordedEvent } from '../../event-store/event-log.ts';
import { createFindings, type Finding } from './findings.ts';
import type { SimulatedSettings } from './simulated-settings.ts';
import { createSimulator, type InitialState } from './simulator.ts';
import { createRequestReader } from './recorded-requests.ts';

/** How far the walk is. */
export interface SimulationProgress {
  readonly walked: number;
  /** The log's head when it began. */
  readonly head: number;
}

export interface SimulationSummary {
  /** The first and the last position of the window; null when nothing was recorded in it. */
  readonly from: number | null;
  readonly to: number | null;
  /** Successful requests in it, by applications or about their registration, that were judged. */
  readonly requests: number;
  readonly findings: readonly Finding[];
}

export interface TimeWindow {
  /** Recorded then or later, and before then; milliseconds since the epoch. */
  readonly since: number;
  readonly until: number;
}

/** A server that is asked meanwhile answers in between. */
const EVENTS_PER_TURN = 200;
/** About a line a second. */
const EVENTS_PER_REPORT = 100_000;

/**
 * What the requests of a window would have come to if the settings had been changed when it began. It is read once, and
 * what is held meanwhile grows with the grants and applications in it, not with its length. Yields progress, and at last what was found.
 */
export async function* simulate(
  {
    log,
    startAt,
    issuer,
  }: {
    readonly log: Pick<EventLog, 'readAll' | 'readStreamBackwards' | 'head'>;
    readonly startAt: (moment: {
      readonly position: number;
      readonly time: number;
    }) => Promise<{ readonly projections: InitialState; readonly last: RecordedEvent | undefined }>;
    readonly issuer: string;
  },
  changed: SimulatedSettings,
  { since, until }: TimeWindow,
  signal: AbortSignal,
): AsyncGenerator<SimulationProgress | SimulationSummary, void, void> {
  const head = log.head();
  const { projections, last } = await startAt(
    since <= 0 ? { position: START, time: Infinity } : { position: head, time: since - 1 },
  );
  const judge = createSimulator({ changed, start: projections, log, issuer });
  const read = createRequestReader();
  const findings = createFindings();
  let [from, to, requests, reported]: [number | null, number | null, number, number] = [
    null,
    null,
    0,
    last?.position ?? START,
  ];
  walk: for await (const batch of log.readAll(last?.position ?? START)) {
    for (const event of batch) {
      if (event.position % EVENTS_PER_TURN === 0) await turn();
      if (signal.aborted) return;
      if (event.recordedAt >= until) break walk;
      from ??= event.position;
      to = event.position;
      for (const request of read(event)) {
        const verdict = await judge(request);
        if (verdict === undefined) continue;
        requests += 1;
        findings.add(verdict);
      }
    }
    if (to === null || to - reported < EVENTS_PER_REPORT) continue;
    reported = to;
    yield { walked: to, head };
  }
  yield { from, to, requests, findings: findings.all() };
}
