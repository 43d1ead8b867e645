import type { EventOf } from '../domain/events.ts';
import { sessionStream } from '../domain/streams.ts';
import type { ClientId, EpochSeconds, UserId } from '../domain/values.ts';
import type { Position, RecordedEvent, StreamName } from '../event-store/event-log.ts';
import type { Projection } from '../event-store/projector.ts';
import { handleEvents } from './event-handlers.ts';
import { jsonPieces, parseEntries } from './json-pieces.ts';
import { recordedSecond } from '../domain/recorded-second.ts';

/** The code of each kind is its index. */
const ACTIVITY_KINDS = ['login', 'application', 'account'] as const;
export type ActivityKind = (typeof ACTIVITY_KINDS)[number];

/** The position of an event that concerns an account. */
export interface ActivityEntry {
  readonly position: Position;
  readonly kind: ActivityKind;
  /** The position of the consent that was the reason for the login, if any. */
  readonly consentAt?: Position;
}

/** The events that concern each user, so that the activity page does not have to search the whole log. */
export interface UserActivity extends Projection {
  /** Yields at most `MAX_ENTRIES` entries, newest first. */
  listByUser(userId: UserId): Iterable<ActivityEntry>;
  lastLoginAt(userId: UserId): EpochSeconds | undefined;
  registeredAt(userId: UserId): EpochSeconds | undefined;
}

/** Each entry is stored as one number to save memory: its position times `CODE_COUNT`, plus its code. */
const CODE_COUNT = 4;
/** The code of a consent that was the reason for the login in the preceding entry. */
const CONSENT_AFTER_LOGIN = 3;

export const MAX_ENTRIES = 500;
/** Old entries are removed in batches, which is cheaper than removing them one at a time. */
const MAX_BEFORE_REMOVAL = MAX_ENTRIES + 100;

/** A consent this soon after a login, with no other entry in between, counts as the reason for the login. */
const LOGIN_FOR_CONSENT_SECONDS = 600;

interface Account {
  readonly entries: number[];
  registeredAt?: EpochSeconds;
  lastLogin?: { readonly stream: StreamName; readonly at: EpochSeconds };
  asserted?: AssertedAccess;
}

/** The latest access that each application got on one day with a JWT from a trusted issuer. */
interface AssertedAccess {
  readonly day: number;
  readonly newest: (readonly [clientId: ClientId, position: Position])[];
}

const DAY_SECONDS = 86_400;

type Entry = Account & { readonly userId: UserId };

export function createUserActivity(): UserActivity {
  const byUser = new Map<UserId, Account>();

  function add(userId: UserId, code: number, { position }: RecordedEvent): Account {
    const account: Account = byUser.get(userId) ?? { entries: [] };
    byUser.set(userId, account);
    const { entries } = account;
    entries.push(position * CODE_COUNT + code);
    if (entries.length > MAX_BEFORE_REMOVAL) entries.splice(0, entries.length - MAX_ENTRIES);
    return account;
  }

  const addFor =
    (kind: ActivityKind) =>
    ({ userId }: { readonly userId: UserId }, event: RecordedEvent): void =>
      void add(userId, ACTIVITY_KINDS.indexOf(kind), event);
  const addForAccount = addFor('account');
  const addForApplication = addFor('application');

  /** Adds a change to an application to the activity of the user who made it, not to that of the owners. */
  const addForActor = (_data: unknown, event: RecordedEvent): void => {
    const { actor } = event;
    if (actor.kind === 'user') addForApplication({ userId: actor.id as UserId }, event);
  };

  function addConsent({ userId, login }: EventOf<'ConsentGiven'>['data'], event: RecordedEvent): void {
    const account = byUser.get(userId);
    const newestEntry = account?.entries.at(-1);
    const isReasonForLogin =
      newestEntry !== undefined &&
      newestEntry % CODE_COUNT === ACTIVITY_KINDS.indexOf('login') &&
      login !== undefined &&
      login.sessionHash !== null &&
      account?.lastLogin?.stream === sessionStream(login.sessionHash) &&
      recordedSecond(event) - account.lastLogin.at <= LOGIN_FOR_CONSENT_SECONDS;
    if (isReasonForLogin) add(userId, CONSENT_AFTER_LOGIN, event);
    else addForApplication({ userId }, event);
  }

  /**
   * An application may get access many times a day without asking the user. Only its latest access of each day has an
   * entry, so that one application cannot displace all other entries.
   */
  function addAssertedAccess(
    { userId, clientId }: { readonly userId: UserId | null; readonly clientId: ClientId },
    event: RecordedEvent,
  ): void {
    if (userId === null) return;
    const account = add(userId, ACTIVITY_KINDS.indexOf('application'), event);
    const day = Math.floor(recordedSecond(event) / DAY_SECONDS);
    const latestPositions = account.asserted?.day === day ? account.asserted.newest : [];
    const index = latestPositions.findIndex(([id]) => id === clientId);
    const previousPosition = index === -1 ? undefined : latestPositions.splice(index, 1)[0]?.[1];
    if (previousPosition !== undefined)
      remove(account.entries, previousPosition * CODE_COUNT + ACTIVITY_KINDS.indexOf('application'));
    latestPositions.push([clientId, event.position]);
    account.asserted = { day, newest: latestPositions };
  }

  const handlers = handleEvents<'user-activity'>({
    SessionStarted(data, event) {
      const account = add(data.userId, ACTIVITY_KINDS.indexOf('login'), event);
      account.lastLogin = { stream: event.stream, at: recordedSecond(event) };
    },
    ConsentGiven: addConsent,
    AssertionRedeemed: addAssertedAccess,
    TokenExchanged: (data, event) => void ('issuer' in data.parent && addAssertedAccess(data, event)),
    ClientRegistered: addForActor,
    ClientUpdated: addForActor,
    ClientSecretRotated: addForActor,
    ClientRemoved: addForActor,
    ClientDisabled: addForActor,
    ClientEnabled: addForActor,
    ClientMemberAdded: addForApplication,
    ClientMemberRemoved: addForApplication,
    UserRegistered(data, event) {
      const account = add(data.userId, ACTIVITY_KINDS.indexOf('account'), event);
      account.registeredAt = recordedSecond(event);
    },
    UserProfileChanged: addForAccount,
    EmailVerified: addForAccount,
    PasswordChanged: addForAccount,
    UserDisabled: addForAccount,
    UserEnabled: addForAccount,
    UserRolesChanged: addForAccount,
    AllSessionsEnded: addForAccount,
    PasskeyAdded: addForAccount,
    PasskeyRemoved: addForAccount,
    TotpAdded: addForAccount,
    TotpRemoved: addForAccount,
    RecoveryCodesGenerated: addForAccount,
    SecondFactorsRemoved: addForAccount,
    GroupMemberAdded: addForAccount,
    GroupMemberRemoved: addForAccount,
    UpstreamAccountLinked: addForAccount,
    UpstreamAccountUnlinked: addForAccount,
    UserErased: ({ userId }) => void byUser.delete(userId),
  });

  return {
    name: 'user-activity',
    *listByUser(userId) {
      const entries = byUser.get(userId)?.entries ?? [];
      let consentAt: Position | undefined;
      for (let index = entries.length - 1; index >= Math.max(0, entries.length - MAX_ENTRIES); index -= 1) {
        const entry = entries[index] ?? 0;
        const position = Math.floor(entry / CODE_COUNT) as Position;
        const kind = ACTIVITY_KINDS[entry % CODE_COUNT];
        if (kind === undefined) consentAt = position;
        else {
          yield { position, kind, ...(consentAt !== undefined && { consentAt }) };
          consentAt = undefined;
        }
      }
    },
    lastLoginAt: (userId) => byUser.get(userId)?.lastLogin?.at,
    registeredAt: (userId) => byUser.get(userId)?.registeredAt,
    contents: () => byUser.entries(),
    freeze: () =>
      jsonPieces(
        [...byUser].map(([userId, { entries, asserted, ...account }]): Entry => ({
          userId,
          entries: [...entries],
          ...account,
          ...(asserted && { asserted: { ...asserted, newest: [...asserted.newest] } }),
        })),
      ),
    restore(piece) {
      for (const { userId, ...account } of parseEntries<Entry>(piece)) byUser.set(userId, account);
    },

    ...handlers,
  };
}

function remove(entries: number[], entry: number): void {
  const index = entries.lastIndexOf(entry);
  if (index !== -1) entries.splice(index, 1); // otherwise, it was among the old entries that were removed
}
