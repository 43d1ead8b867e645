import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventLog, Position } from '../../../event-store/event-log.ts';
import { roughDurationText } from '../../../language/durations.ts';
import { message, type Text } from '../../../language/message.ts';
import type { ProcessReadings } from '../../../platform/metrics/process-gauges.ts';
import type { ServiceState } from '../../../platform/metrics/state-gauges.ts';
import type { Clock } from '../../../platform/ports.ts';
import type { AccessTokens } from '../../../projections/access-tokens.ts';
import type { Clients } from '../../../projections/clients.ts';
import type { Grants } from '../../../projections/grants.ts';
import type { Sessions } from '../../../projections/sessions.ts';
import type { Users } from '../../../projections/users.ts';
import { formatRoughSize } from '../quantities.ts';
import type { HealthFigure, HealthGroup } from './locals.ts';

export interface HealthDeps {
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

/** The relative path is the same from `src` and from `dist`. */
const PACKAGE_FILE = new URL('../../../../package.json', import.meta.url);

/**
 * Returns a function that reads the server's figures. Figures that `/metrics` also reports have the same values there.
 * The function counts the authorizations and access tokens that `log as-of` would list for the current moment, and also
 * the authorizations of disabled applications.
 */
export function createHealthFiguresReader({
  clock,
  state,
  metrics,
  log,
  projections,
}: HealthDeps): () => Promise<readonly HealthGroup[]> {
  const { version } = JSON.parse(readFileSync(PACKAGE_FILE, 'utf8')) as { readonly version: string };
  const { process: readings } = metrics;

  /** Describes a snapshot or checkpoint up to `position`: the age of its last event, and the number of newer events. */
  async function describeProgress(position: number | undefined): Promise<Text> {
    if (position === undefined || position === 0) return message('health.none-yet');
    const newerCount = state.logHead() - position;
    for await (const [event] of log.readAll((position - 1) as Position)) {
      if (event === undefined) break;
      const age = roughDurationText((clock.now() - event.recordedAt) / 1000);
      return message('health.up-to-recorded', { position, age, newer: newerCount });
    }
    return message('health.up-to', { position });
  }

  async function readTotals(): Promise<HealthGroup> {
    const { users, clients, grants, accessTokens, sessions } = projections;
    const now = Math.floor(clock.now() / 1000);
    const authorizations = await countUpTo(grants.all(now));
    const tokens = await countUpTo(accessTokens.live(now));
    const openSessions = await countUpTo(sessions.all(now));
    const tokensInMemory = message('health.tokens-in-memory-count', { count: state.accessTokens() });
    return healthGroup(message('health.totals'), [
      { title: message('admin.users'), text: numberText(users.size()), href: '/admin/users/' },
      { title: message('admin.applications'), text: numberText(clients.size()), href: '/admin/applications/' },
      { title: message('health.authorizations'), text: countText(authorizations) },
      { title: message('health.tokens'), text: countText(tokens) },
      { title: message('health.tokens-in-memory'), text: tokensInMemory },
      { title: message('health.sessions'), text: countText(openSessions) },
    ]);
  }

  function readProcess(): HealthGroup {
    const uptimeSeconds = readings.uptimeSeconds();
    return healthGroup(message('health.process'), [
      {
        title: message('health.version'),
        text: message('health.versions', { grantlog: version, node: process.versions.node }),
      },
      {
        title: message('health.uptime'),
        text: uptimeSeconds === 0 ? message('health.unknown') : roughDurationText(uptimeSeconds),
      },
      { title: message('health.memory'), text: formatRoughSize(readings.residentBytes()) },
      { title: message('health.hashes'), text: message('health.hashes-now', state.passwordHashes()) },
    ]);
  }

  function readDelay(): HealthGroup {
    const delay = readings.peekEventLoopDelay();
    return {
      title: message('health.delay'),
      note: message('health.delay-note'),
      figures: [
        { title: message('health.delay-median'), text: millisecondsText(delay[0.5]) },
        { title: message('health.delay-99'), text: millisecondsText(delay[0.99]) },
        { title: message('health.delay-maximum'), text: millisecondsText(delay[1]) },
      ],
    };
  }

  async function readLogState(): Promise<HealthGroup> {
    const [count, processed] = [state.logHead(), state.projectedEvents()];
    const [snapshot, checkpoint] = await Promise.all([
      describeProgress(state.snapshots().at(-1)),
      describeProgress(state.checkpoints().newest),
    ]);
    const events =
      processed === count
        ? message('health.events-all', { count })
        : message('health.events-some', { count, processed });
    return healthGroup(message('health.log'), [
      { title: message('health.events'), text: events, href: '/audit/log/' },
      { title: message('health.writable'), ...writability(state) },
      { title: message('health.snapshot'), text: snapshot },
      { title: message('health.checkpoint'), text: checkpoint },
      { title: message('health.verified'), ...verificationProgress(state) },
    ]);
  }

  return async () => {
    const { sizes, free } = await state.storage();
    const refusals = Object.entries(state.rateLimitRefusals()).filter(([, count]) => count > 0);
    return [
      await readLogState(),
      healthGroup(message('health.storage'), [
        ...Object.entries(sizes).map(([part, size]) => ({ title: partTitle(part), text: formatRoughSize(size) })),
        { title: message('health.free'), text: formatRoughSize(free) },
      ]),
      readProcess(),
      readDelay(),
      await readTotals(),
      {
        title: message('health.limited'),
        ...(refusals.length === 0 ? { note: message('health.no-limited') } : {}),
        figures: refusals.map(([limit, count]) => ({ title: limit, text: numberText(count) })),
      },
    ];
  };
}

function healthGroup(title: Text, figures: readonly HealthFigure[]): HealthGroup {
  return { title, figures };
}

const PART_TITLES = {
  log: message('health.storage.log'),
  archive: message('health.storage.archive'),
  snapshots: message('health.storage.snapshots'),
} as const;

function partTitle(part: string): Text {
  return PART_TITLES[part as keyof typeof PART_TITLES] ?? part;
}

function writability(state: ServiceState): Pick<HealthFigure, 'text' | 'tone'> {
  if (!state.isLogWritable()) return { text: message('health.writable-failed'), tone: 'danger' };
  if (state.isDiskLow()) return { text: message('health.writable-full'), tone: 'danger' };
  return { text: message('value.yes') };
}

/** Describes the progress and result of the background check of the stored log. */
function verificationProgress({ storedLogCheck }: ServiceState): Pick<HealthFigure, 'text' | 'tone'> {
  const { checked: position, damagedPlaces } = storedLogCheck();
  if (damagedPlaces > 0) return { text: message('health.verified-damaged', { position }), tone: 'danger' };
  return {
    text: position === 0 ? message('health.verified-nothing') : message('health.verified-sound', { position }),
  };
}

function numberText(number: number): Text {
  return message('list.number', { number });
}

function millisecondsText(seconds: number): Text {
  return message('quantity.milliseconds', { count: Math.round(seconds * 10_000) / 10 });
}

/** Formats a count. A count that is not exact becomes, for example, "more than 100,000". */
export function countText({ value, isExact }: BoundedCount): Text {
  return message(isExact ? 'list.number' : 'dashboard.more-than', isExact ? { number: value } : { count: value });
}

interface BoundedCount {
  readonly value: number;
  /** False if there are more items than the limit. */
  readonly isExact: boolean;
}

/** The default limit. Counting this many items takes about 0.1 s. */
const MAX_COUNT = 100_000;
const ITEMS_PER_TURN = 1_000;

/** Counts items up to a limit, and regularly yields to other requests. */
export async function countUpTo(items: Iterable<unknown>, limit = MAX_COUNT): Promise<BoundedCount> {
  let value = 0;
  for (const _ of items) {
    if (value === limit) return { value, isExact: false };
    value += 1;
    if (value % ITEMS_PER_TURN === 0) await nextTurn();
  }
  return { value, isExact: true };
}
