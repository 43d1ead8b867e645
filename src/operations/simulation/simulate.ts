import { setImmediate } from 'node:timers/promises';
import type { SecurityProfile } from '../../domain/security-settings.ts';
import { START, type EventLog, type RecordedEvent } from '../../event-store/event-log.ts';
import { createFindings, type Finding } from './findings.ts';
import type { LoginRequirement } from './login-requirement.ts';
import { registrationProblems, type RegistrationProblem } from './registrations.ts';
import type { SimulatedSettings } from './simulated-settings.ts';
import type { InitialState } from './initial-state.ts';
import { createSimulator } from './simulator.ts';
import { createRequestReader } from './recorded-requests.ts';

/** Progress through the log. */
export interface SimulationProgress {
  readonly walked: number;
  /** The log's head when the simulation began. */
  readonly head: number;
}

export interface SimulationSummary {
  /** The first and last position in the window; null if it contains no events. */
  readonly from: number | null;
  readonly to: number | null;
  /** The number of successful requests that were simulated. */
  readonly requests: number;
  /** The number of authorizations whose login is not recorded; 0 if the simulation has no login requirement. */
  readonly unknown_logins: number;
  /**
   * The number of requests whose client may have authenticated with a method that the simulated profile forbids; the
   * log does not record which method was used.
   */
  readonly unknown_authentications: number;
  readonly findings: readonly Finding[];
  /** Problems with registrations at the end of the window; empty if no profile is simulated. */
  readonly registrations: readonly RegistrationProblem[];
}

export interface TimeWindow {
  /** The bounds of the recording time in milliseconds since the epoch; `since` is inclusive, `until` exclusive. */
  readonly since: number;
  readonly until: number;
}

/** The number of events processed before the event loop gets a turn, so that a running server can handle requests. */
const EVENTS_PER_TURN = 200;
/** About one progress line per second. */
const EVENTS_PER_REPORT = 100_000;

/**
 * Simulates the requests in a time window as if the settings had been changed when the window began. Yields progress,
 * then the summary, unless it is aborted. Reads the window once; memory grows with the grants and applications in the
 * window, not with its length.
 */
export async function* simulate(
  {
    log,
    projectionsAsOf,
    issuer,
    requirement,
    profile,
  }: {
    readonly log: Pick<EventLog, 'readAll' | 'readStreamBackwards' | 'head'>;
    readonly projectionsAsOf: (moment: {
      readonly position: number;
      readonly time: number;
    }) => Promise<{ readonly projections: InitialState; readonly last: RecordedEvent | undefined }>;
    readonly issuer: string;
    readonly requirement: LoginRequirement;
    readonly profile: SecurityProfile | null;
  },
  changedSettings: SimulatedSettings,
  { since, until }: TimeWindow,
  signal: AbortSignal,
): AsyncGenerator<SimulationProgress | SimulationSummary, void, void> {
  const head = log.head();
  const { projections, last } = await projectionsAsOf(
    since <= 0 ? { position: START, time: Infinity } : { position: head, time: since - 1 },
  );
  const { clientDomains } =
    changedSettings.clientDocuments === undefined
      ? projections
      : (await projectionsAsOf({ position: head, time: Infinity })).projections;
  const findRule = (domain: string) => clientDomains.find(domain)?.rule;
  const simulator = createSimulator({
    changedSettings,
    requirement,
    profile,
    initialState: projections,
    log,
    issuer,
    findRule,
  });
  const readRequests = createRequestReader();
  const findings = createFindings();
  let [unknownLogins, unknownAuthentications] = [0, 0];
  let [from, to, requests, reportedPosition]: [number | null, number | null, number, number] = [
    null,
    null,
    0,
    last?.position ?? START,
  ];
  walk: for await (const batch of log.readAll(last?.position ?? START)) {
    for (const event of batch) {
      if (event.position % EVENTS_PER_TURN === 0) await setImmediate();
      if (signal.aborted) return;
      if (event.recordedAt >= until) break walk;
      from ??= event.position;
      to = event.position;
      for (const request of readRequests(event)) {
        const outcome = await simulator(request);
        if (outcome === undefined) continue;
        requests += 1;
        if (outcome.hasUnknownLogin) unknownLogins += 1;
        if (outcome.hasUnknownAuthentication) unknownAuthentications += 1;
        findings.add(outcome);
      }
    }
    if (to === null || to - reportedPosition < EVENTS_PER_REPORT) continue;
    reportedPosition = to;
    yield { walked: to, head };
  }
  yield {
    from,
    to,
    requests,
    unknown_logins: unknownLogins,
    unknown_authentications: unknownAuthentications,
    findings: findings.all(),
    registrations: registrationProblems(projections.clients.all(), profile),
  };
}
