import { decodeEvent, type EventOf } from '../../domain/events.ts';
import { endsWithSession } from '../../domain/login.ts';
import { CLOCK_STREAM, clientStream, grantStream, sessionStream } from '../../domain/streams.ts';
import { grantIdOfToken } from '../../domain/token-exchange.ts';
import type { GrantId, UserId } from '../../domain/values.ts';
import type { EventLog, Position, RecordedEvent, Revision, StreamName } from '../../event-store/event-log.ts';
import type { Users } from '../../projections/users.ts';
import { isAccountEvent, decodeParties } from './exchange-search.ts';
import { readFirstEvent, isTokenIssuance } from './grant-end.ts';
import { accountDependencies, issuerDependencies, streamOfIssuer } from './issuer-trust.ts';

/** The records of a stream that affect the chain, and the number of its events. */
export interface StreamEvidence {
  readonly count: number;
  readonly records: ReadonlyMap<Revision, RecordedEvent>;
}

/** The streams that affect a chain of exchanges: the streams of its grants, and those whose events can end a grant. */
export interface ChainEvidence {
  /** The first event of each grant in the chain, from the root down to the requested grant. */
  readonly firstEvents: readonly RecordedEvent[];
  readonly streams: ReadonlyMap<StreamName, StreamEvidence>;
  /** Returns the account's events that can end grants, oldest first. */
  accountEvents(userId: UserId): readonly RecordedEvent[];
}

export interface ChainEvidenceDeps {
  readonly log: Pick<EventLog, 'readAll' | 'readStream'>;
  readonly users: Pick<Users, 'find'>;
}

/**
 * Collects the records of a chain, up to and including `upTo`. The stream of a grant or a client has no events after
 * its end, so its last record shows whether it has ended. Collects every record of a session. For an account, an issuer
 * and the clock, collects every record since the grant or chain began, and the record before that, to show that none is
 * missing.
 * @returns undefined if the grant did not exist at `upTo`
 */
export async function collectChain(
  grantId: GrantId,
  upTo: Position,
  { log, users }: ChainEvidenceDeps,
): Promise<ChainEvidence | undefined> {
  const streams = new Map<StreamName, { count: number; records: Map<Revision, RecordedEvent> }>();
  const accounts = new Map<UserId, StreamName>();
  const firstEvents = await readChain(grantId, upTo, log);
  const [root] = firstEvents;
  if (root === undefined) return undefined;

  /**
   * Collects the last event of the stream, and the events that `select` returns. `previous` is undefined for the first
   * event.
   */
  async function collectStream(
    stream: StreamName,
    select: (event: RecordedEvent, previous: RecordedEvent | undefined) => readonly (RecordedEvent | undefined)[],
  ): Promise<void> {
    const evidence = streams.get(stream) ?? { count: 0, records: new Map<Revision, RecordedEvent>() };
    streams.set(stream, evidence);
    let previous: RecordedEvent | undefined;
    for await (const event of readEventsUpTo(stream, upTo, log)) {
      for (const selectedEvent of select(event, previous))
        if (selectedEvent !== undefined) evidence.records.set(selectedEvent.revision, selectedEvent);
      previous = event;
    }
    if (previous === undefined) return;
    evidence.count = previous.revision;
    evidence.records.set(previous.revision, previous);
  }

  async function collectAccount(userId: UserId, start: Position): Promise<void> {
    const stream = users.find(userId)?.stream ?? (await findErasedStream(userId, start, log));
    if (stream === undefined) return;
    accounts.set(userId, stream);
    await collectStream(stream, selectSince(start));
  }

  async function collectSessions({ login }: EventOf<'ConsentGiven'>['data']): Promise<void> {
    let hash = login?.sessionHash ?? undefined;
    while (hash !== undefined && !streams.has(sessionStream(hash))) {
      const stream = sessionStream(hash);
      await collectStream(stream, (event) => [event]);
      const endEvent = [...(streams.get(stream)?.records.values() ?? [])].find(({ type }) => type === 'SessionEnded');
      hash = (endEvent?.data as EventOf<'SessionEnded'>['data'] | undefined)?.continuedBy;
    }
  }

  async function collectGrant(first: RecordedEvent, presentedHashes: readonly string[]): Promise<void> {
    const corrections = [...(streams.get(CLOCK_STREAM)?.records.values() ?? [])];
    /**
     * For each clock correction, the latest issuance before it, which shows whether the correction ended the grant.
     */
    const issuancesBefore = new Map<RecordedEvent, RecordedEvent>();
    /** The latest access token, whose limits also apply to an ID token that is issued after it. */
    let accessToken: RecordedEvent | undefined;
    await collectStream(first.stream, (event) => {
      if (isTokenIssuance(event))
        for (const correction of corrections)
          if (correction.position > event.position) issuancesBefore.set(correction, event);
      if (event.type === 'AccessTokenIssued') accessToken = event;
      const { tokenHash, retired } = event.data as TokenHashes;
      const isPresented = [tokenHash, retired?.tokenHash].some(
        (hash) => hash !== undefined && presentedHashes.includes(hash),
      );
      if (!isPresented) return event.revision <= 2 ? [event] : [];
      return event.type === 'IdTokenIssued' ? [accessToken, event] : [event];
    });
    for (const event of issuancesBefore.values()) streams.get(first.stream)?.records.set(event.revision, event);
    await collectStream(clientStream(decodeParties(first).clientId), () => []);
    const { type, data } = decodeEvent(first);
    for (const userId of accountDependencies(first)) await collectAccount(userId, first.position);
    for (const issuer of issuerDependencies(first))
      await collectStream(streamOfIssuer(issuer), selectSince(first.position));
    if (type === 'ConsentGiven' && endsWithSession(data)) await collectSessions(data);
  }

  const actorGrants = (await Promise.all(firstEvents.map(async (first) => readFirstEventOfActor(first, log)))).filter(
    (first) => first !== undefined,
  );
  await collectStream(
    CLOCK_STREAM,
    selectSince(Math.min(...[...firstEvents, ...actorGrants].map(({ position }) => position)) as Position),
  );
  const presentedHashes = firstEvents.flatMap(presentedTokenHashes);
  for (const first of [...firstEvents, ...actorGrants]) await collectGrant(first, presentedHashes);
  return {
    firstEvents,
    streams,
    accountEvents: (userId) =>
      [...(streams.get(accounts.get(userId) ?? '')?.records.values() ?? [])]
        .filter((event) => isAccountEvent(event) && (event.data as { readonly userId: UserId }).userId === userId)
        .toSorted((a, b) => a.position - b.position),
  };
}

/** The hashes of the tokens that an event issues and retires. */
interface TokenHashes {
  readonly tokenHash?: string;
  readonly retired?: { readonly tokenHash: string };
}

/** Selects every event after the position, and the last event up to the position. */
const selectSince =
  (position: Position) =>
  (event: RecordedEvent, previous: RecordedEvent | undefined): readonly (RecordedEvent | undefined)[] =>
    event.position > position ? [previous, event] : [];

/**
 * Returns the first event of each grant in the chain, from the root down, or an empty list if the grant did not exist
 * at `upTo`.
 */
async function readChain(
  grantId: GrantId,
  upTo: Position,
  log: Pick<EventLog, 'readStream'>,
): Promise<readonly RecordedEvent[]> {
  const firstEvents: RecordedEvent[] = [];
  let id: GrantId | undefined = grantId;
  while (id !== undefined) {
    const first: RecordedEvent | undefined = await readFirstEvent(grantStream(id), log);
    if (first === undefined || first.position > upTo) return [];
    firstEvents.unshift(first);
    const { type, data } = decodeEvent(first);
    id = type === 'TokenExchanged' ? grantIdOfToken(data.parent) : undefined;
  }
  return firstEvents;
}

async function readFirstEventOfActor(
  first: RecordedEvent,
  log: Pick<EventLog, 'readStream'>,
): Promise<RecordedEvent | undefined> {
  const { type, data } = decodeEvent(first);
  const grantId = type === 'TokenExchanged' && data.actor !== undefined ? grantIdOfToken(data.actor) : undefined;
  return grantId && readFirstEvent(grantStream(grantId), log);
}

/** Returns the hashes of the tokens that were presented for an exchange. */
function presentedTokenHashes(first: RecordedEvent): readonly string[] {
  const { type, data } = decodeEvent(first);
  if (type !== 'TokenExchanged') return [];
  return data.actor === undefined ? [data.parent.tokenHash] : [data.parent.tokenHash, data.actor.tokenHash];
}

async function* readEventsUpTo(
  stream: StreamName,
  upTo: Position,
  log: Pick<EventLog, 'readStream'>,
): AsyncGenerator<RecordedEvent, void, void> {
  for await (const events of log.readStream(stream)) {
    for (const event of events) {
      if (event.position > upTo) return;
      yield event;
    }
  }
}

/** Finds the stream of a user who was erased. Searches the log, because no projection contains it. */
async function findErasedStream(
  userId: UserId,
  start: Position,
  log: Pick<EventLog, 'readAll'>,
): Promise<StreamName | undefined> {
  for await (const events of log.readAll(start)) {
    const erasure = events.find(
      ({ type, data }) => type === 'UserErased' && (data as { readonly userId: UserId }).userId === userId,
    );
    if (erasure !== undefined) return erasure.stream;
  }
  return undefined;
}
