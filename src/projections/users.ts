import type { EventOf, Role } from '../domain/events.ts';
import { foldedEmail, foldedUserName } from '../domain/user-name.ts';
import type { EpochSeconds, UserId } from '../domain/values.ts';
import type { Position, RecordedEvent, Revision, StreamName } from '../event-store/event-log.ts';
import type { Projection } from '../event-store/projector.ts';
import { handleEvents } from './event-handlers.ts';
import { createImportedHashes } from './imported-hashes.ts';
import { parseEntries, jsonPieces } from './json-pieces.ts';
import { recordedSecond } from '../domain/recorded-second.ts';
import type { PersonalData, Unseal } from './sealed-data.ts';
import { createVerifiedEmails } from './verified-emails.ts';

export interface User extends PersonalData {
  readonly userId: UserId;
  /** The `<pk>` of `/users/<pk>/`. Accounts are numbered from 1 in the order of the log. */
  readonly id: number;
  readonly stream: StreamName;
  /** The revision of the stream. A decision based on the account is outdated once the stream has grown. */
  readonly revision: Revision;
  readonly registeredPosition: Position;
  /** When the user's names, e-mail address or profile last changed. */
  readonly updatedAt: EpochSeconds;
  /** Whether the user has verified the address, and no other account has verified it since. */
  readonly emailVerified: boolean;
  /** The revision at which the address was last entered, changed or verified. */
  readonly emailRevision: Revision;
  readonly active: boolean;
  readonly roles: readonly Role[];
}

/** The accounts, except for erased ones. */
export interface Users extends Projection {
  find(userId: UserId): User | undefined;
  findByName(username: string): User | undefined;
  /** Returns the account with exactly this name or else the only one whose name differs just in case or width. */
  findByNameLike(username: string): User | undefined;
  /** Returns the account that has verified this address, ignoring case. */
  findByVerifiedEmail(address: string): User | undefined;
  /** Reports whether any account has this name, or one that differs only in case or width. */
  hasNameLike(username: string): boolean;
  findByPk(id: number): User | undefined;
  /** Returns at most `limit` accounts with a `<pk>` greater than `after`, in ascending order. */
  page(after: number, limit: number): readonly User[];
  all(): readonly User[];
  size(): number;
  /** Yields the accounts whose name or e-mail address contains `text`, ignoring case and width. */
  search(text: string): Iterable<User>;
  hasAdministrator(): boolean;
  /** Reports whether the account exists and can log in. */
  isActive(userId: UserId): boolean;
  /** Returns the highest iteration count of imported PBKDF2 hashes in use, or 0 if no such hash is in use. */
  maxIterations(): number;
  /** Returns the ids of erased accounts, whose keys must be destroyed. */
  erased(): Iterable<UserId>;
  /** Returns the accounts that have not been erased, but whose data cannot be decrypted. */
  unreadable(): readonly User[];
}

/** An account's encrypted data from one event. `data` is undefined if it cannot be decrypted. */
interface SealedPart {
  readonly sealed: string;
  readonly data: Partial<PersonalData> | undefined;
}

/** An account in a snapshot. Its personal data remains encrypted, as in the events. */
type Entry = { readonly erased: UserId } | (AccountState & { readonly seals: readonly string[] });
type AccountState = Omit<User, keyof PersonalData>;

/** The number of accounts that have ever existed. A snapshot includes it because their numbers are never reused. */
interface AccountCount {
  readonly count: number;
}

const NO_PERSONAL_DATA: PersonalData = {
  username: '',
  email: '',
  firstName: '',
  lastName: '',
  profile: {},
  passwordHash: '',
};

export function createUsers(unseal: Unseal): Users {
  const byPk: (User | undefined)[] = [];
  const byId = new Map<UserId, User>();
  /** By folded name. Old logs may contain several accounts with the same folded name. */
  const byName = new Map<string, readonly UserId[]>();
  const verifiedEmails = createVerifiedEmails();
  const importedHashes = createImportedHashes<UserId>();
  const erasedIds = new Set<UserId>();
  const unreadableIds = new Set<UserId>();
  /** Encrypted data that no later event has replaced, oldest first, for snapshots. */
  const sealedParts = new Map<UserId, readonly SealedPart[]>();
  /** The number of accounts that have ever existed. */
  let count = 0;

  function register({ userId, sealed, roles }: EventOf<'UserRegistered'>['data'], event: RecordedEvent): void {
    const { stream, revision, position: registeredPosition } = event;
    const data = unsealData(userId, sealed);
    add({
      ...NO_PERSONAL_DATA,
      ...data,
      userId,
      id: count + 1,
      stream,
      revision,
      registeredPosition,
      updatedAt: recordedSecond(event),
      emailVerified: false,
      emailRevision: revision,
      active: true,
      roles,
    });
  }

  function add(user: User): void {
    count = user.id;
    byPk[user.id - 1] = user;
    byId.set(user.userId, user);
    importedHashes.set(user.userId, [user.passwordHash]);
    if (user.emailVerified) verifiedEmails.set(user.email, user.userId);
    // The name is unknown if the personal data cannot be decrypted.
    if (user.username !== '') updateNamesakes(user.username, (others) => [...others, user.userId]);
  }

  function lookUp(userId: UserId): readonly User[] {
    const user = byId.get(userId);
    return user === undefined ? [] : [user];
  }

  function updateNamesakes(username: string, update: (others: readonly UserId[]) => readonly UserId[]): void {
    const foldedName = foldedUserName(username);
    const namesakes = update(byName.get(foldedName) ?? []);
    if (namesakes.length === 0) byName.delete(foldedName);
    else byName.set(foldedName, namesakes);
  }

  function unsealData(userId: UserId, sealed: string): Partial<PersonalData> {
    const data = unseal(userId, sealed);
    if (data === undefined) unreadableIds.add(userId);
    sealedParts.set(userId, [
      ...(sealedParts.get(userId) ?? []).filter((part) => !isSuperseded(part.data, data)),
      { sealed, data },
    ]);
    return data ?? {};
  }

  function change(userId: UserId, changes: Partial<User>): void {
    const user = byId.get(userId);
    if (user === undefined) return;
    const changedUser = { ...user, ...changes };
    byId.set(userId, changedUser);
    importedHashes.set(userId, [changedUser.passwordHash]);
    byPk[user.id - 1] = changedUser;
  }

  function verifyEmail({ userId, sealed }: EventOf<'EmailVerified'>['data'], { revision }: RecordedEvent): void {
    change(userId, { revision });
    const user = byId.get(userId);
    const address = unseal(userId, sealed)?.verifiedEmail;
    if (user === undefined || address === undefined || address !== user.email) return;
    const previousHolder = verifiedEmails.find(address);
    if (previousHolder !== undefined) change(previousHolder, { emailVerified: false });
    verifiedEmails.set(address, userId);
    change(userId, { emailVerified: true, emailRevision: revision });
  }

  function erase(userId: UserId): void {
    erasedIds.add(userId);
    unreadableIds.delete(userId);
    sealedParts.delete(userId);
    importedHashes.delete(userId);
    const user = byId.get(userId);
    if (user === undefined) return;
    verifiedEmails.remove(user.email, userId);
    byId.delete(userId);
    byPk[user.id - 1] = undefined; // the number is never reused
    updateNamesakes(user.username, (all) => all.filter((id) => id !== userId));
  }

  function changeData(
    { userId, sealed }: { readonly userId: UserId; readonly sealed: string },
    event: RecordedEvent,
  ): void {
    change(userId, { revision: event.revision, ...unsealData(userId, sealed) });
  }

  function changeProfile(data: EventOf<'UserProfileChanged'>['data'], event: RecordedEvent): void {
    const previousUser = byId.get(data.userId);
    changeData(data, event);
    change(data.userId, { updatedAt: recordedSecond(event) });
    if (previousUser === undefined || byId.get(data.userId)?.email === previousUser.email) return;
    verifiedEmails.remove(previousUser.email, previousUser.userId);
    change(data.userId, { emailVerified: false, emailRevision: event.revision });
  }

  const changeRevision = ({ userId }: { readonly userId: UserId }, { revision }: RecordedEvent): void =>
    change(userId, { revision });

  const handlers = handleEvents<'users'>({
    UserRegistered: register,
    UserProfileChanged: changeProfile,
    PasswordChanged: changeData,
    PasswordRehashed: changeData,
    UserDisabled: ({ userId }, { revision }) => change(userId, { revision, active: false }),
    UserEnabled: ({ userId }, { revision }) => change(userId, { revision, active: true }),
    EmailVerified: verifyEmail,
    UserRolesChanged: ({ userId, roles }, { revision }) => change(userId, { revision, roles }),
    AllSessionsEnded: changeRevision,
    PasskeyAdded: changeRevision,
    PasskeyRemoved: changeRevision,
    TotpAdded: changeRevision,
    TotpRemoved: changeRevision,
    RecoveryCodesGenerated: changeRevision,
    RecoveryCodeUsed: changeRevision,
    SecondFactorsRemoved: changeRevision,
    GroupMemberAdded: changeRevision,
    GroupMemberRemoved: changeRevision,
    UserErased: ({ userId }) => erase(userId),
  });

  return {
    name: 'users',
    find: (userId) => byId.get(userId),
    findByName(username) {
      const namesakes = byName.get(foldedUserName(username)) ?? [];
      return namesakes.map((userId) => byId.get(userId)).find((user) => user?.username === username);
    },
    findByNameLike(username) {
      const namesakes = (byName.get(foldedUserName(username)) ?? []).flatMap(lookUp);
      return (
        namesakes.find((user) => user.username === username) ?? (namesakes.length === 1 ? namesakes[0] : undefined)
      );
    },
    findByVerifiedEmail(address) {
      const userId = verifiedEmails.find(address);
      return userId === undefined ? undefined : byId.get(userId);
    },
    hasNameLike: (username) => byName.has(foldedUserName(username)),
    findByPk: (id) => byPk[id - 1],
    page(after, limit) {
      const users: User[] = [];
      for (let index = after; index < count && users.length < limit; index += 1) {
        const user = byPk[index];
        if (user !== undefined) users.push(user);
      }
      return users;
    },
    all: () => [...byId.values()],
    size: () => byId.size,
    *search(text) {
      const [foldedText, address] = [foldedUserName(text), foldedEmail(text)];
      for (const [name, userIds] of byName)
        for (const user of userIds.flatMap(lookUp))
          if (name.includes(foldedText) || foldedEmail(user.email).includes(address)) yield user;
    },
    hasAdministrator: () => [...byId.values()].some((user) => user.roles.includes('administrator')),
    isActive: (userId) => byId.get(userId)?.active === true,
    maxIterations: importedHashes.maxIterations,
    erased: () => erasedIds,
    unreadable: () => [...unreadableIds].flatMap(lookUp),
    contents: () => byId.values(),
    freeze: () =>
      jsonPieces([
        ...[...erasedIds].map((userId): Entry => ({ erased: userId })),
        ...[...byId.values()].map((user): Entry => {
          const { userId, id, stream, revision, registeredPosition, updatedAt, active, roles } = user;
          const { emailVerified, emailRevision } = user;
          const state = { updatedAt, emailVerified, emailRevision, active, roles };
          const seals = (sealedParts.get(userId) ?? []).map(({ sealed }) => sealed);
          return { userId, id, stream, revision, registeredPosition, ...state, seals };
        }),
        { count } satisfies AccountCount,
      ]),
    restore(piece) {
      for (const entry of parseEntries<Entry | AccountCount>(piece)) {
        if ('erased' in entry) erasedIds.add(entry.erased);
        else if ('count' in entry) count = entry.count;
        else {
          const { seals, ...account } = entry;
          add({
            ...NO_PERSONAL_DATA,
            ...Object.assign({}, ...seals.map((sealed) => unsealData(account.userId, sealed))),
            ...account,
          });
        }
      }
    },
    ...handlers,
  };
}

/**
 * Reports whether `later` replaces all of `earlier`. Data that cannot be decrypted is never replaced, because another
 * server may be able to decrypt it.
 */
function isSuperseded(earlier: Partial<PersonalData> | undefined, later: Partial<PersonalData> | undefined): boolean {
  return earlier !== undefined && later !== undefined && Object.keys(earlier).every((field) => field in later);
}
