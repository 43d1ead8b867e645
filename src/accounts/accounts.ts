import { createHmac, type KeyObject } from 'node:crypto';
import type { Role } from '../domain/events.ts';
import { isLastAdministrator, mayAdminister } from '../domain/roles.ts';
import { userStream } from '../domain/streams.ts';
import { foldedUserName, hasInvisibleCharacter } from '../domain/user-name.ts';
import type { UserCommand, UserEvent, UserRefusal, UserState } from '../domain/user.ts';
import type { UserId } from '../domain/values.ts';
import type { CommandContext, CommandHandler } from '../eventsourcing/command-handler.ts';
import type { StreamName } from '../eventsourcing/event-log.ts';
import type { Entropy, PasswordHasher } from '../ports.ts';
import type { User, Users } from '../projections/users.ts';
import { createSlots } from '../slots.ts';
import { LastAdministrator } from './last-administrator.ts';
import type { Vault } from './personal-data.ts';

export interface NewAccount {
  readonly username: string;
  readonly password: string;
  readonly email?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly roles?: readonly Role[];
}

/** By field: what is wrong and what to do. */
export type AccountErrors = Partial<Record<'username' | 'password' | 'email' | 'first_name' | 'last_name', string>>;

export interface Profile {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
}

export interface Accounts {
  register(account: NewAccount, context: CommandContext): Promise<{ readonly user: User } | { readonly errors: AccountErrors }>;
  /** The active account of this name and password; undefined, after as long a time, when there is none. */
  verify(username: string, password: string): Promise<User | undefined>;
  /** What is already so is no event. */
  changeProfile(user: User, profile: Profile, context: CommandContext): Promise<{ readonly errors: AccountErrors } | undefined>;
  /** Ends every session of the account as well. */
  changePassword(user: User, password: string, context: CommandContext): Promise<{ readonly errors: AccountErrors } | undefined>;
  /** Ends every session of the account, on whatever device; what applications hold stays. */
  signOutEverywhere(user: User, context: CommandContext): Promise<void>;
  /** Their rights change at once, in whatever they are logged in with and in what they lent. @throws LastAdministrator */
  changeRoles(user: User, roles: readonly Role[], context: CommandContext): Promise<void>;
  /** Ends every session, grant and token of the account with one event. @throws LastAdministrator */
  disable(user: User, context: CommandContext): Promise<void>;
  enable(user: User, context: CommandContext): Promise<void>;
  /** Like disabling, for ever; then destroys the key of the account's personal data. @throws LastAdministrator */
  erase(user: User, context: CommandContext): Promise<void>;
}

const MAX_LENGTH = { username: 150, password: 1_024, email: 254, name: 150 } as const;

export function createAccounts(parts: {
  readonly commands: CommandHandler<UserCommand, UserState, UserEvent, UserRefusal>;
  readonly users: Users;
  readonly vault: Vault;
  readonly hasher: PasswordHasher;
  readonly entropy: Entropy;
  readonly mintUserId: () => UserId;
  readonly namesKey: KeyObject;
}): Accounts {
  const { commands, users, vault, hasher, entropy, mintUserId, namesKey } = parts;
  /** Verified against when there is nobody to verify against, so that an unknown name takes as long. */
  const nobodysHash = hasher.hash(entropy.bytes(32).toString('hex'));
  nobodysHash.catch(() => {}); // reported by the log-in that awaits it

  /** By their folded form, until the projection has them. */
  const namesBeingTaken = new Set<string>();
  /** Each looks at all accounts: two at once could take each other for the administrator who stays. */
  const oneAtATime = createSlots(1, { mayWait: Infinity });

  function unlessLastAdministrator({ userId }: User, change: () => Promise<unknown>): Promise<void> {
    return oneAtATime.run(async () => {
      const account = users.find(userId);
      if (account !== undefined && mayAdminister(account.roles) && isLastAdministrator(account, users.all())) throw new LastAdministrator();
      await change();
    });
  }

  function streamOf(username: string): StreamName {
    return userStream(createHmac('sha256', namesKey).update(username).digest('base64url'));
  }

  /**
   * A name has one account because it has one stream. That it has no twin of other case or width either is asked of the
   * accounts there are: older logs may have such, and their streams' names are hashes of the very name.
   */
  function takenProblem(username: string, folded: string): string | undefined {
    if (users.named(username) !== undefined || namesBeingTaken.has(folded)) return USERNAME_TAKEN;
    return users.hasNameLike(username) ? 'A user name that differs only in capital letters or width of its characters already exists.' : undefined;
  }

  return {
    async register(account, context) {
      const username = account.username.normalize('NFKC');
      const { password, email = '', firstName = '', lastName = '', roles = [] } = account;
      const errors = problems({ username, password, email, first_name: firstName, last_name: lastName });
      if (errors !== undefined) return { errors };
      const folded = foldedUserName(username);
      const taken = takenProblem(username, folded);
      if (taken !== undefined) return { errors: { username: taken } };
      namesBeingTaken.add(folded);
      try {
        const userId = mintUserId();
        vault.admit(userId);
        const sealed = vault.seal(userId, { username, email, firstName, lastName, passwordHash: await hasher.hash(password) });
        const { refusal } = await commands.execute(streamOf(username), { type: 'RegisterUser', userId, sealed, roles }, context);
        const user = users.find(userId);
        if (refusal === undefined && user !== undefined) return { user };
        vault.erase(userId);
        return { errors: { username: USERNAME_TAKEN } };
      } finally {
        namesBeingTaken.delete(folded);
      }
    },

    async verify(username, password) {
      const user = users.named(username.normalize('NFKC'));
      if (password.length > MAX_LENGTH.password) return undefined;
      const isRight = await hasher.verify(user?.passwordHash ?? (await nobodysHash), password);
      if (!isRight || user === undefined) return undefined;
      const current = users.find(user.userId); // the account may have changed while the hash was computed
      return current?.active === true && current.passwordHash === user.passwordHash ? current : undefined;
    },

    async changeProfile({ userId, stream }, { email, firstName, lastName }, context) {
      const errors = problems({ email, first_name: firstName, last_name: lastName });
      if (errors !== undefined) return { errors };
      const current = users.find(userId);
      if (current === undefined) return { errors: ACCOUNT_GONE };
      if (current.email === email && current.firstName === firstName && current.lastName === lastName) return undefined;
      const sealed = vault.seal(userId, { email, firstName, lastName });
      const { refusal } = await commands.execute(stream, { type: 'ChangeProfile', userId, sealed }, context);
      return refusal === undefined ? undefined : { errors: ACCOUNT_GONE };
    },

    async changePassword({ userId, stream }, password, context) {
      const problem = passwordProblem(password);
      if (problem !== undefined) return { errors: { password: problem } };
      const passwordHash = await hasher.hash(password);
      if (users.find(userId) === undefined) return { errors: ACCOUNT_GONE }; // erased meanwhile: there is no key to seal with
      const sealed = vault.seal(userId, { passwordHash });
      const { refusal } = await commands.execute(stream, { type: 'ChangePassword', userId, sealed }, context);
      return refusal === undefined ? undefined : { errors: ACCOUNT_GONE };
    },

    async signOutEverywhere({ userId, stream }, context) {
      await commands.execute(stream, { type: 'EndAllSessions', userId }, context);
    },

    async changeRoles(user, roles, context) {
      const change = () => commands.execute(user.stream, { type: 'ChangeRoles', userId: user.userId, roles }, context);
      await (mayAdminister(roles) ? change() : unlessLastAdministrator(user, change));
    },

    async disable(user, context) {
      await unlessLastAdministrator(user, () => commands.execute(user.stream, { type: 'DisableUser', userId: user.userId }, context));
    },

    async enable({ userId, stream }, context) {
      await commands.execute(stream, { type: 'EnableUser', userId }, context);
    },

    async erase(user, context) {
      await unlessLastAdministrator(user, () => commands.execute(user.stream, { type: 'EraseUser', userId: user.userId }, context));
      vault.erase(user.userId);
    },
  };
}

const ACCOUNT_GONE: AccountErrors = { username: 'There is no such account any more.' };
const USERNAME_TAKEN = 'A user with that username already exists.';

const PROBLEM_OF: Readonly<Record<keyof AccountErrors, (value: string) => string | undefined>> = {
  username: usernameProblem, password: passwordProblem, email: emailProblem, first_name: nameProblem, last_name: nameProblem,
};

function problems(fields: Partial<Readonly<Record<keyof AccountErrors, string>>>): AccountErrors | undefined {
  const found = Object.entries(fields).map(([field, value]) => [field, PROBLEM_OF[field as keyof AccountErrors](value)] as const);
  const errors = Object.fromEntries(found.filter(([, problem]) => problem !== undefined)) as AccountErrors;
  return Object.keys(errors).length === 0 ? undefined : errors;
}

function usernameProblem(username: string): string | undefined {
  if (username === '') return 'This field is required.';
  if (username.length > MAX_LENGTH.username) return `Use at most ${MAX_LENGTH.username} characters.`;
  if (/^\s|\s$/u.test(username)) return 'A user name must not begin or end with a space.';
  return hasInvisibleCharacter(username) ? 'This has characters that cannot be seen, such as control characters or marks that turn text around. Type the name anew, without them.' : undefined;
}

function passwordProblem(password: string): string | undefined {
  if (password === '') return 'This field is required.';
  return password.length > MAX_LENGTH.password ? `Use at most ${MAX_LENGTH.password} characters.` : undefined;
}

function emailProblem(email: string): string | undefined {
  if (email === '') return undefined;
  return email.length <= MAX_LENGTH.email && /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(email) ? undefined : 'Enter a valid e-mail address.';
}

function nameProblem(name: string): string | undefined {
  if (name.length > MAX_LENGTH.name) return `Use at most ${MAX_LENGTH.name} characters.`;
  return /[\p{Cc}\p{Cs}]/u.test(name) ? 'A name must not have control characters.' : undefined;
}
