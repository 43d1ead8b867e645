import { readFileSync } from 'node:fs';
import type { EventLog, Position } from '../../../event-store/event-log.ts';
import type { ProcessReadings } from '../../../platform/metrics/process-gauges.ts';
import type { ServiceState } from '../../../platform/metrics/state-gauges.ts';
import type { Clock } from '../../../platform/ports.ts';
import type { AccessTokens } from '../../../projections/access-tokens.ts';
import type { Clients } from '../../../projections/clients.ts';
import type { Grants } from '../../../projections/grants.ts';
import type { Sessions } from '../../../projections/sessions.ts';
import type { Users } from '../../../projections/users.ts';
import type { AdminHealthLocals } from './admin-pages.ts';
import { countLive, type Count } from '../live-counts.ts';

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

/** Beside `src` and `dist` alike. */
const PACKAGE = new URL('../../../../package.json', import.meta.url);

/**
 * The figures that say how the server is, in words: the same that `/metrics` has, for people. What is called live is
 * what `log as-of` lists for this moment (`inquiry/held.ts`).
 */
export function createHealthFigures({
  clock,
  state,
  metrics,
  log,
  projections,
}: HealthParts): () => Promise<AdminHealthLocals['groups']> {
  const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { readonly version: string };
  const { process: readings } = metrics;

  /** What reaches up to the event at `position`: how old that is, in events and in time. */
  async function reaching(position: number | undefined): Promise<string> {
    if (position === undefined || position === 0) return 'none yet';
    const behind = state.logHead() - position;
    for await (const [event] of log.readAll((position - 1) as Position)) {
      const at = event === undefined ? '' : `, recorded ${duration((clock.now() - event.recordedAt) / 1000)} ago`;
      return `up to event ${count(position)}${at}; ${behind === 0 ? 'nothing came since' : `${count(behind)} came since`}`;
    }
    return `up to event ${count(position)}`;
  }

  async function totals(): Promise<AdminHealthLocals['groups'][number]> {
    const { users, clients, grants, accessTokens, sessions } = projections;
    const now = Math.floor(clock.now() / 1000);
    const authorizations = await countLive(grants.all(now));
    const tokens = await countLive(accessTokens.live(now));
    const open = await countLive(sessions.all(now));
    const inMemory = `${count(state.accessTokens())}, including ended and expired ones that are not yet removed`;
    return {
      title: 'Totals',
      figures: [
        { title: 'Users', text: count(users.size()) },
        { title: 'Applications', text: count(clients.size()) },
        { title: 'Live authorizations', text: counted(authorizations) },
        { title: 'Live access tokens', text: counted(tokens) },
        { title: 'Access tokens in memory', text: inMemory },
        { title: 'Sessions', text: counted(open) },
      ],
    };
  }

  return async () => {
    const [{ sizes, free }, snapshot, checkpoint] = await Promise.all([
      state.storage(),
      reaching(state.snapshots().at(-1)),
      reaching(state.checkpoints().newest),
    ]);
    const delay = readings.eventLoopDelaySoFar();
    const upSeconds = readings.upSeconds();
    const [median, late, latest] = ([0.5, 0.99, 1] as const).map((quantile) => milliseconds(delay[quantile]));
    const quantiles = `p50 ${median} · p99 ${late} · max ${latest}`;
    const processed = state.projected() === state.logHead() ? 'all' : count(state.projected());
    const hashes = state.passwordHashes();
    const refused = Object.entries(state.rateLimitRefusals()).filter(([, times]) => times > 0);
    return [
      {
        title: 'Process',
        figures: [
          { title: 'Version', text: `Grantlog ${version}, Node ${process.versions.node}` },
          { title: 'Up for', text: upSeconds === 0 ? 'not known' : duration(upSeconds) },
          { title: 'Memory', text: bytes(readings.residentBytes()) },
          { title: 'Event loop delay', text: `${quantiles}, since /metrics was last read` },
          {
            title: 'Password hashes',
            text: `${count(hashes.running)} being computed, ${count(hashes.waiting)} waiting`,
          },
        ],
      },
      {
        title: 'Log',
        figures: [
          { title: 'Events', text: `${count(state.logHead())}, ${processed} processed` },
          { title: 'Writable', text: takesAppends(state) },
          { title: 'Newest snapshot', text: snapshot },
          { title: 'Last signed checkpoint', text: checkpoint },
          { title: 'Read back since the start', text: readBack(state) },
        ],
      },
      {
        title: 'Storage',
        figures: [
          ...Object.entries(sizes).map(([part, size]) => ({ title: part, text: bytes(size) })),
          { title: 'Room left', text: bytes(free) },
        ],
      },
      await totals(),
      {
        title: 'Rate-limited requests since start',
        figures:
          refused.length === 0
            ? [{ title: 'All limits', text: 'None' }]
            : refused.map(([limit, times]) => ({ title: limit, text: count(times) })),
      },
    ];
  };
}

function takesAppends(state: ServiceState): string {
  if (!state.isLogWritable()) return 'no: a write failed; restart the server';
  return state.isDiskLow() ? 'no: the disk is almost full; make room on it' : 'yes';
}

/** The progress and the result of the check of the stored log. */
function readBack({ storedLog }: ServiceState): string {
  const { checked, damages } = storedLog();
  if (damages > 0) return `up to event ${count(checked)}; DAMAGED: see the server's log, and run grantlog log verify`;
  return checked === 0 ? 'nothing yet' : `up to event ${count(checked)}; all of it is as it was written`;
}

function count(value: number): string {
  return value.toLocaleString('en');
}

function counted({ value, isAll }: Count): string {
  return isAll ? count(value) : `more than ${count(value)}`;
}

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

function bytes(value: number): string {
  const power = value < 1 ? 0 : Math.min(Math.floor(Math.log2(value) / 10), UNITS.length - 1);
  return `${(value / 1024 ** power).toLocaleString('en', { maximumFractionDigits: 1 })} ${UNITS[power]}`;
}

function milliseconds(seconds: number): string {
  return `${(seconds * 1000).toLocaleString('en', { maximumFractionDigits: 1 })} ms`;
}

const DURATIONS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** In its largest unit, rounded down. */
function duration(seconds: number): string {
  const [unit, length] = DURATIONS.find(([, each]) => seconds >= each) ?? ['second', 1];
  const number = Math.max(0, Math.floor(seconds / length));
  return `${count(number)} ${unit}${number === 1 ? '' : 's'}`;
}
