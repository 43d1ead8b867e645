import type { SettingName } from '../config/settings.ts';
import { START, type EventLog, type Position } from '../event-store/event-log.ts';
import type { Forecast } from '../oauth/settings/forecast.ts';
import { classifyChanges } from './simulation/classify-changes.ts';
import { simulate, type SimulationSummary } from './simulation/simulate.ts';
import type { LogHistory } from './operation-context.ts';

const MONTH_MILLISECONDS = 2_592_000_000;

/** If the last month has more events, only the newest ones are simulated, which takes a few seconds. */
const MAX_EVENTS = 100_000;

const MAX_FINDINGS = 20;

export interface ForecastDeps extends Pick<LogHistory, 'projectionsAsOf' | 'issuer'> {
  readonly log: Pick<EventLog, 'readAll' | 'readStreamBackwards' | 'head'>;
}

/**
 * Forecasts the effect of a setting's value on requests like those in the last month.
 * @param now milliseconds since the epoch
 */
export async function forecastSettingValue(
  { log, projectionsAsOf, issuer }: ForecastDeps,
  name: SettingName,
  value: unknown,
  now: number,
  signal: AbortSignal,
): Promise<Forecast> {
  const { simulated, unknown, withoutEffect } = classifyChanges({ [name]: value });
  const [notSimulated] = [...unknown, ...withoutEffect];
  const emptyForecast = { since: now, requests: 0, refused: 0, answered: 0, refusedRequests: 0, findings: [] };
  if (notSimulated !== undefined)
    return { ...emptyForecast, kind: unknown.length > 0 ? 'unknown' : 'indifferent', because: notSimulated.because };
  const since = Math.max(now - MONTH_MILLISECONDS, await recordedAt(log, log.head() - MAX_EVENTS));
  const simulationDeps = { log, projectionsAsOf, issuer: issuer() ?? '', requirement: {}, profile: null };
  for await (const item of simulate(simulationDeps, simulated, { since, until: Infinity }, signal))
    if ('findings' in item) return { kind: 'simulated', because: null, since, ...summarizeFindings(item) };
  return { ...emptyForecast, kind: 'unknown', because: 'the simulation was interrupted' };
}

/** Returns when the event at the position was recorded, or 0 if there is no such event. */
async function recordedAt({ readAll }: ForecastDeps['log'], position: number): Promise<number> {
  if (position <= START) return 0;
  for await (const [event] of readAll((position - 1) as Position, 1)) return event?.recordedAt ?? 0;
  return 0;
}

function summarizeFindings({ requests, findings }: SimulationSummary): Omit<Forecast, 'kind' | 'because' | 'since'> {
  const refusals = findings.filter(({ outcome }) => outcome === 'refused');
  const refusedClients = new Set(refusals.map(({ client }) => client));
  const affectedClients = new Set(findings.map(({ client }) => client));
  return {
    requests,
    refused: refusedClients.size,
    answered: affectedClients.size - refusedClients.size,
    refusedRequests: refusals.reduce((sum, finding) => sum + finding.count + finding.followed_by, 0),
    findings: findings.slice(0, MAX_FINDINGS).map(({ client, application, rule, outcome, difference, count }) => ({
      client: client ?? '',
      application: application ?? '',
      rule,
      outcome,
      difference,
      count,
    })),
  };
}
