import { wayToLogIn, type LinkedAccount, type LoginProvider, type LoginWays } from '../domain/login-ways.ts';
import { isActiveAdministrator, otherAdministrator } from '../domain/roles.ts';
import { observedAccount, observedLink, observedProvider } from '../domain/streams.ts';
import type { PasskeyId } from '../domain/values.ts';
import type { ObservedRevision } from '../event-store/event-log.ts';
import type { Passkeys } from '../projections/passkeys.ts';
import type { UpstreamAccount, UpstreamAccounts } from '../projections/upstream-accounts.ts';
import type { UpstreamProvider, UpstreamProviders } from '../projections/upstream-providers.ts';
import type { User, Users } from '../projections/users.ts';

/** A change after which at least one administrator must still be able to log in. */
export type GuardedChange =
  /** The account is disabled or erased, or loses the role. */
  | { readonly affects: 'account'; readonly account: User }
  | { readonly affects: 'passkey'; readonly account: User; readonly passkeyId: PasskeyId | 'all' }
  /** The provider gets new settings, or is removed (null). */
  | {
      readonly affects: 'provider';
      readonly providerId: string;
      readonly settings: Omit<LoginProvider, 'providerId'> | null;
    };

/**
 * A change that can remove a way to log in. Unlinking an account needs no guard, because it is refused if the user
 * could not log in afterwards.
 */
export type LoginChange = GuardedChange | { readonly affects: 'link'; readonly link: UpstreamAccount };

/** Determines which users, and in particular which administrators, can log in after a change. */
export interface AdministratorLogins {
  /** Reports whether the account belongs to an administrator who can log in now. */
  canLogIn(account: User): boolean;
  /**
   * Returns the streams that the user's login would depend on after the change, or undefined if the user could not log
   * in.
   */
  loginBasis(account: User, change?: LoginChange): readonly ObservedRevision[] | undefined;
  /**
   * Returns the streams that an administrator's login would depend on after the change, or undefined if no
   * administrator could log in.
   */
  administratorBasis(change?: GuardedChange): readonly ObservedRevision[] | undefined;
  /** Reports whether losing the account or its role would leave no administrator (see `leavesNoAdministrator`). */
  isLastAdministrator(account: User): boolean;
  /**
   * Reports whether the change would leave the server without an administrator who can log in. If no administrator can
   * log in even now, reports whether the change would leave the server without an active administrator.
   */
  leavesNoAdministrator(change: GuardedChange): boolean;
}

type LinkWithIssuer = UpstreamAccount & LinkedAccount;

export function createAdministratorLogins(deps: {
  readonly users: Pick<Users, 'all'>;
  readonly passkeys: Pick<Passkeys, 'listByUser'>;
  readonly links: Pick<UpstreamAccounts, 'listByUser'>;
  readonly providers: Pick<UpstreamProviders, 'all'>;
  /** Returns the issuer of an account at a provider; undefined if its data cannot be decrypted. */
  readonly issuerOf: (link: UpstreamAccount) => string | undefined;
  /** Reports whether browsers accept passkeys for this server's host. */
  readonly offersPasskeys: () => boolean;
}): AdministratorLogins {
  const { users, passkeys, links, providers, issuerOf, offersPasskeys } = deps;

  function loginWaysAfter({ userId, passwordHash }: User, change: LoginChange | undefined): LoginWays<LinkWithIssuer> {
    const lostPasskey =
      change?.affects === 'passkey' && change.account.userId === userId ? change.passkeyId : undefined;
    const otherPasskeys = passkeys
      .listByUser(userId)
      .filter(({ passkeyId }) => lostPasskey !== 'all' && passkeyId !== lostPasskey);
    const lostLink = change?.affects === 'link' ? change.link.subjectHash : undefined;
    const otherLinks = links.listByUser(userId).filter(({ subjectHash }) => subjectHash !== lostLink);
    return {
      hasPassword: passwordHash !== '',
      hasPasskey: otherPasskeys.length > 0 && offersPasskeys(),
      links: otherLinks.map((link) => ({ ...link, issuer: issuerOf(link) ?? null })),
    };
  }

  /** Returns the providers that the change does not affect. */
  function otherProviders(change: LoginChange | undefined): readonly UpstreamProvider[] {
    if (change?.affects !== 'provider') return providers.all();
    return providers.all().filter(({ providerId }) => providerId !== change.providerId);
  }

  /** Includes every unchanged provider, because a login depends on whether any provider is required. */
  function loginBasis(account: User, change?: LoginChange): readonly ObservedRevision[] | undefined {
    const unchangedProviders = otherProviders(change);
    const changedProvider: readonly LoginProvider[] =
      change?.affects === 'provider' && change.settings !== null
        ? [{ ...change.settings, providerId: change.providerId }]
        : [];
    const way = wayToLogIn(loginWaysAfter(account, change), [...unchangedProviders, ...changedProvider]);
    if (way === undefined) return undefined;
    return [
      observedAccount(account),
      ...unchangedProviders.map(observedProvider),
      ...(typeof way === 'string' ? [] : [observedLink(way)]),
    ];
  }

  function administratorBasis(change?: GuardedChange): readonly ObservedRevision[] | undefined {
    const lostUserId = change?.affects === 'account' ? change.account.userId : undefined;
    for (const account of users.all()) {
      const basis =
        account.userId !== lostUserId && isActiveAdministrator(account) ? loginBasis(account, change) : undefined;
      if (basis !== undefined) return basis;
    }
    return undefined;
  }

  function leavesNoAdministrator(change: GuardedChange): boolean {
    if ('account' in change && !isActiveAdministrator(change.account)) return false;
    if (administratorBasis(change) !== undefined) return false;
    if (administratorBasis() !== undefined) return true;
    // Even now, no administrator can log in, for example because a provider is disabled. Keep one active administrator.
    return change.affects === 'account' && otherAdministrator(change.account, users.all()) === undefined;
  }

  return {
    canLogIn: (account) => isActiveAdministrator(account) && loginBasis(account) !== undefined,
    loginBasis,
    administratorBasis,
    leavesNoAdministrator,
    isLastAdministrator: (account) => leavesNoAdministrator({ affects: 'account', account }),
  };
}
