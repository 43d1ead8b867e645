import { AppendOutcomeUnknown } from '../append-outcome-unknown.ts';
import { LogUnreachable } from '../log-unreachable.ts';
import { DecisionOutdated, LogUnavailable, WrongExpectedRevision } from '../event-log.ts';
import type {
  AppendResult,
  EventToAppend,
  ExpectedRevision,
  ObservedRevision,
  Position,
  RecordedEvent,
  Revision,
  StreamName,
} from '../event-log.ts';
import { isRefusal, type Connection, type PostgresError } from '../../platform/postgres/connect.ts';
import { recordEvent } from '../record.ts';
import type { CommitObserver } from '../engines/group-commit.ts';
import { appendStatement, readOutcomes, type Append, type AppendOutcome } from './append-statement.ts';
import type { Feed } from './feed.ts';
import type { Link } from './link.ts';

/** Sends the appends of this node, many in one transaction. */
export interface Writer {
  append(
    stream: StreamName,
    expected: ExpectedRevision,
    events: readonly EventToAppend[],
    basedOn: readonly ObservedRevision[],
  ): Promise<AppendResult>;
  /** Returns the number of appends that were rejected with `AppendOutcomeUnknown`. */
  unknownOutcomes(): number;
  /** Resolves when no append is waiting or in flight, and every caller has its result. */
  idle(): Promise<void>;
}

export interface WriterDeps {
  readonly link: Link;
  readonly feed: Pick<Feed, 'offer' | 'extend' | 'reached'>;
  /** Returns a unique id for an append, by which a repeated attempt is recognized. */
  readonly mintAppendId: () => string;
  /** Returns the monotonic time in milliseconds. */
  readonly ticks: () => number;
  readonly observer?: CommitObserver | undefined;
}

/** The longest time that a caller waits for its append. */
const APPEND_DEADLINE_MILLISECONDS = 10_000;

/** Limits one transaction, and with it the time that other nodes wait. */
const MAX_BATCH_EVENTS = 4_096;

interface PendingAppend extends Append {
  readonly expectedRevision: ExpectedRevision;
  /** The events of all streams. */
  readonly recorded: readonly RecordedEvent[];
  /** The parts for other streams. */
  readonly extraParts: readonly Append[];
  readonly deadline: number;
  /** Whether the storage may have received it. */
  isSent: boolean;
  /** Whether the caller has a result or an error. The append is then not sent again. */
  isSettled: boolean;
  resolve(result: Promise<AppendResult>): void;
  reject(error: unknown): void;
}

/** The interval at which deadlines are checked while appends are waiting. */
const SWEEP_MILLISECONDS = 100;

/**
 * One transaction is in flight at a time. Appends that arrive during it form the next one, so transactions grow under
 * load. If the connection fails, the same appends are sent again. Those that were stored are recognized by their ids.
 */
export function createWriter({ link, feed, mintAppendId, ticks, observer }: WriterDeps): Writer {
  let waiting: PendingAppend[] = [];
  let inFlight: readonly PendingAppend[] = [];
  let running = Promise.resolve();
  /** Results of decided appends that wait for the projections. */
  const delayed = new Set<Promise<AppendResult>>();
  let isBusy = false;
  let unknownCount = 0;

  async function run(): Promise<void> {
    const sweeping = setInterval(giveUpLate, SWEEP_MILLISECONDS);
    await Promise.resolve(); // appends of the same turn share the first transaction
    while (waiting.length > 0) {
      inFlight = takeBatch();
      await send(inFlight);
    }
    inFlight = [];
    clearInterval(sweeping);
    isBusy = false;
  }

  /** Removes the next batch from `waiting`. An append to several streams forms its own batch. */
  function takeBatch(): PendingAppend[] {
    let events = 0;
    const end = waiting.findIndex(({ records, extraParts }, index) => {
      events += records.length;
      return index > 0 && (events > MAX_BATCH_EVENTS || extraParts.length > 0);
    });
    if (waiting[0] !== undefined && waiting[0].extraParts.length > 0) return waiting.splice(0, 1);
    return end === -1 ? waiting.splice(0) : waiting.splice(0, end);
  }

  /** Sends a batch repeatedly until its outcome is known, or the deadline of each append has passed. */
  async function send(batch: readonly PendingAppend[]): Promise<void> {
    for (let remaining = batch; ;) {
      const connection = await link.connection().catch((error: unknown) => error as Error);
      remaining = remaining.filter(({ isSettled }) => !isSettled); // their callers may know that nothing was stored
      if (remaining.length === 0) return;
      if (connection instanceof LogUnreachable) continue; // the link pauses before it tries again
      if (connection instanceof Error) return remaining.forEach(({ reject }) => reject(connection));
      try {
        observer?.onBegin();
        for (const append of remaining) append.isSent = true;
        return settle(remaining, await sendOnce(connection, remaining));
      } catch (error) {
        if (isRefusal(error) && !isReadOnly(error)) return handleRefusal(remaining, error);
        link.reset(connection);
      }
    }
  }

  function giveUpLate(): void {
    const now = ticks();
    waiting = waiting.filter((append) => !giveUpIfLate(append, now));
    for (const append of inFlight) giveUpIfLate(append, now);
  }

  function giveUpIfLate(append: PendingAppend, now: number): boolean {
    if (append.deadline > now || append.isSettled) return append.isSettled;
    const { stream, isSent, reject } = append;
    if (isSent) unknownCount += 1;
    reject(
      isSent
        ? new AppendOutcomeUnknown(`it is unknown whether the append to ${stream} was stored`)
        : new LogUnreachable(`the database cannot be reached to append to ${stream}`),
    );
    return true;
  }

  async function sendOnce(connection: Connection, batch: readonly PendingAppend[]): Promise<readonly AppendOutcome[]> {
    const [first] = batch;
    if (first !== undefined && first.extraParts.length > 0) return sendTogether(connection, first);
    return readOutcomes(await connection.query(appendStatement(batch)));
  }

  /** Sends each append separately, because one that the database refuses must not fail the other appends. */
  async function handleRefusal(batch: readonly PendingAppend[], error: PostgresError): Promise<void> {
    const [first, ...others] = batch;
    if (others.length === 0) first?.reject(new LogUnavailable(`the database refused an append`, { cause: error }));
    else for (const append of batch) await send([append]);
  }

  function settle(batch: readonly PendingAppend[], outcomes: readonly AppendOutcome[]): void {
    const stored: RecordedEvent[] = [];
    const head = outcomes.at(-1)?.value ?? 0;
    for (const [index, append] of batch.entries()) {
      const { outcome, value } = outcomes[index] ?? MISSING;
      if (outcome === 'stored') stored.push(...withPositions(append.recorded, value));
      else if (append.isSettled) continue; // its deadline passed in flight
      else if (outcome === 'outdated') rejectOutdated(append, value, head);
      else append.reject(new WrongExpectedRevision(append.stream, append.expectedRevision, streamRevision(value)));
    }
    observer?.onDurable(batch.length, stored.length);
    stored.sort((left, right) => left.position - right.position);
    feed.offer(stored);
    feed.extend(head as Position);
    for (const [index, append] of batch.entries())
      if (outcomes[index]?.outcome === 'stored' && !append.isSettled) resolveStored(append);
  }

  /** Resolves the append when its events are applied. Rejects it with `AppendOutcomeUnknown` at the deadline. */
  function resolveStored({ stream, expected, records, recorded, deadline, resolve }: PendingAppend): void {
    const { position } = recorded.at(-1) as RecordedEvent;
    const revision = (expected + records.length) as Revision;
    resolve(
      trackDelayed(
        feed.reached(position, Math.max(0, deadline - ticks())).then(
          () => ({ revision, position }),
          (cause: unknown) => {
            if (!(cause instanceof LogUnreachable)) throw cause;
            unknownCount += 1;
            throw new AppendOutcomeUnknown(`this node has not read the log up to its append to ${stream}`, { cause });
          },
        ),
      ),
    );
  }

  /** Rejects the append after the projections have applied the change. */
  function rejectOutdated({ dependencies, deadline, resolve }: PendingAppend, changed: number, head: number): void {
    const { stream = null } = dependencies[changed - 1] ?? {};
    const applied = feed.reached(head as Position, Math.max(0, deadline - ticks()));
    resolve(
      trackDelayed(
        applied.then(() => {
          throw new DecisionOutdated(stream);
        }),
      ),
    );
  }

  function trackDelayed(result: Promise<AppendResult>): Promise<AppendResult> {
    delayed.add(result);
    const forget = (): void => void delayed.delete(result);
    result.then(forget, forget);
    return result;
  }

  return {
    append(stream, expectedRevision, events, dependencies) {
      const expected = typeof expectedRevision === 'number' ? expectedRevision : 0;
      const id = mintAppendId();
      const ownPart = toAppend(id, { stream, revision: expected as Revision, events }, dependencies);
      const after = { stream, revision: (expected + events.length) as Revision };
      const extraParts = dependencies.flatMap((read) => (read.events ? [toAppend(id, read, [after])] : []));
      return new Promise<AppendResult>((resolve, reject) => {
        const pending: PendingAppend = {
          ...ownPart,
          expectedRevision,
          recorded: [ownPart, ...extraParts].flatMap(({ recorded }) => recorded),
          extraParts,
          deadline: ticks() + APPEND_DEADLINE_MILLISECONDS,
          isSent: false,
          isSettled: false,
          resolve(result) {
            pending.isSettled = true;
            resolve(result);
          },
          reject(error) {
            pending.isSettled = true;
            reject(error);
          },
        };
        waiting.push(pending);
        if (isBusy) return;
        isBusy = true;
        running = run();
      });
    },
    unknownOutcomes: () => unknownCount,
    async idle() {
      await running;
      await Promise.allSettled(delayed);
    },
  };
}

/** The position of an event that is not stored yet. */
const UNPLACED = 0 as Position;

/** Creates the part of an append for one stream. */
function toAppend(
  id: string,
  { stream, revision: expected, events = [] }: ObservedRevision,
  dependencies: readonly ObservedRevision[],
): Append & Pick<PendingAppend, 'recorded'> {
  const recorded = events.map((event, i) => recordEvent(stream, (expected + i + 1) as Revision, UNPLACED, event));
  return { id, stream, expected, recorded, records: recorded.map(({ record }) => Buffer.from(record)), dependencies };
}

/**
 * Stores an append to several streams, completely or not at all. The other parts depend on the revision to which the
 * first leads. If another append has led to it, the first part conflicts, and only a rollback can undo the others.
 * @returns the outcome of the whole append, and the head
 */
async function sendTogether(connection: Connection, append: PendingAppend): Promise<readonly AppendOutcome[]> {
  await connection.query({ text: 'begin' });
  try {
    const rows = readOutcomes(await connection.query(appendStatement([append, ...append.extraParts])));
    const [ownPart = MISSING, ...others] = rows.slice(0, -1);
    const head = rows.at(-1) ?? MISSING;
    const stored = others.filter(({ outcome }) => outcome === 'stored');
    const isWhole = ownPart.outcome === 'stored' && stored.length === others.length;
    await connection.query({ text: isWhole ? 'commit' : 'rollback' });
    if (isWhole) return [ownPart, head];
    const before = Math.min(head.value, ...[ownPart, ...stored].flatMap(firstPosition).map((position) => position - 1));
    return [ownPart.outcome === 'stored' ? { outcome: 'outdated', value: 1 } : ownPart, { ...head, value: before }];
  } catch (error) {
    await connection.query({ text: 'rollback' }).catch(() => {}); // the connection may be gone
    throw error;
  }
}

const MISSING: AppendOutcome = { outcome: 'missing', value: 0 };

const firstPosition = ({ outcome, value }: AppendOutcome): readonly number[] => (outcome === 'stored' ? [value] : []);

/** Sets the positions of the events in place, because no other code has seen them yet. */
function withPositions(events: readonly RecordedEvent[], first: number): readonly RecordedEvent[] {
  for (const [index, event] of events.entries()) (event as { position: number }).position = first + index;
  return events;
}

const streamRevision = (value: number) => (value === 0 ? 'no-stream' : (value as Revision));

/** Reports whether the transaction was read-only, because the primary has become a standby. */
const isReadOnly = ({ code }: PostgresError): boolean => code === '25006';
