import { readFileSync } from 'node:fs';
import type { EventLog, Position } from '../eventsourcing/event-log.ts';
import type { ProcessReadings } from '../monitoring/process-gauges.ts';
import type { ServiceState } from '../monitoring/state-gauges.ts';
import type { Clock } from '../ports.ts';
import type { AdminHealthLocals } from './admin-pages.ts';

type Sized = { readonly size: () => number };

export interface HealthParts {
  readonly clock: Clock;
  readonly state: ServiceState;
  readonly metrics: { readonly process: ProcessReadings };
  readonly log: Pick<EventLog, 'readAll'>;
  readonly projections: Readonly<Record<'users' | 'clients' | 'grants' | 'sessions', Sized>>;
}

/** Beside `src` and `dist` alike. */
const PACKAGE = new URL('../../package.json', import.meta.url);

/** The figures that say how the server is, in words: the same that `/metrics` has, for people. */
export function createHealthFigures({ clock, state, metrics, log, projections }: HealthParts): () => Promise<AdminHealthLocals['groups']> {
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

  return async () => {
    const [{ sizes, free }, snapshot, checkpoint] = await Promise.all([
      state.storage(), reaching(state.snapshots().at(-1)), reaching(state.checkpoints().newest),
    ]);
    const delay = readings.eventLoopDelaySoFar();
    const upSeconds = readings.upSeconds();
    const hashes = state.passwordHashes();
    const refused = Object.entries(state.rateLimitRefusals()).filter(([, times]) => times > 0);
    return [
      { title: 'Process', figures: [
        { title: 'Version', text: `Grantlog ${version}, Node ${process.versions.node}` },
        { title: 'Up for', text: upSeconds === 0 ? 'not known' : duration(upSeconds) },
        { title: 'Memory', text: bytes(readings.residentBytes()) },
        { title: 'Event loop late by', text: `${milliseconds(delay['0.5'])} half of the time, up to ${milliseconds(delay['0.99'])} in 99 of 100 cases, ${milliseconds(delay['1'])} at worst, since /metrics was last read` },
        { title: 'Password hashes', text: `${count(hashes.running)} being computed, ${count(hashes.waiting)} waiting` },
      ] },
      { title: 'Log', figures: [
        { title: 'Events', text: `${count(state.logHead())}, ${state.projected() === state.logHead() ? 'all' : count(state.projected())} of them taken in` },
        { title: 'Takes appends', text: takesAppends(state) },
        { title: 'Newest snapshot', text: snapshot },
        { title: 'Last signed checkpoint', text: checkpoint },
        { title: 'Read back since the start', text: readBack(state) },
      ] },
      { title: 'Storage', figures: [
        ...Object.entries(sizes).map(([part, size]) => ({ title: part, text: bytes(size) })),
        { title: 'Room left', text: bytes(free) },
      ] },
      { title: 'What there is', figures: [
        { title: 'Users', text: count(projections.users.size()) },
        { title: 'Applications', text: count(projections.clients.size()) },
        { title: 'Live grants', text: count(projections.grants.size()) },
        { title: 'Live access tokens', text: count(state.accessTokens()) },
        { title: 'Log-ins', text: count(projections.sessions.size()) },
      ] },
      { title: 'Refused by limits since the start', figures: refused.length === 0 ? [{ title: 'Nothing', text: '0' }] : refused.map(([limit, times]) => ({ title: limit, text: count(times) })) },
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

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

function bytes(value: number): string {
  const power = value < 1 ? 0 : Math.min(Math.floor(Math.log2(value) / 10), UNITS.length - 1);
  return `${(value / 1024 ** power).toLocaleString('en', { maximumFractionDigits: 1 })} ${UNITS[power]}`;
}

function milliseconds(seconds: number): string {
  return `${(seconds * 1000).toLocaleString('en', { maximumFractionDigits: 1 })} ms`;
}

const DURATIONS = [['day', 86_400], ['hour', 3_600], ['minute', 60]] as const;

/** In its largest unit, rounded down. */
function duration(seconds: number): string {
  const [unit, length] = DURATIONS.find(([, each]) => seconds >= each) ?? ['second', 1];
  const number = Math.max(0, Math.floor(seconds / length));
  return `${count(number)} ${unit}${number === 1 ? '' : 's'}`;
}
