import { LogUnreachable, AppendOutcomeUnknown } from '../log-unreachable.ts';
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
import { isServerRejection, type Connection, type PostgresError } from '../../platform/postgres/connect.ts';
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
  /** Resolves when no append is pending or in flight, and every caller has its result. */
  idle(): Promise<void>;
}

export interface WriterDeps {
  readonly link: Link;
  readonly feed: Pick<Feed, 'offer' | 'extend' | 'waitFor'>;
  /** Returns a unique id for an append, so that a retry can be recognized. */
  readonly mintAppendId: () => string;
  /** Returns the monotonic time in milliseconds. */
  readonly ticks: () => number;
  readonly observer?: CommitObserver | undefined;
}

/** The longest time that a caller waits for its append. */
const APPEND_DEADLINE_MILLISECONDS = 10_000;

/** Limits the size of a transaction, and with it the time that other nodes wait. */
const MAX_BATCH_EVENTS = 4_096;

interface PendingAppend extends Append {
  readonly expectedRevision: ExpectedRevision;
  /** The events of all streams. */
  readonly events: readonly RecordedEvent[];
  /** The parts of the append for other streams. */
  readonly extraParts: readonly Append[];
  readonly deadline: number;
  /** Whether the storage may have received the append. */
  isSent: boolean;
  /** Whether the caller has a result or an error. If so, the append is not sent again. */
  isSettled: boolean;
  resolve(result: Promise<AppendResult>): void;
  reject(error: unknown): void;
}

/** How often deadlines are checked while appends are pending. */
const SWEEP_MILLISECONDS = 100;

/**
 * One transaction is in flight at a time. Appends that arrive during it form the next one, so transactions grow under
 * load. If the connection fails, the same appends are sent again. Those that were stored are recognized by their ids.
 */
export function createWriter({ link, feed, mintAppendId, ticks, observer }: WriterDeps): Writer {
  let pendingAppends: PendingAppend[] = [];
  let inFlight: readonly PendingAppend[] = [];
  let currentRun = Promise.resolve();
  /** The results of completed appends that are waiting for the projections. */
  const delayedResults = new Set<Promise<AppendResult>>();
  let isBusy = false;
  let unknownCount = 0;

  async function run(): Promise<void> {
    const sweepTimer = setInterval(giveUpLateAppends, SWEEP_MILLISECONDS);
    await Promise.resolve(); // appends of the same turn share the first transaction
    while (pendingAppends.length > 0) {
      inFlight = takeBatch();
      await send(inFlight);
    }
    inFlight = [];
    clearInterval(sweepTimer);
    isBusy = false;
  }

  /** Removes the next batch from `pendingAppends`. An append to several streams forms its own batch. */
  function takeBatch(): PendingAppend[] {
    let events = 0;
    const end = pendingAppends.findIndex(({ records, extraParts }, index) => {
      events += records.length;
      return index > 0 && (events > MAX_BATCH_EVENTS || extraParts.length > 0);
    });
    if (pendingAppends[0] !== undefined && pendingAppends[0].extraParts.length > 0) return pendingAppends.splice(0, 1);
    return end === -1 ? pendingAppends.splice(0) : pendingAppends.splice(0, end);
  }

  /** Sends a batch repeatedly until its outcome is known, or the deadline of each append has passed. */
  async function send(batch: readonly PendingAppend[]): Promise<void> {
    for (let unsettledAppends = batch; ;) {
      const connection = await link.connection().catch((error: unknown) => error as Error);
      // The callers of settled appends may know that nothing was stored.
      unsettledAppends = unsettledAppends.filter(({ isSettled }) => !isSettled);
      if (unsettledAppends.length === 0) return;
      if (connection instanceof LogUnreachable) continue; // the link pauses before it tries again
      if (connection instanceof Error) return unsettledAppends.forEach(({ reject }) => reject(connection));
      try {
        observer?.onBegin();
        for (const append of unsettledAppends) append.isSent = true;
        return settle(unsettledAppends, await sendOnce(connection, unsettledAppends));
      } catch (error) {
        if (isServerRejection(error) && !isReadOnly(error)) return handleRejection(unsettledAppends, error);
        link.reset(connection);
      }
    }
  }

  function giveUpLateAppends(): void {
    const now = ticks();
    pendingAppends = pendingAppends.filter((append) => !giveUpIfLate(append, now));
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

  /** Sends each append separately, because one that the database rejects must not fail the other appends. */
  async function handleRejection(batch: readonly PendingAppend[], error: PostgresError): Promise<void> {
    const [first] = batch;
    if (batch.length === 1) first?.reject(new LogUnavailable(`the database refused an append`, { cause: error }));
    else for (const append of batch) await send([append]);
  }

  function settle(batch: readonly PendingAppend[], outcomes: readonly AppendOutcome[]): void {
    const storedEvents: RecordedEvent[] = [];
    const head = outcomes.at(-1)?.value ?? 0;
    for (const [index, append] of batch.entries()) {
      const { outcome, value } = outcomes[index] ?? MISSING_OUTCOME;
      if (outcome === 'stored') storedEvents.push(...withPositions(append.events, value));
      else if (append.isSettled) continue; // its deadline passed while it was in flight
      else if (outcome === 'outdated') rejectOutdated(append, value, head);
      else append.reject(new WrongExpectedRevision(append.stream, append.expectedRevision, toStreamRevision(value)));
    }
    observer?.onDurable(batch.length, storedEvents.length);
    storedEvents.sort((left, right) => left.position - right.position);
    feed.offer(storedEvents);
    feed.extend(head as Position);
    for (const [index, append] of batch.entries())
      if (outcomes[index]?.outcome === 'stored' && !append.isSettled) resolveStored(append);
  }

  /** Resolves the append when its events are applied. Rejects it with `AppendOutcomeUnknown` at the deadline. */
  function resolveStored({ stream, expected, records, events, deadline, resolve }: PendingAppend): void {
    const { position } = events.at(-1) as RecordedEvent;
    const revision = (expected + records.length) as Revision;
    resolve(
      trackDelayed(
        feed.waitFor(position, Math.max(0, deadline - ticks())).then(
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
  function rejectOutdated({ dependencies, deadline, resolve }: PendingAppend, number: number, head: number): void {
    const { stream = null } = dependencies[number - 1] ?? {};
    const rejection = feed.waitFor(head as Position, Math.max(0, deadline - ticks())).then((): never => {
      throw new DecisionOutdated(stream);
    });
    resolve(trackDelayed(rejection));
  }

  function trackDelayed(result: Promise<AppendResult>): Promise<AppendResult> {
    delayedResults.add(result);
    const forget = (): void => void delayedResults.delete(result);
    result.then(forget, forget);
    return result;
  }

  return {
    append(stream, expectedRevision, events, dependencies) {
      const baseRevision = typeof expectedRevision === 'number' ? expectedRevision : 0;
      const id = mintAppendId();
      const ownPart = toAppend(id, { stream, revision: baseRevision as Revision, events }, dependencies);
      const ownHead = { stream, revision: (baseRevision + events.length) as Revision };
      const extraParts = dependencies.flatMap((part) => (part.events ? [toAppend(id, part, [ownHead])] : []));
      return new Promise<AppendResult>((resolve, reject) => {
        const pendingAppend: PendingAppend = {
          ...ownPart,
          expectedRevision,
          events: [ownPart, ...extraParts].flatMap((part) => part.events),
          extraParts,
          deadline: ticks() + APPEND_DEADLINE_MILLISECONDS,
          isSent: false,
          isSettled: false,
          resolve(result) {
            pendingAppend.isSettled = true;
            resolve(result);
          },
          reject(error) {
            pendingAppend.isSettled = true;
            reject(error);
          },
        };
        pendingAppends.push(pendingAppend);
        if (isBusy) return;
        isBusy = true;
        currentRun = run();
      });
    },
    unknownOutcomes: () => unknownCount,
    async idle() {
      await currentRun;
      await Promise.allSettled(delayedResults);
    },
  };
}

/** The position of an event that is not stored yet. */
const UNPLACED = 0 as Position;

/** Creates the part of an append that belongs to one stream. */
function toAppend(
  id: string,
  { stream, revision: expected, events = [] }: ObservedRevision,
  dependencies: readonly ObservedRevision[],
): Append & Pick<PendingAppend, 'events'> {
  const recordedEvents = events.map((event, i) => recordEvent(stream, (expected + i + 1) as Revision, UNPLACED, event));
  const records = recordedEvents.map(({ record }) => Buffer.from(record));
  return { id, stream, expected, events: recordedEvents, records, dependencies };
}

/**
 * Stores an append to several streams, completely or not at all. The other parts depend on the revision that the first
 * part produces. If another append has produced it, the first part conflicts, and only a rollback can undo the other
 * parts.
 * @returns the outcome of the whole append, and the head
 */
async function sendTogether(connection: Connection, append: PendingAppend): Promise<readonly AppendOutcome[]> {
  await connection.query({ text: 'begin' });
  try {
    const rows = readOutcomes(await connection.query(appendStatement([append, ...append.extraParts])));
    const [ownPart = MISSING_OUTCOME, ...extraOutcomes] = rows.slice(0, -1);
    const head = rows.at(-1) ?? MISSING_OUTCOME;
    const storedOutcomes = extraOutcomes.filter(({ outcome }) => outcome === 'stored');
    const isComplete = ownPart.outcome === 'stored' && storedOutcomes.length === extraOutcomes.length;
    await connection.query({ text: isComplete ? 'commit' : 'rollback' });
    if (isComplete) return [ownPart, head];
    const firstPositions = [ownPart, ...storedOutcomes].flatMap(firstPosition);
    const headBefore = Math.min(head.value, ...firstPositions.map((position) => position - 1));
    return [ownPart.outcome === 'stored' ? { outcome: 'outdated', value: 1 } : ownPart, { ...head, value: headBefore }];
  } catch (error) {
    await connection.query({ text: 'rollback' }).catch(() => {}); // the connection may be gone
    throw error;
  }
}

const MISSING_OUTCOME: AppendOutcome = { outcome: 'missing', value: 0 };

const firstPosition = ({ outcome, value }: AppendOutcome): readonly number[] => (outcome === 'stored' ? [value] : []);

/** Sets the positions in place, which is safe because no other code has seen the events yet. */
function withPositions(events: readonly RecordedEvent[], first: number): readonly RecordedEvent[] {
  for (const [index, event] of events.entries()) (event as { position: number }).position = first + index;
  return events;
}

const toStreamRevision = (value: number) => (value === 0 ? 'no-stream' : (value as Revision));

/** Reports whether the transaction was read-only, because the primary has become a standby. */
const isReadOnly = ({ code }: PostgresError): boolean => code === '25006';
