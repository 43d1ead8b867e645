import { createHmac, type KeyObject } from 'node:crypto';
import type { Role } from '../domain/events.ts';
import { mayAdminister } from '../domain/roles.ts';
import { userStream } from '../domain/streams.ts';
import { parsePbkdf2 } from '../domain/password-hashes.ts';
import { foldedUserName, normalizeUserName } from '../domain/user-name.ts';
import type { UserCommand, UserEvent, UserRefusal, UserState } from '../domain/user.ts';
import type { UserId } from '../domain/values.ts';
import type { ConstantWorkVerifier } from './constant-work-verifier.ts';
import type { CommandContext, CommandHandler } from '../event-store/command-handler.ts';
import { DecisionOutdated, type Position, type StreamName } from '../event-store/event-log.ts';
import { message, type Message } from '../language/message.ts';
import { callerFromActor, callerFromUser } from '../platform/hashing/hash-caller.ts';
import { ignoreOverload } from '../platform/hashing/hashing-overloaded.ts';
import { KeyStillStoredError } from '../platform/keys/key-removal.ts';
import type { PasswordHashing } from '../platform/hashing/password-hashing.ts';
import type { PasswordHasher } from '../platform/ports.ts';
import type { User, Users } from '../projections/users.ts';
import { ACCOUNT_GONE, accountProblems, isPasswordTooLong, type AccountErrors } from './account-problems.ts';
import type { AuthenticatedUser } from './authenticated-user.ts';
import { createAdministratorGuard, type KeepAnAdministrator } from './last-administrator.ts';
import { createEmailVerifier, type VerifyEmail } from './email-verification.ts';
import type { Vault } from './personal-data.ts';
import { createProfileChanger, type ChangeProfile } from './profile-change.ts';

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

/** An account taken over from another server. */
export interface ImportedAccount extends AccountDetails {
  /**
   * A password, or a hash in the form that `parseImportedHash` returns. If the hash is null, the user cannot log in
   * with a password until one is set.
   */
  readonly password: { readonly clear: string } | { readonly hash: string | null };
  readonly active: boolean;
}

type RegistrationResult = { readonly user: User } | { readonly errors: AccountErrors };

export interface Accounts {
  /** Returns every problem that can be found before the account is created, or undefined if none is found. */
  validate(account: NewAccount): AccountErrors | undefined;
  /**
   * Creates an account.
   * @param hasher the hasher for the caller's queue; by default, the hasher for the actor in `context`
   */
  register(
    account: NewAccount,
    context: CommandContext,
    hasher?: Pick<PasswordHasher, 'hash'>,
  ): Promise<RegistrationResult>;
  /** Returns the problems that would make `importAccount` refuse the account, if any. */
  importProblems(
    account: Pick<ImportedAccount, 'username' | 'email' | 'firstName' | 'lastName'>,
  ): AccountErrors | undefined;
  /**
   * Creates an account like `register`, but does not check the password. An imported PBKDF2 hash is replaced when the
   * password is first used.
   */
  importAccount(account: ImportedAccount, context: CommandContext): Promise<RegistrationResult>;
  /**
   * Returns the active account with this name and password, or undefined after the same amount of work. A password that
   * is too long for any account is refused without that work.
   * @param hasher the hasher for the caller's queue
   */
  verify(
    username: string,
    password: string,
    hasher: Pick<PasswordHasher, 'verify'>,
  ): Promise<AuthenticatedUser | undefined>;
  readonly changeProfile: ChangeProfile;
  readonly verifyEmail: VerifyEmail;
  /**
   * Changes the password, and ends every session of the account.
   * @param hasher as for `register`
   * @returns the position of the change in the log
   */
  changePassword(
    user: User,
    password: string,
    context: CommandContext,
    hasher?: Pick<PasswordHasher, 'hash'>,
  ): Promise<{ readonly errors: AccountErrors } | { readonly position: Position }>;
  /** Ends every session of the account, and the grants that depend on them. */
  logOutEverywhere(user: User, context: CommandContext): Promise<void>;
  /**
   * Changes the roles. The change immediately affects open sessions and delegated scopes.
   * @throws NoAdministratorLeft if no administrator would be able to log in afterwards
   */
  changeRoles(user: User, roles: readonly Role[], context: CommandContext): Promise<void>;
  /**
   * Disables the account, which ends all its sessions, grants and tokens with one event.
   * @throws NoAdministratorLeft if no administrator would be able to log in afterwards
   */
  disable(user: User, context: CommandContext): Promise<void>;
  enable(user: User, context: CommandContext): Promise<void>;
  /**
   * Disables the account permanently, then destroys the key of its personal data.
   * @throws NoAdministratorLeft if no administrator would be able to log in afterwards
   * @throws KeyStillStoredError if the account is erased, but its key cannot be destroyed until the disk is writable
   */
  erase(user: User, context: CommandContext): Promise<void>;
}

export function createAccounts(deps: {
  readonly commands: CommandHandler<UserCommand, UserState, UserEvent, UserRefusal>;
  readonly users: Users;
  readonly vault: Vault;
  readonly hashing: PasswordHashing;
  readonly verifier: ConstantWorkVerifier;
  /** The last log position that the projections include. */
  readonly position: () => Position;
  readonly mintUserId: () => UserId;
  readonly namesKey: KeyObject;
  readonly keepAnAdministrator: KeepAnAdministrator;
}): Accounts {
  const { commands, users, vault, hashing, verifier, position, mintUserId, namesKey } = deps;
  const executeGuarded = createAdministratorGuard({ commands, users, keepAnAdministrator: deps.keepAnAdministrator });

  /** Names that differ only in case or width share a stream, so that only one of them can be taken. */
  function streamForName(username: string): StreamName {
    return userStream(createHmac('sha256', namesKey).update(foldedUserName(username)).digest('base64url'));
  }

  /**
   * Returns the problem if the name is taken. Earlier releases named the stream after the exact name, so similar names
   * are also looked up in the projection.
   */
  function takenProblem(username: string): Message | undefined {
    if (users.findByName(username) !== undefined) return USERNAME_TAKEN;
    return users.hasNameLike(username) ? SIMILAR_NAME_TAKEN : undefined;
  }

  function detailsProblems({
    username,
    email = '',
    firstName = '',
    lastName = '',
  }: AccountDetails): AccountErrors | undefined {
    const errors = accountProblems({ username, email, first_name: firstName, last_name: lastName });
    const nameProblem = errors?.username === undefined ? takenProblem(username) : undefined;
    return nameProblem === undefined ? errors : { ...errors, username: nameProblem };
  }

  function validate({ password, ...details }: NewAccount): AccountErrors | undefined {
    const errors = {
      ...detailsProblems({ ...details, username: normalizeUserName(details.username) }),
      ...accountProblems({ password }),
    };
    return Object.keys(errors).length > 0 ? errors : undefined;
  }

  /**
   * Records a new account and returns it, or returns its problems.
   * @param hashPassword called only if there is no other problem with the account
   */
  async function create(
    details: AccountDetails,
    active: boolean,
    hashPassword: () => Promise<string>,
    context: CommandContext,
  ): Promise<RegistrationResult> {
    const errors = detailsProblems(details);
    if (errors !== undefined) return { errors };
    const { username, email = '', firstName = '', lastName = '', roles = [] } = details;
    const passwordHash = await hashPassword();
    const userId = mintUserId();
    await vault.createKey(userId);
    const sealed = vault.seal(userId, { username, email, firstName, lastName, passwordHash });
    const command = { type: 'RegisterUser', userId, sealed, roles, active } as const;
    const { refusal } = await commands
      .execute(streamForName(username), command, context)
      .catch(async (error: unknown) => {
        // After any other error, the account may have been stored.
        if (error instanceof DecisionOutdated) await vault.erase(userId);
        throw error;
      });
    const user = users.find(userId);
    if (refusal === undefined && user !== undefined) return { user };
    await vault.erase(userId);
    return { errors: { username: USERNAME_TAKEN } };
  }

  /** Replaces an imported PBKDF2 hash with one that this server computed, unless the server is overloaded. */
  async function rehash({ userId, stream, passwordHash }: User, password: string): Promise<void> {
    if (parsePbkdf2(passwordHash) === undefined) return;
    const newHash = await hashing.hasherFor(callerFromUser(userId)).hash(password).catch(ignoreOverload);
    // Do nothing if the server is overloaded, or if the password was changed or the account erased in the meantime.
    if (newHash === undefined || users.find(userId)?.passwordHash !== passwordHash) return;
    await commands.execute(
      stream,
      { type: 'RehashPassword', userId, sealed: vault.seal(userId, { passwordHash: newHash }) },
      BY_SERVER,
    );
  }

  async function verify(
    username: string,
    password: string,
    hasher: Pick<PasswordHasher, 'verify'>,
  ): Promise<AuthenticatedUser | undefined> {
    const user = users.findByName(normalizeUserName(username));
    const checkedAsOf = position();
    if (isPasswordTooLong(password)) return undefined;
    // For an inactive account, the correct password must fail like a wrong one, and take as long.
    const hash = user?.active === true ? user.passwordHash : undefined;
    const isCorrect = await verifier.verify(hash, password, hasher);
    if (!isCorrect || user === undefined) return undefined;
    await rehash(user, password);
    const current = users.find(user.userId); // the account may have changed while the hash was computed
    if (current?.active !== true) return undefined;
    if (current.passwordHash === user.passwordHash) {
      return { user: current, check: { method: 'password', checkedAsOf } };
    }
    // The hash has changed: this or another login upgraded it, or the user set a new password.
    return parsePbkdf2(user.passwordHash) === undefined ? undefined : verify(username, password, hasher);
  }

  return {
    validate,

    async register(account, context, hasher = hashing.hasherFor(callerFromActor(context.actor))) {
      const errors = validate(account);
      if (errors !== undefined) return { errors };
      const { password, ...details } = account;
      const username = normalizeUserName(details.username);
      return create({ ...details, username }, true, () => hasher.hash(password), context);
    },

    importProblems: (account) => detailsProblems({ ...account, username: normalizeUserName(account.username) }),

    async importAccount({ password, active, ...details }, context) {
      const hasher = hashing.hasherFor(callerFromActor(context.actor));
      const hashPassword = async (): Promise<string> =>
        'clear' in password ? hasher.hash(password.clear) : (password.hash ?? NO_PASSWORD);
      return create({ ...details, username: normalizeUserName(details.username) }, active, hashPassword, context);
    },

    verify,

    changeProfile: createProfileChanger({ commands, users, vault }),

    verifyEmail: createEmailVerifier({ commands, vault }),

    async changePassword(
      { userId, stream },
      password,
      context,
      hasher = hashing.hasherFor(callerFromActor(context.actor)),
    ) {
      const problem = accountProblems({ password });
      if (problem !== undefined) return { errors: problem };
      const passwordHash = await hasher.hash(password);
      if (users.find(userId) === undefined) return { errors: ACCOUNT_GONE }; // erased in the meantime, with its key
      const sealed = vault.seal(userId, { passwordHash });
      const outcome = await commands.execute(stream, { type: 'ChangePassword', userId, sealed }, context);
      return outcome.position === null ? { errors: ACCOUNT_GONE } : { position: outcome.position };
    },

    async logOutEverywhere({ userId, stream }, context) {
      await commands.execute(stream, { type: 'EndAllSessions', userId }, context);
    },

    async changeRoles(user, roles, context) {
      const command = { type: 'ChangeRoles', userId: user.userId, roles } as const;
      if (mayAdminister(roles)) await commands.execute(user.stream, command, context);
      else await executeGuarded(command, context);
    },

    async disable(user, context) {
      await executeGuarded({ type: 'DisableUser', userId: user.userId }, context);
    },

    async enable({ userId, stream }, context) {
      await commands.execute(stream, { type: 'EnableUser', userId }, context);
    },

    async erase(user, context) {
      await executeGuarded({ type: 'EraseUser', userId: user.userId }, context);
      if (!(await vault.erase(user.userId))) throw new KeyStillStoredError('account');
    },
  };
}

/** A hash that no password matches. */
const NO_PASSWORD = '';
const BY_SERVER: CommandContext = { actor: { kind: 'server' }, requestId: null };
const SIMILAR_NAME_TAKEN = message('problem.name-similar');
const USERNAME_TAKEN = message('problem.name-taken');
