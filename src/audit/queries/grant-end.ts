import { decodeEvent, type EventOf } from '../../domain/events.ts';
import { authenticationPasskey, endsWithSession } from '../../domain/login.ts';
import { recordedSecond } from '../../domain/recorded-second.ts';
import type { Resources } from '../../domain/resource.ts';
import { CLOCK_STREAM, clientStream, sessionStream } from '../../domain/streams.ts';
import type { ClientId, EpochSeconds, PasskeyId, UserId } from '../../domain/values.ts';
import type { EventLog, Position, RecordedEvent, StreamName } from '../../event-store/event-log.ts';
import { isAccountEvent, decodeParties, type ExchangeSearchResult } from './exchange-search.ts';
import { accountDependencies, issuerDependencies, streamOfIssuer } from './issuer-trust.ts';

export type EndCause =
  | 'revoked'
  | 'client-removed'
  | 'user-disabled'
  | 'user-erased'
  | 'session-ended'
  | 'issuer-removed'
  | 'clock-set-back'
  | 'expired';

/** Why a grant ended, and the event that ended it. */
export interface GrantEnd {
  readonly cause: Exclude<EndCause, 'expired'>;
  /** Null if only the current state shows the end, because the search did not reach the event. */
  readonly event: RecordedEvent | null;
}

export interface GrantEndsDeps {
  readonly log: Pick<EventLog, 'readStream' | 'readStreamBackwards'>;
  /** Later events are ignored. */
  readonly upTo: Position;
  /**
   * Returns the events of a user's account that may end grants, oldest first, or undefined if the account has been
   * erased.
   */
  readonly accountEvents: (userId: UserId) => Promise<ReturnType<ExchangeSearchResult['accountEvents']> | undefined>;
}

export interface GrantTerms {
  /** When its last credential expires, in seconds since the epoch, or null if one does not expire. */
  readonly expiresAt: EpochSeconds | null;
  /** Empty means no limit to resource servers. */
  readonly resources: Resources;
}

export interface GrantEnds {
  /** Returns the first event that ended the grant itself, ignoring the ends of grants that it depends on. */
  findEnd(first: RecordedEvent): Promise<GrantEnd | undefined>;
  /**
   * Returns the event that disabled the client, or undefined if it is enabled. Tokens of a disabled client are refused.
   */
  findDisabling(clientId: ClientId): Promise<RecordedEvent | undefined>;
  /** Returns the limits of a grant that is not an exchange, apart from its scope. */
  readTerms(first: RecordedEvent): Promise<GrantTerms>;
}

/** A grant that has been refreshed for years has more events. Summaries repeat the data of older events. */
const MAX_EVENTS = 100;
/** A new session continues the previous one each time the user logs in again. */
const MAX_CONTINUATIONS = 1_000;

/**
 * Explains the ends of grants from their streams. The latest events of a grant, a client or a session show whether it
 * has ended, so each costs one short read, even in a large log.
 */
export function createGrantEnds({ log, upTo, accountEvents }: GrantEndsDeps): GrantEnds {
  /** A cache, because exchanges share clients, actors and sessions. */
  const closingEvents = new Map<StreamName, Promise<RecordedEvent | undefined>>();
  const isPast = (event: RecordedEvent): boolean => event.position <= upTo;

  /** Returns the event that closed the stream of a grant, a client or a session, or undefined if it is still open. */
  async function findClosingEvent(stream: StreamName): Promise<RecordedEvent | undefined> {
    const pendingRead = closingEvents.get(stream) ?? readClosingEvent(stream, log);
    closingEvents.set(stream, pendingRead);
    const event = await pendingRead;
    return event !== undefined && isPast(event) ? event : undefined;
  }

  async function findAccountEnd(userId: UserId, first: RecordedEvent): Promise<GrantEnd | undefined> {
    const events = await accountEvents(userId);
    if (events === undefined) return { cause: 'user-erased', event: null };
    const event = events.find(
      ({ type, position }) => (type === 'UserDisabled' || type === 'UserErased') && position > first.position,
    );
    return event && { cause: event.type === 'UserErased' ? 'user-erased' : 'user-disabled', event };
  }

  /** Returns the removal of the issuer that ended the grant. Trusting the issuer again does not restore the grant. */
  async function findTrustEnd(issuer: string, first: RecordedEvent): Promise<GrantEnd | undefined> {
    for await (const events of log.readStream(streamOfIssuer(issuer))) {
      const event = events.find(({ type, position }) => type === 'TrustedIssuerRemoved' && position > first.position);
      if (event !== undefined) return isPast(event) ? { cause: 'issuer-removed', event } : undefined;
    }
    return undefined;
  }

  /** Returns the event that ended the session that the user consented in, or a session that continued it. */
  async function findSessionEnd(first: RecordedEvent): Promise<GrantEnd | undefined> {
    const { type, data } = decodeEvent(first);
    if (type !== 'ConsentGiven' || !endsWithSession(data)) return undefined;
    const endingEvents = (await accountEvents(data.userId)) ?? [];
    let [hash, startPosition]: [string, Position] = [data.login.sessionHash, first.position];
    for (let count = 0; count < MAX_CONTINUATIONS; count += 1) {
      const passkey = await findPasskeyAtStart(hash);
      const accountEnd = endingEvents.find((event) => event.position > startPosition && endsSessions(event, passkey));
      const sessionEnd = await findClosingEvent(sessionStream(hash));
      const event = earliestEvent([accountEnd, sessionEnd]);
      if (event === undefined) return undefined;
      const nextHash = event === sessionEnd ? (event.data as EventOf<'SessionEnded'>['data']).continuedBy : undefined;
      if (nextHash === undefined) return { cause: 'session-ended', event };
      [hash, startPosition] = [nextHash, event.position];
    }
    return undefined;
  }

  async function findPasskeyAtStart(sessionHash: string): Promise<PasskeyId | null> {
    const startEvent = await readFirstEvent(sessionStream(sessionHash), log);
    const decodedEvent = startEvent && decodeEvent(startEvent);
    const authentication = decodedEvent?.type === 'SessionStarted' ? decodedEvent.data.authentication : undefined;
    return authentication === undefined ? null : authenticationPasskey(authentication);
  }

  /**
   * Returns the clock correction that ended the grant. If the operator confirms that the clock was ahead, the
   * grants with tokens issued in the meantime have ended.
   */
  async function findClockCorrection(first: RecordedEvent): Promise<GrantEnd | undefined> {
    for await (const events of log.readStream(CLOCK_STREAM)) {
      for (const event of events) {
        const { type, data } = decodeEvent(event);
        if (type !== 'ClockSetBack' || !isPast(event) || event.position < first.position) continue;
        if ((await timeOfLastIssuanceBefore(event, first)) > data.issuedAfter)
          return { cause: 'clock-set-back', event };
      }
    }
    return undefined;
  }

  async function timeOfLastIssuanceBefore({ position }: RecordedEvent, first: RecordedEvent): Promise<number> {
    const lastIssuance = (await readRecentEvents(first)).find(
      (event) => event.position < position && isTokenIssuance(event),
    );
    return Math.max(recordedSecond(first), lastIssuance === undefined ? 0 : recordedSecond(lastIssuance));
  }

  /** Returns the latest events, newest first. */
  async function readRecentEvents({ stream }: RecordedEvent): Promise<readonly RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    for await (const page of log.readStreamBackwards(stream)) {
      events.push(...page.filter(isPast));
      if (events.length >= MAX_EVENTS) break;
    }
    return events;
  }

  return {
    async findEnd(first) {
      const revocation = await findClosingEvent(first.stream);
      const removal = await findClosingEvent(clientStream(decodeParties(first).clientId));
      const ends: readonly (GrantEnd | undefined)[] = [
        revocation && { cause: 'revoked', event: revocation },
        removal && { cause: 'client-removed', event: removal },
        ...(await Promise.all(accountDependencies(first).map((userId) => findAccountEnd(userId, first)))),
        ...(await Promise.all(issuerDependencies(first).map((issuer) => findTrustEnd(issuer, first)))),
        await findSessionEnd(first),
        await findClockCorrection(first),
      ];
      return earliestEnd(ends);
    },

    async findDisabling(clientId) {
      for await (const events of log.readStreamBackwards(clientStream(clientId))) {
        const newestSwitch = events.find((event) => isPast(event) && SWITCH_TYPES.has(event.type));
        if (newestSwitch !== undefined) return newestSwitch.type === 'ClientDisabled' ? newestSwitch : undefined;
      }
      return undefined;
    },

    async readTerms(first) {
      const events = await readRecentEvents(first);
      const expiries = events.map((event) => (event.data as { readonly expiresAt?: EpochSeconds | null }).expiresAt);
      const resourcesEvent = events.find(({ type }) => RESOURCES_TYPES.has(type)) ?? first;
      return {
        expiresAt: expiries.includes(null)
          ? null
          : (Math.max(0, ...expiries.map((expiry) => expiry ?? 0)) as EpochSeconds),
        resources: (resourcesEvent.data as { readonly resource?: Resources }).resource ?? [],
      };
    },
  };
}

/** Returns the earliest end. An end without an event comes last. */
export function earliestEnd<End extends GrantEnd>(ends: readonly (End | undefined)[]): End | undefined {
  return ends
    .filter((end) => end !== undefined)
    .toSorted((a, b) => positionOf(a) - positionOf(b))
    .at(0);
}

function positionOf({ event }: GrantEnd): number {
  return event === null ? Number.MAX_SAFE_INTEGER : event.position;
}

function earliestEvent(events: readonly (RecordedEvent | undefined)[]): RecordedEvent | undefined {
  return events.filter((event) => event !== undefined).toSorted((a, b) => a.position - b.position)[0];
}

function endsSessions(event: RecordedEvent, passkey: PasskeyId | null): boolean {
  const { type, data } = decodeEvent(event);
  return type === 'PasskeyRemoved' ? data.passkeyId === passkey : isAccountEvent(event);
}

export function isTokenIssuance({ type }: RecordedEvent): boolean {
  return type === 'AccessTokenIssued' || type === 'RefreshTokenIssued' || type === 'RefreshTokenRotated';
}

/** Returns the first event of a stream, or undefined if the stream is empty. */
export async function readFirstEvent(
  stream: StreamName,
  log: Pick<EventLog, 'readStream'>,
): Promise<RecordedEvent | undefined> {
  for await (const [first] of log.readStream(stream)) return first;
  return undefined;
}

/** The types of events that contain the resource servers of the whole grant. A token may be for fewer. */
const RESOURCES_TYPES: ReadonlySet<string> = new Set([
  'AuthorizationCodeIssued',
  'DeviceAuthorized',
  'RefreshTokenIssued',
  'GrantSummarized',
]);

const CLOSING_TYPES: ReadonlySet<string> = new Set(['GrantRevoked', 'ClientRemoved', 'SessionEnded']);

const SWITCH_TYPES: ReadonlySet<string> = new Set(['ClientDisabled', 'ClientEnabled']);

/** After `SessionEnded`, only events about logout tokens follow. After the other closing events, no events follow. */
async function readClosingEvent(
  stream: StreamName,
  log: Pick<EventLog, 'readStreamBackwards'>,
): Promise<RecordedEvent | undefined> {
  for await (const events of log.readStreamBackwards(stream)) {
    const newestEvent = events.find(({ type }) => !type.startsWith('LogoutDeliver'));
    if (newestEvent === undefined) continue;
    return CLOSING_TYPES.has(newestEvent.type) ? newestEvent : undefined;
  }
  return undefined;
}
