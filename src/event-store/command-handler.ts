import { LRUCache } from 'lru-cache';
import type { Decider } from './decider.ts';
import {
  DecisionOutdated,
  isWorthCaching,
  WrongExpectedRevision,
  type Actor,
  type EventLog,
  type EventToAppend,
  type ExpectedRevision,
  type Position,
  type RecordedEvent,
  type ObservedRevision,
  type Revision,
  type StreamName,
  type StreamRevision,
} from './event-log.ts';

/** Identifies the request that led to a command. */
export interface RequestMetadata {
  readonly requestId: string | null;
  /** The caller's trace (W3C Trace Context), if the request had one. */
  readonly traceparent?: string | undefined;
}

/** The sender of a command, and the request that led to it. Recorded in the envelope of the command's events. */
export interface CommandContext extends RequestMetadata {
  readonly actor: Actor;
  /**
   * Other streams that the sender read before it decided to send the command, such as the actor's account. If one of
   * them has changed since, nothing is appended. Not part of the envelope.
   */
  readonly basedOn?: readonly ObservedRevision[] | undefined;
  /**
   * Checks a condition that does not depend on a stream, such as the expiry of a token. Called in the same turn of the
   * event loop as the append.
   */
  readonly isStillValid?: (() => boolean) | undefined;
  /** Called when no later append can become durable without the command's events: see `EventLog.append`. */
  readonly onAdmitted?: (() => void) | undefined;
  /** Called when the command's events are durable and applied, before the sender's next command is decided. */
  readonly onRecorded?: (() => void) | undefined;
}

export interface Outcome<State, Event, Refusal> {
  /** Undefined if the command took effect, now or earlier. */
  readonly refusal: Refusal | undefined;
  /** The events that the command appended to its stream; empty if the command changed nothing. */
  readonly events: readonly Event[];
  /** The stream's state after `events`. */
  readonly state: State;
  /** The position of the last appended event, including the second command's, or null if nothing was appended. */
  readonly position: Position | null;
}

/** A command for a different stream. The events of both commands are appended in one write. */
interface SecondCommand<Command> {
  readonly stream: StreamName;
  readonly command: Command;
}

export interface CommandHandler<Command, State, Event, Refusal> {
  /**
   * Decides the command from the stream's current state, and appends the events at the revision of that state. Decides
   * again if another writer appended first. Resolves when the events are durable and applied to every projection.
   * @param secondCommand takes effect together with the first command, or not at all. Not decided if the first command
   *   is refused or changes nothing. If the second command is refused, neither command takes effect
   * @throws DecisionOutdated if a stream that the command was based on has changed, `isStillValid` returned false, or
   *   the clock was set back since the command was created; nothing was appended
   * @throws LogUnavailable if the log accepts no more appends
   */
  execute(
    stream: StreamName,
    command: Command,
    context: CommandContext,
    secondCommand?: SecondCommand<Command>,
  ): Promise<Outcome<State, Event, Refusal>>;
  /** Returns the stream's current state, for questions that no projection answers. */
  state(stream: StreamName): Promise<State>;
  /**
   * Returns the stream's current state and revision, for a decision about another stream that lists this stream in
   * `basedOn`. The revision is undefined if the stream is empty.
   */
  observe(stream: StreamName): Promise<{ readonly state: State; readonly revision: Revision | undefined }>;
  /** Updates the cached states. If other processes append to the log, must be called with every delivered batch. */
  follow(events: readonly RecordedEvent[]): void;
}

type EncodedEvent = Pick<EventToAppend, 'type' | 'version' | 'data'>;

/** Converts between a stream's domain events and their recorded form. */
export interface EventCodec<Event> {
  encode(event: Event): EncodedEvent;
  decode(recordedEvent: RecordedEvent): Event;
}

/** The tolerance for small clock adjustments backwards between a decision and its record. */
const CLOCK_TOLERANCE_SECONDS = 5;

/**
 * The approximate maximum number of events that are buffered during the search for the latest summary. A stream with
 * more events since its latest summary is folded from its start.
 */
const MAX_BUFFERED_EVENTS = 1_000;

/** Each failed attempt means that another writer has succeeded, so only a defect can cause this many attempts. */
const MAX_ATTEMPTS = 1_000;

interface FoldedStream<State> {
  readonly state: State;
  readonly revision: ExpectedRevision;
}

function toEventToAppend(
  { type, version, data }: EncodedEvent,
  { actor, requestId, traceparent }: CommandContext,
  recordedAt: number,
): EventToAppend {
  return traceparent === undefined
    ? { type, version, data, recordedAt, actor, requestId }
    : { type, version, data, recordedAt, actor, requestId, traceparent };
}

/** Adds the second command's events to its stream. Without events, only its revision is checked: see `append`. */
function withEvents<Event>(
  { stream, revision, events }: { stream: StreamName; revision: Revision; events: readonly Event[] },
  envelope: (event: Event) => EventToAppend,
): ObservedRevision {
  return events.length === 0 ? { stream, revision } : { stream, revision, events: events.map(envelope) };
}

export function createCommandHandler<Command, State, Event, Refusal>(deps: {
  readonly log: Pick<EventLog, 'append' | 'readStream' | 'readStreamBackwards'>;
  readonly decider: Decider<Command, State, Event, Refusal>;
  readonly codec: EventCodec<Event>;
  /** Milliseconds since the epoch, for the envelope. */
  readonly now: () => number;
  /** The maximum number of folded streams in the cache. */
  readonly cachedStates: number;
  /** Whether other processes also append to the log. In that case, only `follow` may change cached states. */
  readonly isShared?: boolean;
}): CommandHandler<Command, State, Event, Refusal> {
  const { log, decider, codec, now, isShared = false } = deps;
  // `max` would allocate memory for all entries in advance.
  const cache = new LRUCache<StreamName, FoldedStream<State>>({ maxSize: deps.cachedStates, sizeCalculation: () => 1 });

  /** The reads in progress, by stream. Concurrent commands on one stream share one read. */
  const pendingReads = new Map<StreamName, Promise<FoldedStream<State>>>();

  function load(stream: StreamName): Promise<FoldedStream<State>> {
    const existingRead = pendingReads.get(stream);
    if (existingRead !== undefined) return existingRead;
    const pendingRead = read().finally(() => {
      if (pendingReads.get(stream) === pendingRead) pendingReads.delete(stream);
    });
    pendingReads.set(stream, pendingRead);
    return pendingRead;

    /**
     * Caches the state before the decision, so that repeated refused commands, which append nothing, do not read the
     * stream each time.
     */
    async function read(): Promise<FoldedStream<State>> {
      const foldedStream = await foldFromSummary(stream);
      // A concurrent append may have cached a newer state. An empty stream is not cached, because reading it is cheap.
      const isNewest = pendingReads.get(stream) === pendingRead && !cache.has(stream);
      if (isNewest && foldedStream.revision !== 'no-stream') cache.set(stream, foldedStream);
      return foldedStream;
    }
  }

  async function foldFromSummary(stream: StreamName): Promise<FoldedStream<State>> {
    const newestFirst: Event[] = [];
    let revision: StreamRevision = 'no-stream';
    const foldBuffered = (): FoldedStream<State> => {
      const state = newestFirst.reduceRight((previous, event) => decider.evolve(previous, event), decider.initial);
      return { state, revision };
    };
    for await (const page of log.readStreamBackwards(stream)) {
      if (newestFirst.length > MAX_BUFFERED_EVENTS) return foldFromStart(stream);
      if (revision === 'no-stream' && page[0] !== undefined) ({ revision } = page[0]);
      for (const recordedEvent of page) {
        const event = codec.decode(recordedEvent);
        newestFirst.push(event);
        if (decider.isSummary?.(event) === true) return foldBuffered();
      }
    }
    return foldBuffered();
  }

  async function foldFromStart(stream: StreamName): Promise<FoldedStream<State>> {
    let [state, revision]: [State, StreamRevision] = [decider.initial, 'no-stream'];
    for await (const page of log.readStream(stream)) {
      for (const recordedEvent of page) state = decider.evolve(state, codec.decode(recordedEvent));
      revision = page.at(-1)?.revision ?? revision;
    }
    return { state, revision };
  }

  /**
   * Returns the initial state if the command starts a stream. Used for the first attempt only: if that attempt loses
   * the race, the stream exists.
   */
  function newStreamState(command: Command): FoldedStream<State> | undefined {
    const revision = decider.initialRevision?.(command);
    return revision === undefined ? undefined : { state: decider.initial, revision };
  }

  /** Reports whether the clock was set back after the command's expiry times were computed, so they are too late. */
  function isClockSetBack(command: Command, recordedAt: number): boolean {
    const decidedAt = decider.decidedAt?.(command);
    return decidedAt !== undefined && recordedAt < (decidedAt - CLOCK_TOLERANCE_SECONDS) * 1000;
  }

  /** Decides the second command without the cache: with an outdated cached state, every attempt could be refused. */
  async function decideSecond({ stream, command }: SecondCommand<Command>) {
    const { state, revision } = await foldFromSummary(stream);
    const decision = decider.decide(command, state);
    if (decision.refusal === undefined && typeof revision !== 'number')
      throw new RangeError(`the second command cannot start the stream ${stream}`);
    return { ...decision, stream, revision: revision as Revision };
  }

  async function attempt(
    stream: StreamName,
    command: Command,
    context: CommandContext,
    current: FoldedStream<State>,
    secondCommand: SecondCommand<Command> | undefined,
  ) {
    const { events, refusal } = decider.decide(command, current.state);
    if (events.length === 0) return { refusal, events, state: current.state, position: null };
    const secondDecision =
      secondCommand === undefined || refusal !== undefined ? undefined : await decideSecond(secondCommand);
    if (secondDecision?.refusal !== undefined)
      return { refusal: secondDecision.refusal, events: [], state: current.state, position: null };
    const recordedAt = now();
    if (isClockSetBack(command, recordedAt) || context.isStillValid?.() === false) throw new DecisionOutdated(null);
    const envelope = (event: Event): EventToAppend => toEventToAppend(codec.encode(event), context, recordedAt);
    const newEvents = events.map(envelope);
    const { basedOn, onAdmitted } = context;
    const dependencies = secondDecision ? [...(basedOn ?? []), withEvents(secondDecision, envelope)] : basedOn;
    // Only `follow` updates the state: a `cache.set` after the append could undo a later event of another process.
    if (isShared && isWorthCaching(events.length) && !cache.has(stream)) cache.set(stream, current);
    const { revision, position } = await log.append(stream, current.revision, newEvents, dependencies, onAdmitted);
    context.onRecorded?.();
    if (secondDecision !== undefined && !isShared) forget(secondDecision.stream);
    const state = events.reduce(decider.evolve, current.state);
    if (!isShared && (isWorthCaching(revision) || cache.has(stream))) cache.set(stream, { state, revision });
    return { refusal, events, state, position };
  }

  /** Drops the cached state, so that the next read includes the events that a second command appended. */
  function forget(stream: StreamName): void {
    cache.delete(stream);
    pendingReads.delete(stream);
  }

  function followEvent(event: RecordedEvent): void {
    const { stream, revision } = event;
    pendingReads.delete(stream); // the pending read may lack the event, so its result is not cached
    const entry = cache.peek(stream);
    if (entry === undefined) return;
    const expectedRevision = typeof entry.revision === 'number' ? entry.revision + 1 : 1;
    if (revision === expectedRevision)
      cache.set(stream, { state: decider.evolve(entry.state, codec.decode(event)), revision });
    else if (revision > expectedRevision) cache.delete(stream);
  }

  return {
    state: async (stream) => (cache.get(stream) ?? (await load(stream))).state,
    async observe(stream) {
      const entry = cache.get(stream);
      // A state that was cached before the stream's first append has no revision yet.
      const { state, revision } =
        typeof entry?.revision === 'number' ? entry : await (entry === undefined ? load : foldFromSummary)(stream);
      return { state, revision: typeof revision === 'number' ? revision : undefined };
    },
    follow: (events) => events.forEach(followEvent),

    async execute(stream, command, context, secondCommand) {
      let latest: FoldedStream<State> | undefined;
      for (let attempts = 1; ; attempts += 1) {
        const current =
          latest ?? cache.get(stream) ?? (attempts === 1 ? newStreamState(command) : undefined) ?? (await load(stream));
        try {
          const outcome = await attempt(stream, command, context, current, secondCommand);
          // Without an append, the log has not checked whether another process has changed the stream.
          if (!isShared || outcome.events.length > 0 || current === latest) return outcome;
          latest = await foldFromSummary(stream);
        } catch (error) {
          latest = undefined;
          if (!(error instanceof WrongExpectedRevision) || attempts === MAX_ATTEMPTS) throw error;
          if (cache.get(stream) === current) cache.delete(stream); // keeps a newer state
        }
      }
    },
  };
}
