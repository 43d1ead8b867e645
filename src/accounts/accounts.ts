import { createHmac, type KeyObject } from 'node:crypto';
import type { Role } from '../domain/events.ts';
import { mayAdminister } from '../domain/roles.ts';
import { userStream } from '../domain/streams.ts';
import { parsePbkdf2 } from '../domain/password-hashes.ts';
import { foldedUserName, normalUserName } from '../domain/user-name.ts';
import type { UserCommand, UserEvent, UserRefusal, UserState } from '../domain/user.ts';
import type { UserId } from '../domain/values.ts';
import type { ConstantWorkVerifier } from './constant-work-verifier.ts';
import type { CommandContext, CommandHandler } from '../event-store/command-handler.ts';
import { DecisionOutdated, type Position, type StreamName } from '../event-store/event-log.ts';
import { callerFromActor, knownUser } from '../platform/hashing/hash-caller.ts';
import { unlessOverloaded } from '../platform/hashing/hashing-overloaded.ts';
import { KeyStillStored } from '../platform/keys/key-removal.ts';
import type { PasswordHashing } from '../platform/hashing/password-hashing.ts';
import type { PasswordHasher } from '../platform/ports.ts';
import type { User, Users } from '../projections/users.ts';
import { accountProblems, isPasswordTooLong, type AccountErrors } from './account-problems.ts';
import type { AuthenticatedUser } from './authenticated-user.ts';
import { createAdministratorGuard } from './keep-an-administrator.ts';
import type { Vault } from './personal-data.ts';

interface AccountDetails {
  readonly username: string;
  readonly email?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly roles?: readonly Role[];
}

export interface NewAccount extends AccountDetails {
  readonly password: string;
}

/** An account that somebody has on another server. */
export interface ImportedAccount extends AccountDetails {
  /** The hash is as `broughtHash` gives it; null: nobody can log in with a password until one is set. */
  readonly password: { readonly clear: string } | { readonly hash: string | null };
  readonly active: boolean;
}

export interface Profile {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
}

type RegistrationResult = { readonly user: User } | { readonly errors: AccountErrors };

export interface Accounts {
  /** What is wrong with it, all at once, as far as it can be seen before it is made. */
  validate(account: NewAccount): AccountErrors | undefined;
  /** @param hasher hashes the password in a turn of whoever asked for the account; by default in one of the actor's */
  register(
    account: NewAccount,
    context: CommandContext,
    hasher?: Pick<PasswordHasher, 'hash'>,
  ): Promise<RegistrationResult>;
  /** What `bring` would refuse. */
  importProblems(
    account: Pick<ImportedAccount, 'username' | 'email' | 'firstName' | 'lastName'>,
  ): AccountErrors | undefined;
  /** Like `register`; a password that comes as a hash is given one of our own by its first use. */
  importAccount(account: ImportedAccount, context: CommandContext): Promise<RegistrationResult>;
  /**
   * The active account of this name and password; undefined, after as long a time, when there is none.
   * @param hasher verifies the password in the turns of whoever sent it
   */
  verify(
    username: string,
    password: string,
    hasher: Pick<PasswordHasher, 'verify'>,
  ): Promise<AuthenticatedUser | undefined>;
  /** What is already so is no event. */
  changeProfile(
    user: User,
    profile: Profile,
    context: CommandContext,
  ): Promise<{ readonly errors: AccountErrors } | undefined>;
  /** Ends every session of the account, too. @param hasher as for `register` @returns where in the log it changed */
  changePassword(
    user: User,
    password: string,
    context: CommandContext,
    hasher?: Pick<PasswordHasher, 'hash'>,
  ): Promise<{ readonly errors: AccountErrors } | { readonly position: Position }>;
  /** Ends every session of the account, on whatever device; what applications hold stays. */
  signOutEverywhere(user: User, context: CommandContext): Promise<void>;
  /** Their rights change at once, in whatever they are logged in with and in what they lent. @throws LastAdministrator */
  changeRoles(user: User, roles: readonly Role[], context: CommandContext): Promise<void>;
  /** Ends every session, grant and token of the account with one event. @throws LastAdministrator */
  disable(user: User, context: CommandContext): Promise<void>;
  enable(user: User, context: CommandContext): Promise<void>;
  /**
   * Like disabling, for ever; then destroys the key of the account's personal data.
   * @throws LastAdministrator
   * @throws KeyStillStored the account is erased, and its key will be destroyed once the disk can be written
   */
  erase(user: User, context: CommandContext): Promise<void>;
}

export function createAccounts(parts: {
  readonly commands: CommandHandler<UserCommand, UserState, UserEvent, UserRefusal>;
  readonly users: Users;
  readonly vault: Vault;
  readonly hashing: PasswordHashing;
  readonly verifier: ConstantWorkVerifier;
  /** Up to where the log is known. */
  readonly position: () => Position;
  readonly mintUserId: () => UserId;
  readonly namesKey: KeyObject;
}): Accounts {
  const { commands, users, vault, hashing, verifier, position, mintUserId, namesKey } = parts;
  const keepAnAdministrator = createAdministratorGuard({ commands, users });

  /** Names that differ in case or width alone share a stream, so that an append decides which account gets the name. */
  function streamOf(username: string): StreamName {
    return userStream(createHmac('sha256', namesKey).update(foldedUserName(username)).digest('base64url'));
  }

  /** Earlier releases named the stream after the exact name, so the projection is asked for similar names as well. */
  function takenProblem(username: string): string | undefined {
    if (users.findByName(username) !== undefined) return USERNAME_TAKEN;
    return users.hasNameLike(username) ? SIMILAR_NAME_TAKEN : undefined;
  }

  function personProblems({
    username,
    email = '',
    firstName = '',
    lastName = '',
  }: AccountDetails): AccountErrors | undefined {
    const errors = accountProblems({ username, email, first_name: firstName, last_name: lastName });
    const taken = errors?.username === undefined ? takenProblem(username) : undefined;
    return taken === undefined ? errors : { ...errors, username: taken };
  }

  function check({ password, ...person }: NewAccount): AccountErrors | undefined {
    const errors = {
      ...personProblems({ ...person, username: normalUserName(person.username) }),
      ...accountProblems({ password }),
    };
    return Object.keys(errors).length > 0 ? errors : undefined;
  }

  /** @param hashed how the password is kept; asked for once nothing else speaks against the account */
  async function admit(
    person: AccountDetails,
    active: boolean,
    hashed: () => Promise<string>,
    context: CommandContext,
  ): Promise<RegistrationResult> {
    const errors = personProblems(person);
    if (errors !== undefined) return { errors };
    const { username, email = '', firstName = '', lastName = '', roles = [] } = person;
    const passwordHash = await hashed();
    const userId = mintUserId();
    vault.createKey(userId);
    const sealed = vault.seal(userId, { username, email, firstName, lastName, passwordHash });
    const command = { type: 'RegisterUser', userId, sealed, roles, active } as const;
    const { refusal } = await commands.execute(streamOf(username), command, context).catch((error: unknown) => {
      if (error instanceof DecisionOutdated) vault.erase(userId); // after any other error the account may be stored
      throw error;
    });
    const user = users.find(userId);
    if (refusal === undefined && user !== undefined) return { user };
    vault.erase(userId);
    return { errors: { username: USERNAME_TAKEN } };
  }

  /** Keeps a password that was imported as a PBKDF2 hash under a hash of our own, if there is time for one. */
  async function rehash({ userId, stream, passwordHash }: User, password: string): Promise<void> {
    if (parsePbkdf2(passwordHash) === undefined) return;
    const better = await hashing.hasherFor(knownUser(userId)).hash(password).catch(unlessOverloaded);
    // Changed meanwhile, or erased: then there is no key to seal with.
    if (better === undefined || users.find(userId)?.passwordHash !== passwordHash) return;
    await commands.execute(
      stream,
      { type: 'RehashPassword', userId, sealed: vault.seal(userId, { passwordHash: better }) },
      BY_SERVER,
    );
  }

  async function verify(
    username: string,
    password: string,
    hasher: Pick<PasswordHasher, 'verify'>,
  ): Promise<AuthenticatedUser | undefined> {
    const user = users.findByName(normalUserName(username));
    const checkedAsOf = position();
    if (isPasswordTooLong(password)) return undefined;
    // What is right for an account that may not log in is as wrong as any other, and takes as long.
    const hash = user?.active === true ? user.passwordHash : undefined;
    const isRight = await verifier.verify(hash, password, hasher);
    if (!isRight || user === undefined) return undefined;
    await rehash(user, password);
    const current = users.find(user.userId); // the account may have changed while the hash was computed
    if (current?.active !== true) return undefined;
    if (current.passwordHash === user.passwordHash) {
      return { user: current, check: { method: 'password', checkedAsOf } };
    }
    // Either this log-in gave the password its better hash or another did, or else it is a new password.
    return parsePbkdf2(user.passwordHash) === undefined ? undefined : verify(username, password, hasher);
  }

  return {
    validate: check,

    async register(account, context, hasher = hashing.hasherFor(callerFromActor(context.actor))) {
      const errors = check(account);
      if (errors !== undefined) return { errors };
      const { password, ...person } = account;
      const username = normalUserName(person.username);
      return admit({ ...person, username }, true, () => hasher.hash(password), context);
    },

    importProblems: (account) => personProblems({ ...account, username: normalUserName(account.username) }),

    async importAccount({ password, active, ...person }, context) {
      const hasher = hashing.hasherFor(callerFromActor(context.actor));
      const hashed = async (): Promise<string> =>
        'clear' in password ? hasher.hash(password.clear) : (password.hash ?? NO_PASSWORD);
      return admit({ ...person, username: normalUserName(person.username) }, active, hashed, context);
    },

    verify,

    async changeProfile({ userId, stream }, { email, firstName, lastName }, context) {
      const errors = accountProblems({ email, first_name: firstName, last_name: lastName });
      if (errors !== undefined) return { errors };
      const current = users.find(userId);
      if (current === undefined) return { errors: ACCOUNT_GONE };
      if (current.email === email && current.firstName === firstName && current.lastName === lastName) return undefined;
      const sealed = vault.seal(userId, { email, firstName, lastName });
      const { refusal } = await commands.execute(stream, { type: 'ChangeProfile', userId, sealed }, context);
      return refusal === undefined ? undefined : { errors: ACCOUNT_GONE };
    },

    async changePassword(
      { userId, stream },
      password,
      context,
      hasher = hashing.hasherFor(callerFromActor(context.actor)),
    ) {
      const problem = accountProblems({ password });
      if (problem !== undefined) return { errors: problem };
      const passwordHash = await hasher.hash(password);
      if (users.find(userId) === undefined) return { errors: ACCOUNT_GONE }; // erased meanwhile: there is no key to seal with
      const sealed = vault.seal(userId, { passwordHash });
      const { position: at } = await commands.execute(stream, { type: 'ChangePassword', userId, sealed }, context);
      return at === null ? { errors: ACCOUNT_GONE } : { position: at };
    },

    async signOutEverywhere({ userId, stream }, context) {
      await commands.execute(stream, { type: 'EndAllSessions', userId }, context);
    },

    async changeRoles(user, roles, context) {
      const command = { type: 'ChangeRoles', userId: user.userId, roles } as const;
      if (mayAdminister(roles)) await commands.execute(user.stream, command, context);
      else await keepAnAdministrator(command, context);
    },

    async disable(user, context) {
      await keepAnAdministrator({ type: 'DisableUser', userId: user.userId }, context);
    },

    async enable({ userId, stream }, context) {
      await commands.execute(stream, { type: 'EnableUser', userId }, context);
    },

    async erase(user, context) {
      await keepAnAdministrator({ type: 'EraseUser', userId: user.userId }, context);
      if (!vault.erase(user.userId)) throw new KeyStillStored('account');
    },
  };
}

const ACCOUNT_GONE: AccountErrors = { username: 'There is no such account any more.' };
/** Nothing hashes to it. */
const NO_PASSWORD = '';
const BY_SERVER: CommandContext = { actor: { kind: 'server' }, requestId: null };
const SIMILAR_NAME_TAKEN =
  'A user name that differs only in capital letters or width of its characters already exists.';
const USERNAME_TAKEN = 'A user with that username already exists.';
