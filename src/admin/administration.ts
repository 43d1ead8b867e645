import type { Role } from '../domain/events.ts';
import type { UserId } from '../domain/values.ts';
import type { CommandContext } from '../eventsourcing/command-handler.ts';
import type { EventLog } from '../eventsourcing/event-log.ts';
import type { Projection } from '../eventsourcing/projector.ts';
import type { Registration } from '../oauth/registration.ts';
import type { Clients } from '../projections/clients.ts';
import type { Group } from '../projections/groups.ts';
import type { User } from '../projections/users.ts';

export interface NewAccount {
  readonly username: string;
  readonly password: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly roles: readonly Role[];
}

/** Accounts as an operator manages them. A problem is one line in words. */
export interface AccountAdministration {
  register(account: NewAccount, context: CommandContext): Promise<{ readonly userId: UserId } | { readonly problem: string }>;
  changePassword(user: User, password: string, context: CommandContext): Promise<{ readonly problem: string } | undefined>;
  disable(user: User, context: CommandContext): Promise<void>;
  enable(user: User, context: CommandContext): Promise<void>;
  /** Destroys what is known of the user; the log's bytes stay as they are. */
  erase(user: User, context: CommandContext): Promise<void>;
}

/** All that the operations need of a service, whether it serves or was opened for one command. */
export interface Administration {
  readonly accounts: AccountAdministration;
  readonly users: { named(username: string): User | undefined; find(userId: UserId): User | undefined; all(): readonly User[] };
  readonly groups: { all(): readonly Group[] };
  /** Undefined when the name is taken. */
  createGroup(name: string, context: CommandContext): Promise<Group | undefined>;
  readonly registration: Registration;
  readonly clients: Pick<Clients, 'find' | 'all'>;
  readonly log: Pick<EventLog, 'readAll' | 'subscribe' | 'head'>;
  /** Digest by projection name, of what this process has in memory, at the log's head. */
  digests(): Readonly<Record<string, string>>;
  /** The same projections with nothing in them yet. */
  emptyProjections(): readonly Projection[];
}
