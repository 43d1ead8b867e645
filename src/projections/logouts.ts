import type { EventOf, LogoutFailureReason } from '../domain/events.ts';
import type { ClientId, EpochSeconds, PasskeyId, UserId } from '../domain/values.ts';
import type { Position, RecordedEvent } from '../event-store/event-log.ts';
import type { Projection } from '../event-store/projector.ts';
import { clientIdOf } from './clients.ts';
import { handleEvents } from './event-handlers.ts';
import { createExpiryBuckets } from './expiry-buckets.ts';
import { parseEntries, jsonPieces } from './json-pieces.ts';
import { recordedSecond } from '../domain/recorded-second.ts';
import { EXPIRY_MARGIN_SECONDS, sessionHashOf, sessionPasskey, type OpenSession } from './sessions.ts';

/** A client that must be told that a session has ended. */
export interface PendingLogout {
  readonly clientId: ClientId;
  readonly userId: UserId;
  /** The session in which the user authorized the client. The `sid` is derived from it. */
  readonly sessionHash: string;
  readonly endedAt: EpochSeconds;
  /** The position of the event that ended the session. */
  readonly position: Position;
}

/** The outcome of the delivery of a logout token. */
export interface LogoutOutcome {
  readonly sessionHash: string;
  /** Null if the token was delivered. */
  readonly reason: LogoutFailureReason | null;
  /** The HTTP status if it is the reason, otherwise null. */
  readonly status: number | null;
  readonly attempts: number;
  readonly at: EpochSeconds;
  readonly position: Position;
}

/** `delivered` and `failed` are totals since the start of the log. */
export interface LogoutCounts {
  readonly pending: number;
  readonly delivered: number;
  readonly failed: number;
}

/** The pending logout tokens, and the outcomes of the latest deliveries (OpenID Connect Back-Channel Logout). */
export interface Logouts extends Projection {
  /** Returns the pending logouts in the order the sessions ended. */
  pending(): Iterable<PendingLogout>;
  isPending(logout: Pick<PendingLogout, 'clientId' | 'sessionHash'>): boolean;
  pendingOf(clientId: ClientId): readonly PendingLogout[];
  /** Returns the latest outcomes for the client, newest first, at most `MAX_OUTCOMES`. */
  outcomesOf(clientId: ClientId): readonly LogoutOutcome[];
  counts(): LogoutCounts;
}

/** Lookups in other projections, which must receive each event before this projection does. */
export interface LogoutSources {
  /** Returns the session, unless it has ended. Also finds it for a few minutes after its expiry. */
  readonly findStarted: (sessionHash: string) => OpenSession | undefined;
  /** Returns the client's logout URI, null if it gets no logout tokens, or undefined if it is not registered. */
  readonly logoutUriOf: (clientId: ClientId) => string | null | undefined;
}

/** A session with the clients that were authorized in it, or in a session that it continues. */
interface Session {
  readonly userId: UserId;
  readonly passkeyId: PasskeyId | null;
  readonly startedAt: number;
  readonly expiresAt: EpochSeconds;
  readonly clients: readonly AuthorizedClient[];
}

interface AuthorizedClient {
  readonly clientId: ClientId;
  /** The session in which the user authorized the client. */
  readonly sessionHash: string;
}

type Entry =
  | { readonly hash: string; readonly session: Session }
  | { readonly pending: PendingLogout }
  | { readonly clientId: ClientId; readonly outcomes: readonly LogoutOutcome[] }
  | { readonly delivered: number; readonly failed: number };

/** Enough for the application page. */
const MAX_OUTCOMES = 20;

export function createLogouts({ findStarted, logoutUriOf }: LogoutSources): Logouts {
  const sessions = new Map<string, Session>();
  const byUser = new Map<UserId, Set<string>>();
  const pending = new Map<string, PendingLogout>();
  const outcomes = new Map<ClientId, readonly LogoutOutcome[]>();
  const expiry = createExpiryBuckets<string>();
  const outcomeCounts = { delivered: 0, failed: 0 };

  function add(hash: string, session: Session): void {
    if (!sessions.has(hash)) expiry.add(hash, session.expiresAt);
    sessions.set(hash, session);
    byUser.set(session.userId, (byUser.get(session.userId) ?? new Set()).add(hash));
  }

  function addClients(hash: string, newClients: readonly AuthorizedClient[]): void {
    const session = findStarted(hash);
    if (session === undefined) return;
    const { userId, startedAt, expiresAt } = session;
    const passkeyId = sessionPasskey(session);
    const existingClients = sessions.get(hash)?.clients ?? [];
    const clients = [
      ...existingClients,
      ...newClients.filter((client) => !existingClients.some((existing) => logoutKey(existing) === logoutKey(client))),
    ];
    add(hash, { userId, passkeyId, startedAt, expiresAt, clients });
  }

  function addAuthorizedClient({ clientId, scope, login }: EventOf<'ConsentGiven'>['data']): void {
    if (login === undefined || login.sessionHash === null || !scope.includes('openid')) return;
    addClients(login.sessionHash, [{ clientId, sessionHash: login.sessionHash }]);
  }

  function forget(hash: string): Session | undefined {
    const session = sessions.get(hash);
    if (session === undefined) return undefined;
    sessions.delete(hash);
    const hashes = byUser.get(session.userId);
    hashes?.delete(hash);
    if (hashes?.size === 0) byUser.delete(session.userId);
    return session;
  }

  function end(hash: string, event: RecordedEvent): void {
    const session = forget(hash);
    for (const { clientId, sessionHash } of session?.clients ?? []) {
      if (session === undefined || typeof logoutUriOf(clientId) !== 'string') continue;
      const { userId } = session;
      const logout = { clientId, userId, sessionHash, endedAt: recordedSecond(event), position: event.position };
      pending.set(logoutKey(logout), logout);
    }
  }

  function endSession({ continuedBy }: EventOf<'SessionEnded'>['data'], event: RecordedEvent): void {
    const hash = sessionHashOf(event);
    if (continuedBy === undefined || findStarted(continuedBy) === undefined) end(hash, event);
    else addClients(continuedBy, forget(hash)?.clients ?? []);
  }

  function endSessionsOfUser(
    userId: UserId,
    event: RecordedEvent,
    shouldEnd: (session: Session) => boolean = () => true,
  ): void {
    for (const hash of byUser.get(userId) ?? []) {
      const session = sessions.get(hash);
      if (session !== undefined && shouldEnd(session)) end(hash, event);
    }
  }

  const endAllSessions = ({ userId }: { readonly userId: UserId }, event: RecordedEvent): void =>
    endSessionsOfUser(userId, event);

  function recordOutcome(
    { clientId, attempts }: EventOf<'LogoutDelivered'>['data'],
    { reason, status }: Pick<LogoutOutcome, 'reason' | 'status'>,
    event: RecordedEvent,
  ): void {
    const sessionHash = sessionHashOf(event);
    pending.delete(logoutKey({ clientId, sessionHash }));
    outcomeCounts[reason === null ? 'delivered' : 'failed'] += 1;
    if (logoutUriOf(clientId) === undefined) return;
    const { position } = event;
    const outcome = { sessionHash, reason, status, attempts, at: recordedSecond(event), position };
    outcomes.set(clientId, [outcome, ...(outcomes.get(clientId) ?? [])].slice(0, MAX_OUTCOMES));
  }

  const handlers = handleEvents<'logouts'>({
    ConsentGiven: addAuthorizedClient,
    SessionEnded: endSession,
    AllSessionsEnded: endAllSessions,
    PasswordChanged: endAllSessions,
    UserDisabled: endAllSessions,
    UserErased: endAllSessions,
    PasskeyRemoved: ({ userId, passkeyId }, event) =>
      endSessionsOfUser(userId, event, (session) => session.passkeyId === passkeyId),
    ClockSetBack({ issuedAfter }, event) {
      for (const [hash, { startedAt }] of sessions) if (startedAt > issuedAfter) end(hash, event);
    },
    ClientRemoved: (_data, event) => void outcomes.delete(clientIdOf(event) as ClientId),
    LogoutDelivered: (data, event) => recordOutcome(data, { reason: null, status: null }, event),
    LogoutDeliveryFailed: (data, event) =>
      recordOutcome(data, { reason: data.reason, status: data.status ?? null }, event),
  });

  return {
    name: 'logouts',
    pending: () => pending.values(),
    isPending: (logout) => pending.has(logoutKey(logout)),
    pendingOf: (clientId) => [...pending.values()].filter((logout) => logout.clientId === clientId),
    outcomesOf: (clientId) => outcomes.get(clientId) ?? [],
    counts: () => ({ pending: pending.size, ...outcomeCounts }),
    *contents() {
      yield* sessions;
      yield* pending.values();
      yield* outcomes;
      yield outcomeCounts;
    },
    freeze: () =>
      jsonPieces([
        ...[...sessions].map(([hash, session]): Entry => ({ hash, session })),
        ...[...pending.values()].map((logout): Entry => ({ pending: logout })),
        ...[...outcomes].map(([clientId, latestOutcomes]): Entry => ({ clientId, outcomes: latestOutcomes })),
        { ...outcomeCounts },
      ]),
    restore(piece) {
      for (const entry of parseEntries<Entry>(piece)) {
        if ('hash' in entry) add(entry.hash, entry.session);
        else if ('pending' in entry) pending.set(logoutKey(entry.pending), entry.pending);
        else if ('outcomes' in entry) outcomes.set(entry.clientId, entry.outcomes);
        else Object.assign(outcomeCounts, entry);
      }
    },

    apply(event) {
      expiry.expire(event.recordedAt / 1000 - EXPIRY_MARGIN_SECONDS, forget);
      handlers.apply(event);
    },
  };
}

function logoutKey({ clientId, sessionHash }: AuthorizedClient): string {
  return `${sessionHash} ${clientId}`;
}
