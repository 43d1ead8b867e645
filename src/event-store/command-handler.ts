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
  type StreamName,
  type StreamRevision,
} from './event-log.ts';

/** The request that a command came with. */
export interface RequestMetadata {
  readonly requestId: string | null;
  /** The caller's place in a trace (W3C Trace Context), where it has said one. */
  readonly traceparent?: string | undefined;
}

/** On whose behalf a command runs, and with which request; goes into the envelope of its events. */
export interface CommandContext extends RequestMetadata {
  readonly actor: Actor;
  /**
   * Streams other than the command's own that its sender read to decide that it may be sent, such as the actor's
   * account. Nothing is appended when one of them has moved on. Not part of the envelope.
   */
  readonly basedOn?: readonly ObservedRevision[] | undefined;
  /**
   * Whether what the command was based on still holds, where no stream stands for it: a token may expire. Asked in the
   * turn in which the events are handed to the log.
   */
  readonly isStillValid?: (() => boolean) | undefined;
}

export interface Outcome<State, Event, Refusal> {
  /** Undefined when the command came true, now or before. */
  readonly refusal: Refusal | undefined;
  /** What the command added; empty when it changed nothing. */
  readonly events: readonly Event[];
  /** The stream's state after `events`. */
  readonly state: State;
  /** Where the last of `events` is; null when there are none. */
  readonly position: Position | null;
}

export interface CommandHandler<Command, State, Event, Refusal> {
  /**
   * Decides on the stream's newest state and appends at the revision decided on; when another writer
   * comes first, decides again. Resolves after the events are durable and every projection has them.
   * @throws DecisionOutdated what the command was based on has changed, or the clock has been set back since it was
   *   made; nothing was appended
   * @throws LogUnavailable nothing can be written any more
   */
  execute(stream: StreamName, command: Command, context: CommandContext): Promise<Outcome<State, Event, Refusal>>;
  /** The stream folded, as of now: for questions that no projection answers. */
  state(stream: StreamName): Promise<State>;
}

type EncodedEvent = Pick<EventToAppend, 'type' | 'version' | 'data'>;

/** How a stream's events are written and read: their schema, owned by the domain. */
export interface EventCodec<Event> {
  encode(event: Event): EncodedEvent;
  decode(recorded: RecordedEvent): Event;
}

/** Folded streams kept at hand: a code's redemption or a refresh soon after its issue reads no disk. */
const MAX_CACHED_STATES = 10_000;

/** A clock that is kept right in small steps may go back by less between a decision and its record. */
const CLOCK_TOLERANCE_SECONDS = 5;

/** Events held at once while the newest summary is looked for. A longer stream without one is folded page by page. */
const MAX_BUFFERED_EVENTS = 1_000;

/** Each lost race means that somebody else won one; only a defect loses this often. */
const MAX_ATTEMPTS = 1_000;

interface Folded<State> {
  readonly state: State;
  readonly revision: ExpectedRevision;
}

/** Member by member: spreading the two into one object takes a hundred times as long, 2 µs for each event. */
function toEventToAppend(
  { type, version, data }: EncodedEvent,
  { actor, requestId, traceparent }: CommandContext,
  recordedAt: number,
): EventToAppend {
  return traceparent === undefined
    ? { type, version, data, recordedAt, actor, requestId }
    : { type, version, data, recordedAt, actor, requestId, traceparent };
}

export function createCommandHandler<Command, State, Event, Refusal>(parts: {
  readonly log: Pick<EventLog, 'append' | 'readStream' | 'readStreamBackwards'>;
  readonly decider: Decider<Command, State, Event, Refusal>;
  readonly codec: EventCodec<Event>;
  /** Milliseconds since the epoch, for the envelope. */
  readonly now: () => number;
}): CommandHandler<Command, State, Event, Refusal> {
  const { log, decider, codec, now } = parts;
  const kept = new LRUCache<StreamName, Folded<State>>({ max: MAX_CACHED_STATES });

  /** Streams that are being read: commands on the same one wait for one reading. */
  const loading = new Map<StreamName, Promise<Folded<State>>>();

  function load(stream: StreamName): Promise<Folded<State>> {
    const underWay = loading.get(stream) ?? read(stream).finally(() => loading.delete(stream));
    loading.set(stream, underWay);
    return underWay;
  }

  /** Kept at once: what is refused adds nothing, and a stream must not be read anew for each command that is. */
  async function read(stream: StreamName): Promise<Folded<State>> {
    const folded = await foldFromSummary(stream);
    // An append meanwhile has put its own there, which is newer. A stream that is not there costs nothing to read.
    if (folded.revision !== 'no-stream' && !kept.has(stream)) kept.set(stream, folded);
    return folded;
  }

  async function foldFromSummary(stream: StreamName): Promise<Folded<State>> {
    const newestFirst: Event[] = [];
    let revision: StreamRevision = 'no-stream';
    const folded = (): Folded<State> => {
      const state = newestFirst.reduceRight((before, event) => decider.evolve(before, event), decider.initial);
      return { state, revision };
    };
    for await (const page of log.readStreamBackwards(stream)) {
      if (newestFirst.length > MAX_BUFFERED_EVENTS) return foldFromStart(stream);
      if (revision === 'no-stream' && page[0] !== undefined) ({ revision } = page[0]);
      for (const recorded of page) {
        const event = codec.decode(recorded);
        newestFirst.push(event);
        if (decider.isSummary?.(event) === true) return folded();
      }
    }
    return folded();
  }

  async function foldFromStart(stream: StreamName): Promise<Folded<State>> {
    let [state, revision]: [State, StreamRevision] = [decider.initial, 'no-stream'];
    for await (const page of log.readStream(stream)) {
      for (const recorded of page) state = decider.evolve(state, codec.decode(recorded));
      revision = page.at(-1)?.revision ?? revision;
    }
    return { state, revision };
  }

  /** Of a stream that the command begins. Only the first attempt may take it that it is new: one that lost found somebody there. */
  function begun(command: Command): Folded<State> | undefined {
    const revision = decider.initialRevision?.(command);
    return revision === undefined ? undefined : { state: decider.initial, revision };
  }

  /** What a command lets live until a time of a clock that was ahead would outlive its lifetime. */
  function isClockSetBack(command: Command, recordedAt: number): boolean {
    const decidedAt = decider.decidedAt?.(command);
    return decidedAt !== undefined && recordedAt < (decidedAt - CLOCK_TOLERANCE_SECONDS) * 1000;
  }

  async function attempt(stream: StreamName, command: Command, context: CommandContext, folded: Folded<State>) {
    const { events, refusal } = decider.decide(command, folded.state);
    if (events.length === 0) return { refusal, events, state: folded.state, position: null };
    const recordedAt = now();
    if (isClockSetBack(command, recordedAt) || context.isStillValid?.() === false) throw new DecisionOutdated(null);
    const toAppend = events.map((event) => toEventToAppend(codec.encode(event), context, recordedAt));
    const { revision, position } = await log.append(stream, folded.revision, toAppend, context.basedOn);
    const state = events.reduce(decider.evolve, folded.state);
    if (isWorthCaching(revision) || kept.has(stream)) kept.set(stream, { state, revision });
    return { refusal, events, state, position };
  }

  return {
    state: async (stream) => (kept.get(stream) ?? (await load(stream))).state,

    async execute(stream, command, context) {
      for (let attempts = 1; ; attempts += 1) {
        const folded = kept.get(stream) ?? (attempts === 1 ? begun(command) : undefined) ?? (await load(stream));
        try {
          return await attempt(stream, command, context, folded);
        } catch (error) {
          if (!(error instanceof WrongExpectedRevision) || attempts === MAX_ATTEMPTS) throw error;
          if (kept.get(stream) === folded) kept.delete(stream); // outdated; but the winner may have put its own there
        }
      }
    },
  };
}
