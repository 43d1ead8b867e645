import { message, type Text } from '../../../language/message.ts';
import { readFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import type { EventLog, Position } from '../../../event-store/event-log.ts';
import type { ProcessReadings } from '../../../platform/metrics/process-gauges.ts';
import type { ServiceState } from '../../../platform/metrics/state-gauges.ts';
import type { Clock } from '../../../platform/ports.ts';
import type { AccessTokens } from '../../../projections/access-tokens.ts';
import type { Clients } from '../../../projections/clients.ts';
import type { Grants } from '../../../projections/grants.ts';
import type { Sessions } from '../../../projections/sessions.ts';
import type { Users } from '../../../projections/users.ts';
import type { AdminHealthLocals } from './locals.ts';

export interface HealthParts {
  readonly clock: Clock;
  readonly state: ServiceState;
  readonly metrics: { readonly process: ProcessReadings };
  readonly log: Pick<EventLog, 'readAll'>;
  readonly projections: {
    readonly users: Pick<Users, 'size'>;
    readonly clients: Pick<Clients, 'size'>;
    readonly grants: Pick<Grants, 'all'>;
    readonly accessTokens: Pick<AccessTokens, 'live'>;
    readonly sessions: Pick<Sessions, 'all'>;
  };
}

/** The same relative path from `src` and from `dist`. */
const PACKAGE_FILE = new URL('../../../../package.json', import.meta.url);

/**
 * The server's figures, as text: the same values as in `/metrics`. An authorization, token or session counts as live if
 * `log as-of` would list it for this moment.
 */
export function createHealthFigures({
  clock,
  state,
  metrics,
  log,
  projections,
}: HealthParts): () => Promise<AdminHealthLocals['groups']> {
  const { version } = JSON.parse(readFileSync(PACKAGE_FILE, 'utf8')) as { readonly version: string };
  const { process: readings } = metrics;

  /** Describes a snapshot or checkpoint up to `position`: its age, and how many events are newer. */
  async function describeProgress(position: number | undefined): Promise<string> {
    if (position === undefined || position === 0) return 'none yet';
    const newer = state.logHead() - position;
    const rest = newer === 0 ? 'no newer events' : `newer events: ${formatNumber(newer)}`;
    for await (const [event] of log.readAll((position - 1) as Position)) {
      const at = event === undefined ? '' : `, recorded ${formatDuration((clock.now() - event.recordedAt) / 1000)} ago`;
      return `up to event ${formatNumber(position)}${at}; ${rest}`;
    }
    return `up to event ${formatNumber(position)}`;
  }

  async function totals(): Promise<AdminHealthLocals['groups'][number]> {
    const { users, clients, grants, accessTokens, sessions } = projections;
    const now = Math.floor(clock.now() / 1000);
    const authorizations = await countUpTo(grants.all(now));
    const tokens = await countUpTo(accessTokens.live(now));
    const open = await countUpTo(sessions.all(now));
    const inMemory = `${formatNumber(state.accessTokens())}, including revoked and expired ones not removed yet`;
    return {
      title: 'Totals',
      figures: [
        { title: 'Users', text: formatNumber(users.size()) },
        { title: 'Applications', text: formatNumber(clients.size()) },
        { title: 'Live authorizations', text: formatCount(authorizations) },
        { title: 'Live access tokens', text: formatCount(tokens) },
        { title: 'Access tokens in memory', text: inMemory },
        { title: 'Sessions', text: formatCount(open) },
      ],
    };
  }

  return async () => {
    const [{ sizes, free }, snapshot, checkpoint] = await Promise.all([
      state.storage(),
      describeProgress(state.snapshots().at(-1)),
      describeProgress(state.checkpoints().newest),
    ]);
    const delay = readings.peekEventLoopDelay();
    const upSeconds = readings.upSeconds();
    const [median, late, latest] = ([0.5, 0.99, 1] as const).map((quantile) => formatMilliseconds(delay[quantile]));
    const quantiles = `p50 ${median} · p99 ${late} · max ${latest}`;
    const processed = state.projectedEvents() === state.logHead() ? 'all' : formatNumber(state.projectedEvents());
    const hashes = state.passwordHashes();
    const refused = Object.entries(state.rateLimitRefusals()).filter(([, times]) => times > 0);
    return [
      {
        title: 'Process',
        figures: [
          { title: 'Version', text: `Grantlog ${version}, Node ${process.versions.node}` },
          { title: 'Uptime', text: upSeconds === 0 ? 'unknown' : formatDuration(upSeconds) },
          { title: 'Memory', text: formatBytes(readings.residentBytes()) },
          { title: 'Event loop delay', text: `${quantiles}, since /metrics was last read` },
          {
            title: 'Password hashes',
            text: `${formatNumber(hashes.running)} being computed, ${formatNumber(hashes.waiting)} waiting`,
          },
        ],
      },
      {
        title: 'Log',
        figures: [
          { title: 'Events', text: `${formatNumber(state.logHead())}, ${processed} processed` },
          { title: 'Writable', text: writability(state) },
          { title: 'Newest snapshot', text: snapshot },
          { title: 'Last signed checkpoint', text: checkpoint },
          { title: 'Stored log verified', text: verificationProgress(state) },
        ],
      },
      {
        title: 'Storage',
        figures: [
          ...Object.entries(sizes).map(([part, size]) => ({ title: part, text: formatBytes(size) })),
          { title: 'Free space', text: formatBytes(free) },
        ],
      },
      await totals(),
      {
        title: 'Rate-limited requests since start',
        figures:
          refused.length === 0
            ? [{ title: 'All limits', text: 'None' }]
            : refused.map(([limit, times]) => ({ title: limit, text: formatNumber(times) })),
      },
    ];
  };
}

function writability(state: ServiceState): string {
  if (!state.isLogWritable()) return 'no: a write failed; restart the server';
  return state.isDiskLow() ? 'no: the disk is almost full; free some space' : 'yes';
}

/** The progress and result of the background check of the stored log. */
function verificationProgress({ storedLogCheck: storedLog }: ServiceState): string {
  const { checked, damages } = storedLog();
  if (damages > 0)
    return `up to event ${formatNumber(checked)}; DAMAGED: see the server's log, and run grantlog log verify`;
  return checked === 0 ? 'nothing yet' : `up to event ${formatNumber(checked)}; no damage found`;
}

function formatNumber(value: number): string {
  return value.toLocaleString('en');
}

/** The same as a message. */
export function shownCount({ value, isAll }: LiveCount): Text {
  return message(isAll ? 'list.number' : 'dashboard.more-than', isAll ? { number: value } : { count: value });
}

function formatCount({ value, isAll }: LiveCount): string {
  return isAll ? formatNumber(value) : `more than ${formatNumber(value)}`;
}

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

function formatBytes(value: number): string {
  const power = value < 1 ? 0 : Math.min(Math.floor(Math.log2(value) / 10), UNITS.length - 1);
  return `${(value / 1024 ** power).toLocaleString('en', { maximumFractionDigits: 1 })} ${UNITS[power]}`;
}

function formatMilliseconds(seconds: number): string {
  return `${(seconds * 1000).toLocaleString('en', { maximumFractionDigits: 1 })} ms`;
}

const DURATIONS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** The duration in its largest unit, rounded down. */
function formatDuration(seconds: number): string {
  const [unit, length] = DURATIONS.find(([, each]) => seconds >= each) ?? ['second', 1];
  const number = Math.max(0, Math.floor(seconds / length));
  return `${formatNumber(number)} ${unit}${number === 1 ? '' : 's'}`;
}

interface LiveCount {
  readonly value: number;
  /** False if counting stopped at the limit. */
  readonly isAll: boolean;
}

/** Counting this many takes about 0.1 s. */
const MAX_COUNT = 100_000;
const YIELD_EVERY = 1_000;

/** Counts items up to a limit. Yields to other requests regularly. */
export async function countUpTo(items: Iterable<unknown>, atMost = MAX_COUNT): Promise<LiveCount> {
  let value = 0;
  for (const _ of items) {
    if (value === atMost) return { value, isAll: false };
    value += 1;
    if (value % YIELD_EVERY === 0) await turn();
  }
  return { value, isAll: true };
}
