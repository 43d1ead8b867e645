import { createHmac, type KeyObject } from 'node:crypto';
import { mayAdminister } from '../domain/roles.ts';
import { observedAccount, observedLink, observedProvider, upstreamAccountStream } from '../domain/streams.ts';
import type {
  LinkBasis,
  UpstreamAccountCommand,
  UpstreamAccountEvent,
  UpstreamAccountState,
} from '../domain/upstream-account.ts';
import {
  groupChangesAtLogin,
  isInDomains,
  rolesAfterLogin,
  type UpstreamIdentity,
} from '../domain/upstream-identity.ts';
import { normalizeUserName } from '../domain/user-name.ts';
import type { UserId } from '../domain/values.ts';
import type { CommandContext, CommandHandler, RequestMetadata } from '../event-store/command-handler.ts';
import type { ObservedRevision, Position } from '../event-store/event-log.ts';
import type { Once } from '../event-store/once.ts';
import type { RateLimits } from '../platform/limits/rate-limits.ts';
import type { Groups } from '../projections/groups.ts';
import type { UpstreamAccount, UpstreamAccounts } from '../projections/upstream-accounts.ts';
import type { UpstreamProvider, UpstreamProviders } from '../projections/upstream-providers.ts';
import type { User, Users } from '../projections/users.ts';
import type { Accounts } from './accounts.ts';
import type { AdministratorLogins } from './administrator-logins.ts';
import type { AuthenticatedUser } from './authenticated-user.ts';
import type { GroupDirectory } from './group-directory.ts';
import { NoAdministratorLeft } from './last-administrator.ts';
import type { Vault } from './personal-data.ts';
import type { SecurityNotices } from './security-notices.ts';

/** The reason why a user who logged in at a provider is not logged in here. */
export type LoginFailureReason =
  | 'not-linked'
  | 'address-unverified'
  | 'domain-not-allowed'
  | 'address-taken'
  | 'name-unusable'
  | 'inactive'
  | 'linked-elsewhere';

export interface UpstreamRequest {
  readonly metadata: RequestMetadata;
  readonly once: Once;
  /** The caller's IP address, or its /64 network for IPv6: the key for rate limits. */
  readonly address: string;
}

/** The provider accounts that users log in with. */
export interface LinkedAccounts {
  /**
   * Returns the user that the account at the provider is linked to. Links the account, or creates a user, if the
   * provider's settings allow that. Otherwise, returns the reason why no user is logged in.
   * @throws TooManyAttemptsError if too many users were created, or if this user has logged in too often
   */
  logIn(
    identity: UpstreamIdentity,
    provider: UpstreamProvider,
    request: UpstreamRequest,
  ): Promise<AuthenticatedUser | LoginFailureReason>;
  /**
   * Links the account at the provider to the user, at the user's request.
   * @returns the problem, or undefined if the account is linked
   */
  link(
    identity: UpstreamIdentity,
    provider: UpstreamProvider,
    user: User,
    context: CommandContext,
  ): Promise<Extract<LoginFailureReason, 'linked-elsewhere'> | undefined>;
  /** Unlinks the account at the provider. Returns false, without unlinking it, if the user could no longer log in. */
  unlink(account: UpstreamAccount, user: User, context: CommandContext): Promise<boolean>;
  /** Returns the e-mail address that the account at the provider had when it was linked; empty if unknown. */
  emailOf(account: UpstreamAccount): string;
  /**
   * Returns the streams that a session started with the account depends on, or undefined if the account is no longer
   * linked to the user, or if the provider was removed or disabled.
   */
  sessionBasis(subjectHash: string, userId: UserId): readonly ObservedRevision[] | undefined;
}

/** How many numbered names, such as `ada-2`, are tried if a name is taken. */
const NUMBERED_NAMES = 50;
const BY_SERVER = { actor: { kind: 'server' } } as const;

export function createLinkedAccounts(deps: {
  readonly commands: Pick<
    CommandHandler<UpstreamAccountCommand, UpstreamAccountState, UpstreamAccountEvent, 'linked-to-another-user'>,
    'execute' | 'state'
  >;
  readonly accounts: Pick<Accounts, 'importAccount' | 'importProblems' | 'verifyEmail' | 'changeRoles' | 'erase'>;
  readonly users: Pick<Users, 'find' | 'findByVerifiedEmail'>;
  readonly links: Pick<UpstreamAccounts, 'find'>;
  readonly providers: Pick<UpstreamProviders, 'findEnabled'>;
  readonly groups: Pick<Groups, 'findByName'>;
  readonly groupDirectory: Pick<GroupDirectory, 'changeGroups'>;
  readonly logins: Pick<AdministratorLogins, 'loginBasis'>;
  readonly vault: Pick<Vault, 'seal' | 'tryUnseal'>;
  readonly limits: Pick<RateLimits, 'spend'>;
  readonly notices: SecurityNotices;
  readonly key: KeyObject;
  readonly position: () => Position;
}): LinkedAccounts {
  const { commands, accounts, users, links, providers, logins, groupDirectory } = deps;
  const { vault, limits, notices, key, position } = deps;

  /**
   * Returns the hash that identifies the account. It covers the issuer, so that links do not carry over to a different
   * issuer if the provider's issuer changes.
   */
  function hashIdentity({ providerId, issuer, subject }: UpstreamIdentity): string {
    return createHmac('sha256', key)
      .update(JSON.stringify([providerId, issuer, subject]))
      .digest('base64url');
  }

  async function recordLink(
    identity: UpstreamIdentity,
    provider: UpstreamProvider,
    user: User,
    basis: LinkBasis,
    context: CommandContext,
  ): Promise<'linked-elsewhere' | undefined> {
    const subjectHash = hashIdentity(identity);
    const { userId } = user;
    const { issuer, subject, email } = identity;
    const stream = upstreamAccountStream(subjectHash);
    const earlierLink = await commands.state(stream);
    const replaces = earlierLink !== null && users.find(earlierLink.userId) === undefined ? earlierLink.userId : null;
    const sealed = vault.seal(userId, { upstream: { issuer, subject, email } });
    const basedOn = [...(context.basedOn ?? []), observedAccount(user), observedProvider(provider)];
    const { providerId } = provider;
    const command = { type: 'LinkUpstreamAccount', userId, providerId, subjectHash, sealed, basis, replaces } as const;
    const { refusal, events } = await commands.execute(stream, command, { ...context, basedOn });
    if (refusal !== undefined) return 'linked-elsewhere';
    if (events.length > 0 && basis !== 'created') notices.send(user, 'provider-linked');
    return undefined;
  }

  /** Derives an unused user name from the claims. Returns undefined if all are empty, invalid or taken. */
  function deriveUnusedName(identity: UpstreamIdentity): string | undefined {
    const { preferredName, email } = identity;
    const baseName = [preferredName, email.slice(0, Math.max(0, email.lastIndexOf('@')))]
      .map((name) => normalizeUserName(name).trim())
      .find((name) => name !== '');
    if (baseName === undefined) return undefined;
    const numberedNames = Array.from({ length: NUMBERED_NAMES }, (_, index) => `${baseName}-${index + 2}`);
    return [baseName, ...numberedNames].find((username) => accounts.importProblems({ username }) === undefined);
  }

  async function create(
    identity: UpstreamIdentity,
    provider: UpstreamProvider,
    { metadata, once, address }: UpstreamRequest,
  ): Promise<User | LoginFailureReason> {
    const username = deriveUnusedName(identity);
    if (username === undefined) return 'name-unusable';
    limits.spend('sign-up-by-address', address, once);
    limits.spend('sign-up', '', once);
    const context = { ...BY_SERVER, ...metadata, basedOn: [observedProvider(provider)] };
    const { email, firstName, lastName, isEmailVerified } = identity;
    const details = { email, firstName, lastName };
    const areDetailsValid = accounts.importProblems({ username, ...details }) === undefined;
    const account = { username, ...(areDetailsValid ? details : {}), password: { hash: null }, active: true };
    const result = await accounts.importAccount(account, context);
    if ('errors' in result) return 'name-unusable';
    if (isEmailVerified && areDetailsValid) await accounts.verifyEmail(result.user, { ...BY_SERVER, ...metadata });
    const user = users.find(result.user.userId) ?? result.user;
    const problem = await recordLink(identity, provider, user, 'created', context);
    if (problem === undefined) return user;
    // A concurrent login has already linked the account to a different user.
    await accounts.erase(user, { ...BY_SERVER, ...metadata });
    return problem;
  }

  /** Finds or creates the user for an account at a provider that is not linked to a user. */
  async function findOrCreate(
    identity: UpstreamIdentity,
    provider: UpstreamProvider,
    request: UpstreamRequest,
  ): Promise<User | LoginFailureReason> {
    const { email, isEmailVerified } = identity;
    const holder = isEmailVerified && email !== '' ? users.findByVerifiedEmail(email) : undefined;
    const mayLink = provider.linking === 'verified-email';
    if (!provider.createsUsers && !mayLink) return 'not-linked';
    const problem = addressProblem(identity, provider);
    if (problem !== undefined) return problem;
    if (holder !== undefined) {
      if (!mayLink) return 'address-taken';
      if (!holder.active) return 'inactive';
      const context = { ...BY_SERVER, ...request.metadata };
      return (await recordLink(identity, provider, holder, 'verified-email', context)) ?? holder;
    }
    return provider.createsUsers ? create(identity, provider, request) : 'not-linked';
  }

  async function applyRoles(
    user: User,
    { groups }: UpstreamIdentity,
    provider: UpstreamProvider,
    metadata: RequestMetadata,
  ): Promise<User> {
    const roles = rolesAfterLogin(user.roles, groups, provider);
    const areRolesEqual = roles.length === user.roles.length && roles.every((role) => user.roles.includes(role));
    if (areRolesEqual) return user;
    // The event replaces all roles, so it must not overwrite a concurrent change by an administrator.
    const context = { ...BY_SERVER, ...metadata, basedOn: [observedProvider(provider), observedAccount(user)] };
    await accounts.changeRoles(user, roles, context).catch((error: unknown) => {
      // At least one administrator must remain, whatever groups the provider reports.
      if (!(error instanceof NoAdministratorLeft) || mayAdminister(roles)) throw error;
    });
    return users.find(user.userId) ?? user;
  }

  const findGroups = (names: readonly string[]) => names.flatMap((name) => deps.groups.findByName(name) ?? []);

  /**
   * Adds and removes the memberships that the provider determines. The login succeeds even if the user would be in too
   * many groups, or if a group does not exist.
   */
  async function applyGroups(
    user: User,
    identity: UpstreamIdentity,
    provider: UpstreamProvider,
    metadata: RequestMetadata,
  ): Promise<User> {
    const { added, removed } = groupChangesAtLogin(identity.groups, provider);
    const changes = { add: findGroups(added), remove: findGroups(removed) };
    if (changes.add.length + changes.remove.length === 0) return user;
    const context = { ...BY_SERVER, ...metadata, basedOn: [observedProvider(provider)] };
    await groupDirectory.changeGroups(user, changes, context);
    return users.find(user.userId) ?? user;
  }

  return {
    async logIn(identity, provider, request) {
      const checkedAsOf = position();
      const subjectHash = hashIdentity(identity);
      const link = links.find(subjectHash);
      const linkedUser = link === undefined ? undefined : users.find(link.userId);
      const userOrReason = linkedUser ?? (await findOrCreate(identity, provider, request));
      if (typeof userOrReason === 'string') return userOrReason;
      if (!userOrReason.active) return 'inactive';
      const userWithRoles = await applyRoles(userOrReason, identity, provider, request.metadata);
      const user = await applyGroups(userWithRoles, identity, provider, request.metadata);
      limits.spend('log-in-by-account', user.userId, request.once);
      const { providerId, hasSecondFactor, authenticatedAt } = identity;
      const firstFactor = { method: 'upstream', providerId, subjectHash } as const;
      return {
        user,
        check: { ...firstFactor, ...(hasSecondFactor && { hasSecondFactor: true as const }), checkedAsOf },
        ...(authenticatedAt !== null && { authenticatedAt }),
      };
    },

    link: (identity, provider, user, context) => recordLink(identity, provider, user, 'asked', context),

    async unlink(account, user, context) {
      const { userId } = user;
      const basis = logins.loginBasis(user, { affects: 'link', link: account });
      if (basis === undefined) return false;
      // If two accounts are unlinked at the same time, one stays linked: it may be the user's last way to log in.
      const basedOn = [...(context.basedOn ?? []), ...basis];
      const command = { type: 'UnlinkUpstreamAccount', userId } as const;
      const { subjectHash } = account;
      await commands.execute(upstreamAccountStream(subjectHash), command, { ...context, basedOn });
      notices.send(user, 'provider-unlinked');
      return true;
    },

    emailOf: ({ userId, sealed }) => vault.tryUnseal(userId, sealed)?.upstream?.email ?? '',

    sessionBasis(subjectHash, userId) {
      const link = links.find(subjectHash);
      const provider = link?.userId === userId ? providers.findEnabled(link.providerId) : undefined;
      return link === undefined || provider === undefined
        ? undefined
        : [observedLink(link), observedProvider(provider)];
    },
  };
}

function addressProblem({ email, isEmailVerified }: UpstreamIdentity, { domains }: UpstreamProvider) {
  if (domains.length === 0) return undefined;
  if (!isEmailVerified) return 'address-unverified';
  return isInDomains(email, domains) ? undefined : 'domain-not-allowed';
}
