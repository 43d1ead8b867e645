import { decodeEvent, type EventOf, type Role } from '../domain/events.ts';
import { unreachable, type UserId } from '../domain/values.ts';
import type { Position, RecordedEvent, StreamName } from '../eventsourcing/event-log.ts';
import type { Projection } from '../eventsourcing/projector.ts';

/** What a user's seals hold between them. */
export interface PersonalData {
  readonly username: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  /** PHC string. */
  readonly passwordHash: string;
}

export interface User extends PersonalData {
  readonly userId: UserId;
  /** The `<pk>` of `/users/<pk>/`: first account 1, second 2, …, as the log has them. */
  readonly id: number;
  readonly stream: StreamName;
  readonly registeredPosition: Position;
  readonly active: boolean;
  readonly roles: readonly Role[];
}

/** Opens a seal; undefined when the user's key is gone. */
export type Unseal = (userId: UserId, sealed: string) => Partial<PersonalData> | undefined;

/** The accounts that are not erased. */
export interface Users extends Projection {
  find(userId: UserId): User | undefined;
  named(username: string): User | undefined;
  /** By `<pk>`. */
  at(id: number): User | undefined;
  /** At most `limit` accounts with a `<pk>` above `after`, in its order. */
  page(after: number, limit: number): readonly User[];
  all(): readonly User[];
  hasAdministrator(): boolean;
  /** Whether the account exists and may log in. */
  isActive(userId: UserId): boolean;
  /** Accounts whose erasure is in the log: their keys must be gone. */
  erased(): Iterable<UserId>;
}

const NOBODY: PersonalData = { username: '', email: '', firstName: '', lastName: '', passwordHash: '' };

export function createUsers(unseal: Unseal): Users {
  const byPk: (User | undefined)[] = [];
  const byId = new Map<UserId, User>();
  const byName = new Map<string, UserId>();
  const erased = new Set<UserId>();

  function register({ stream, position }: RecordedEvent, { userId, sealed, roles }: EventOf<'UserRegistered'>['data']): void {
    const data = { ...NOBODY, ...unseal(userId, sealed) };
    const user: User = { ...data, userId, id: byPk.length + 1, stream, registeredPosition: position, active: true, roles };
    byPk.push(user);
    byId.set(userId, user);
    byName.set(user.username, userId);
  }

  function change(userId: UserId, changes: Partial<User>): void {
    const user = byId.get(userId);
    if (user === undefined) return;
    const changed = { ...user, ...changes };
    byId.set(userId, changed);
    byPk[user.id - 1] = changed;
  }

  function erase(userId: UserId): void {
    erased.add(userId);
    const user = byId.get(userId);
    if (user === undefined) return;
    byId.delete(userId);
    byPk[user.id - 1] = undefined; // the number is not given again
    if (byName.get(user.username) === userId) byName.delete(user.username);
  }

  return {
    name: 'users',
    find: (userId) => byId.get(userId),
    named(username) {
      const userId = byName.get(username);
      return userId === undefined ? undefined : byId.get(userId);
    },
    at: (id) => byPk[id - 1],
    page(after, limit) {
      const found: User[] = [];
      for (let index = after; index < byPk.length && found.length < limit; index += 1) {
        const user = byPk[index];
        if (user !== undefined) found.push(user);
      }
      return found;
    },
    all: () => [...byId.values()],
    hasAdministrator: () => [...byId.values()].some((user) => user.roles.includes('administrator')),
    isActive: (userId) => byId.get(userId)?.active === true,
    erased: () => erased,
    contents: () => byId.values(),

    apply(event) {
      const { type, data } = decodeEvent(event);
      switch (type) {
        case 'UserRegistered': return register(event, data);
        case 'UserProfileChanged': case 'PasswordChanged': return change(data.userId, unseal(data.userId, data.sealed) ?? {});
        case 'UserDisabled': return change(data.userId, { active: false });
        case 'UserEnabled': return change(data.userId, { active: true });
        case 'UserErased': return erase(data.userId);
        case 'ConsentGiven': case 'AuthorizationCodeIssued': case 'AuthorizationCodeRedeemed': case 'AccessTokenIssued':
        case 'RefreshTokenIssued': case 'RefreshTokenRotated': case 'GrantRevoked':
        case 'ClientRegistered': case 'ClientUpdated': case 'ClientSecretRotated': case 'ClientRemoved':
        case 'AllSessionsEnded': case 'SessionStarted': case 'SessionEnded': case 'GroupCreated':
          return;
        default: return unreachable(type);
      }
    },
  };
}
