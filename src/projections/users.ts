import { decodeEvent, type EventOf, type Role } from '../domain/events.ts';
import { foldedUserName } from '../domain/user-name.ts';
import { unreachable, type UserId } from '../domain/values.ts';
import type { Position, RecordedEvent, Revision, StreamName } from '../event-store/event-log.ts';
import type { Projection } from '../event-store/projector.ts';
import { createImportedHashes } from './imported-hashes.ts';
import { parseEntries, jsonPieces } from './json-pieces.ts';
import type { PersonalData, Unseal } from './sealed-data.ts';

export interface User extends PersonalData {
  readonly userId: UserId;
  /** The `<pk>` of `/users/<pk>/`: first account 1, second 2, …, as the log has them. */
  readonly id: number;
  readonly stream: StreamName;
  /** Where the stream stands, for decisions that hold only while nothing happens to the account. */
  readonly revision: Revision;
  readonly registeredPosition: Position;
  readonly active: boolean;
  readonly roles: readonly Role[];
}

/** The accounts that are not erased. */
export interface Users extends Projection {
  find(userId: UserId): User | undefined;
  findByName(username: string): User | undefined;
  /** Whether any account's name differs from this one in case or width at most. */
  hasNameLike(username: string): boolean;
  /** By `<pk>`. */
  findByPk(id: number): User | undefined;
  /** At most `limit` accounts with a `<pk>` above `after`, in its order. */
  page(after: number, limit: number): readonly User[];
  all(): readonly User[];
  size(): number;
  /** Those whose name has `text` in it, in whatever case and width; everybody when it is empty. */
  search(text: string): Iterable<User>;
  hasAdministrator(): boolean;
  /** Whether the account exists and may log in. */
  isActive(userId: UserId): boolean;
  /** Of the costliest PBKDF2 hash that came with an account and is its password's still; 0 when there is none. */
  maxIterations(): number;
  /** Accounts whose erasure is in the log: their keys must be gone. */
  erased(): Iterable<UserId>;
  /** Accounts that are not erased but whose data cannot be opened. */
  unreadable(): readonly User[];
}

/** One seal of an account and what it said; undefined when its key was gone already. */
interface OpenedSeal {
  readonly sealed: string;
  readonly data: Partial<PersonalData> | undefined;
}

/** An account as a snapshot has it: its personal data sealed as the events had it. */
type Entry = { readonly erased: UserId } | (UnsealedAccount & { readonly seals: readonly string[] });
type UnsealedAccount = Pick<User, 'userId' | 'id' | 'stream' | 'revision' | 'registeredPosition' | 'active' | 'roles'>;

/** Numbers are not given again, also where the last account was erased. */
interface AccountCount {
  readonly count: number;
}

const NO_PERSONAL_DATA: PersonalData = { username: '', email: '', firstName: '', lastName: '', passwordHash: '' };

export function createUsers(unseal: Unseal): Users {
  const byPk: (User | undefined)[] = [];
  const byId = new Map<UserId, User>();
  /** By the folded name, for old logs can have several of it. */
  const byName = new Map<string, readonly UserId[]>();
  const brought = createImportedHashes<UserId>();
  const erased = new Set<UserId>();
  const unreadable = new Set<UserId>();
  /** The seals that still say something, oldest first: for snapshots, which must not say it in the clear. */
  const seals = new Map<UserId, readonly OpenedSeal[]>();
  /** How many accounts there ever were. */
  let count = 0;

  function register(event: RecordedEvent, { userId, sealed, roles }: EventOf<'UserRegistered'>['data']): void {
    const { stream, revision, position: registeredPosition } = event;
    const data = open(userId, sealed);
    add({
      ...NO_PERSONAL_DATA,
      ...data,
      userId,
      id: count + 1,
      stream,
      revision,
      registeredPosition,
      active: true,
      roles,
    });
  }

  function add(user: User): void {
    count = user.id;
    byPk[user.id - 1] = user;
    byId.set(user.userId, user);
    brought.set(user.userId, [user.passwordHash]);
    if (user.username !== '') setNamesakes(user.username, (others) => [...others, user.userId]); // nobody can tell any more what an erased one was called
  }

  function find(userId: UserId): readonly User[] {
    const user = byId.get(userId);
    return user === undefined ? [] : [user];
  }

  function setNamesakes(username: string, changed: (others: readonly UserId[]) => readonly UserId[]): void {
    const folded = foldedUserName(username);
    const left = changed(byName.get(folded) ?? []);
    if (left.length === 0) byName.delete(folded);
    else byName.set(folded, left);
  }

  function open(userId: UserId, sealed: string): Partial<PersonalData> {
    const data = unseal(userId, sealed);
    if (data === undefined) unreadable.add(userId);
    seals.set(userId, [
      ...(seals.get(userId) ?? []).filter((earlier) => !isSuperseded(earlier.data, data)),
      { sealed, data },
    ]);
    return data ?? {};
  }

  function change(userId: UserId, changes: Partial<User>): void {
    const user = byId.get(userId);
    if (user === undefined) return;
    const changed = { ...user, ...changes };
    byId.set(userId, changed);
    brought.set(userId, [changed.passwordHash]);
    byPk[user.id - 1] = changed;
  }

  function erase(userId: UserId): void {
    erased.add(userId);
    unreadable.delete(userId);
    seals.delete(userId);
    brought.delete(userId);
    const user = byId.get(userId);
    if (user === undefined) return;
    byId.delete(userId);
    byPk[user.id - 1] = undefined; // the number is not given again
    setNamesakes(user.username, (all) => all.filter((one) => one !== userId));
  }

  return {
    name: 'users',
    find: (userId) => byId.get(userId),
    findByName(username) {
      const namesakes = byName.get(foldedUserName(username)) ?? [];
      return namesakes.map((userId) => byId.get(userId)).find((user) => user?.username === username);
    },
    hasNameLike: (username) => byName.has(foldedUserName(username)),
    findByPk: (id) => byPk[id - 1],
    page(after, limit) {
      const found: User[] = [];
      for (let index = after; index < count && found.length < limit; index += 1) {
        const user = byPk[index];
        if (user !== undefined) found.push(user);
      }
      return found;
    },
    all: () => [...byId.values()],
    size: () => byId.size,
    *search(text) {
      const wanted = foldedUserName(text);
      for (const [name, userIds] of byName) {
        if (name.includes(wanted)) yield* userIds.flatMap(find);
      }
    },
    hasAdministrator: () => [...byId.values()].some((user) => user.roles.includes('administrator')),
    isActive: (userId) => byId.get(userId)?.active === true,
    maxIterations: brought.maxIterations,
    erased: () => erased,
    unreadable: () => [...unreadable].flatMap(find),
    contents: () => byId.values(),
    freeze: () =>
      jsonPieces([
        ...[...erased].map((userId): Entry => ({ erased: userId })),
        ...[...byId.values()].map(({ userId, id, stream, revision, registeredPosition, active, roles }): Entry => {
          const sealed = (seals.get(userId) ?? []).map((seal) => seal.sealed);
          return { userId, id, stream, revision, registeredPosition, active, roles, seals: sealed };
        }),
        { count } satisfies AccountCount,
      ]),
    restore(piece) {
      for (const entry of parseEntries<Entry | AccountCount>(piece)) {
        if ('erased' in entry) erased.add(entry.erased);
        else if ('count' in entry) count = entry.count;
        else {
          const { seals: sealed, ...account } = entry;
          add({
            ...NO_PERSONAL_DATA,
            ...Object.assign({}, ...sealed.map((seal) => open(account.userId, seal))),
            ...account,
          });
        }
      }
    },

    apply(event) {
      const { type, data } = decodeEvent(event);
      const { revision } = event;
      switch (type) {
        case 'UserRegistered':
          return register(event, data);
        case 'UserProfileChanged':
        case 'PasswordChanged':
        case 'PasswordRehashed':
          return change(data.userId, { revision, ...open(data.userId, data.sealed) });
        case 'UserDisabled':
          return change(data.userId, { revision, active: false });
        case 'UserEnabled':
          return change(data.userId, { revision, active: true });
        case 'UserRolesChanged':
          return change(data.userId, { revision, roles: data.roles });
        case 'AllSessionsEnded':
        case 'PasskeyAdded':
        case 'PasskeyRemoved':
          return change(data.userId, { revision });
        case 'UserErased':
          return erase(data.userId);
        case 'ConsentGiven':
        case 'AuthorizationCodeIssued':
        case 'AuthorizationCodeRedeemed':
        case 'AccessTokenIssued':
        case 'RefreshTokenIssued':
        case 'RefreshTokenRotated':
        case 'GrantSummarized':
        case 'GrantRevoked':
        case 'ClientRegistered':
        case 'ClientUpdated':
        case 'ClientSecretRotated':
        case 'ClientSecretRehashed':
        case 'ClientRemoved':
        case 'SessionStarted':
        case 'SessionEnded':
        case 'GroupCreated':
        case 'ClockSetBack':
          return;
        default:
          return unreachable(type);
      }
    },
  };
}

/** Whether all that `earlier` says is said anew. What cannot be opened any more is kept: it may be opened elsewhere. */
function isSuperseded(earlier: Partial<PersonalData> | undefined, later: Partial<PersonalData> | undefined): boolean {
  return earlier !== undefined && later !== undefined && Object.keys(earlier).every((field) => field in later);
}
