import { wayToLogIn } from '../../domain/login-ways.ts';
import { ownersOf } from '../../domain/members.ts';
import { withoutEmptyPath, type Resources } from '../../domain/resource.ts';
import type { ClientId, EpochSeconds, GrantId, UserId } from '../../domain/values.ts';
import type { AccessToken } from '../../projections/access-token.ts';
import type { AccessTokens } from '../../projections/access-tokens.ts';
import type { Activity } from '../../projections/activity.ts';
import type { AssertedGrants } from '../../projections/asserted-grants.ts';
import type { Client } from '../../projections/clients.ts';
import type { ExchangePolicies } from '../../projections/exchange-policies.ts';
import type { Exchanges } from '../../projections/exchanges.ts';
import type { Grants } from '../../projections/grants.ts';
import type { Passkeys } from '../../projections/passkeys.ts';
import type { ResourceServer } from '../../projections/resources.ts';
import type { TrustedIssuer, TrustedIssuers } from '../../projections/trusted-issuers.ts';
import type { UpstreamAccounts } from '../../projections/upstream-accounts.ts';
import type { UpstreamProvider, UpstreamProviders } from '../../projections/upstream-providers.ts';
import type { Users } from '../../projections/users.ts';
import { recordedLoginWays } from './recorded-login-ways.ts';

/** The data that would end with the removal of an application. */
export interface ClientForecast {
  /** The number of users who authorized it. */
  readonly users: number;
  /** The number of their authorizations. */
  readonly grants: number;
  /** Whether both counts are exact; otherwise they are lower bounds. */
  readonly isExact: boolean;
  /**
   * An upper bound on the number of access tokens that it got within the current token lifetime, or null if the
   * lifetime exceeds the period that is counted.
   */
  readonly maxTokens: number | null;
  readonly owners: readonly UserId[];
  /** The number of exchange policies that it is part of and that would end with it. */
  readonly policies: number;
  /** The number of trusted issuers whose tokens it may present. */
  readonly issuers: number;
}

/** The rules that refer to a resource server, and the data that would end with its removal. */
export interface ResourceForecast {
  /** The number of scopes that it defines. */
  readonly scopes: number;
  /** The number of applications with authorizations or tokens that are restricted to it. */
  readonly applications: number;
  readonly grants: number;
  /** The number of valid access tokens that are restricted to it, alone or together with other resource servers. */
  readonly tokens: number;
  /** The number of those that are restricted to it alone. */
  readonly endingTokens: number;
  /** Whether these counts are exact; otherwise they are lower bounds. */
  readonly isExact: boolean;
  /** The number of exchange policies that refer to it. */
  readonly policies: number;
  /** The number of trusted issuers whose limits refer to it. */
  readonly issuers: number;
}

/** The data that would end with the trust in another issuer. */
export interface IssuerForecast {
  /** The number of applications that may present its JWTs. */
  readonly applications: number;
  /** The extent of the access that came from its JWTs, directly or through exchanges of the resulting tokens. */
  readonly users: number;
  readonly grants: number;
  readonly tokens: number;
  /** Whether these counts are exact; otherwise they are lower bounds. */
  readonly isExact: boolean;
}

/** The data that would end with the removal of a provider. */
export interface ProviderForecast {
  readonly accounts: number;
  readonly users: number;
  /**
   * The number of users who can log in now but could not after the removal, because they have no other way to log in.
   */
  readonly lockedOut: number;
  /** Whether passwords would work again, because it is the last provider that is required. */
  readonly turnsPasswordsOn: boolean;
}

/** Counts the data that a removal would end now. Changes nothing. */
export interface RemovalForecasts {
  ofClient(client: Pick<Client, 'clientId' | 'members'>): ClientForecast;
  ofResource(resource: Pick<ResourceServer, 'uri' | 'scopes'>): ResourceForecast;
  ofIssuer(issuer: Pick<TrustedIssuer, 'issuer' | 'clients'>): IssuerForecast;
  ofProvider(provider: Pick<UpstreamProvider, 'providerId'>): ProviderForecast;
}

export interface ForecastedProjections {
  readonly grants: Pick<Grants, 'all' | 'countByClient' | 'find'>;
  readonly accessTokens: Pick<AccessTokens, 'liveOrPaused'>;
  readonly activity: Pick<Activity, 'upperBoundWithin'>;
  readonly exchanges: Pick<Exchanges, 'listAncestry'>;
  readonly exchangePolicies: Pick<ExchangePolicies, 'all'>;
  readonly trustedIssuers: Pick<TrustedIssuers, 'all'>;
  readonly assertedGrants: Pick<AssertedGrants, 'listByIssuer'>;
  readonly upstreamAccounts: Pick<UpstreamAccounts, 'listByProvider' | 'listByUser'>;
  readonly upstreamProviders: Pick<UpstreamProviders, 'allEnabled'>;
  readonly passkeys: Pick<Passkeys, 'listByUser'>;
  readonly users: Pick<Users, 'find'>;
}

/** Enough to show the scale. Counting more would take too long. */
const MAX_GRANTS_COUNTED = 1_000;

/** Examining this many grants or tokens takes a few hundredths of a second. */
const MAX_EXAMINED = 50_000;

export function createRemovalForecasts(deps: {
  readonly projections: ForecastedProjections;
  readonly now: () => EpochSeconds;
  readonly settings: { readonly accessTokenLifetimeSeconds: number };
}): RemovalForecasts {
  const { projections, now, settings } = deps;
  const { grants, accessTokens, exchangePolicies, trustedIssuers, assertedGrants } = projections;

  /** Reports whether the token depends on one of the grants, at any depth of exchanges. */
  function dependsOn({ grantId, exchanged }: AccessToken, roots: ReadonlySet<GrantId>): boolean {
    if (roots.has(grantId)) return true;
    if (exchanged !== true) return false;
    return projections.exchanges
      .listAncestry(grantId)
      .some((exchange) => [exchange.grantId, exchange.root.grantId, exchange.actor?.grantId].some(isAmong(roots)));
  }

  return {
    ofClient(client) {
      const { clientId } = client;
      const lifetime = settings.accessTokenLifetimeSeconds;
      return {
        ...grants.countByClient(clientId, now(), MAX_GRANTS_COUNTED),
        maxTokens: projections.activity.upperBoundWithin(clientId, lifetime, now()) ?? null,
        owners: ownersOf(client).map(({ userId }) => userId),
        policies: exchangePolicies
          .all()
          .filter((policy) => policy.clientId === clientId || policy.subjectClientId === clientId).length,
        issuers: trustedIssuers
          .all()
          .filter(({ clients }) => clients.some((trustedClient) => trustedClient.clientId === clientId)).length,
      };
    },

    ofResource({ uri, scopes }) {
      const includesResource = (resources: Resources | null | undefined): boolean =>
        resources?.some(isSameUri(uri)) === true;
      const applications = new Set<ClientId>();
      const examinedGrants = countMatches(grants.all(now()), ({ resource, clientId }) => {
        if (!includesResource(resource)) return false;
        applications.add(clientId);
        return true;
      });
      let endingTokens = 0;
      const examinedTokens = countMatches(accessTokens.liveOrPaused(now()), ({ resource, clientId }) => {
        if (!includesResource(resource)) return false;
        applications.add(clientId);
        if (resource.every(isSameUri(uri))) endingTokens += 1;
        return true;
      });
      return {
        scopes: scopes.length,
        applications: applications.size,
        grants: examinedGrants.count,
        tokens: examinedTokens.count,
        endingTokens,
        isExact: examinedGrants.isExact && examinedTokens.isExact,
        policies: exchangePolicies.all().filter(({ resources }) => includesResource(resources)).length,
        issuers: trustedIssuers.all().filter(({ resources }) => includesResource(resources)).length,
      };
    },

    ofIssuer({ issuer, clients }) {
      const [endingGrants, users, roots] = [new Set<GrantId>(), new Set<UserId>(), new Set<GrantId>()];
      const add = (grantId: GrantId, userId: UserId | null): void => {
        endingGrants.add(grantId);
        if (userId !== null) users.add(userId);
      };
      const examinedRoots = countMatches(assertedGrants.listByIssuer(issuer), (grantId) => {
        roots.add(grantId);
        const grant = grants.find(grantId);
        if (grant !== undefined && (grant.expiresAt === null || now() < grant.expiresAt)) add(grantId, grant.userId);
        return true;
      });
      const examinedTokens = countMatches(accessTokens.liveOrPaused(now()), (token) => {
        if (!dependsOn(token, roots)) return false;
        add(token.grantId, token.userId);
        return true;
      });
      return {
        applications: clients.length,
        users: users.size,
        grants: endingGrants.size,
        tokens: examinedTokens.count,
        isExact: examinedRoots.isExact && examinedTokens.isExact,
      };
    },

    ofProvider({ providerId }) {
      const accounts = [...projections.upstreamAccounts.listByProvider(providerId)];
      const users = new Set(accounts.map(({ userId }) => userId));
      const enabledProviders = projections.upstreamProviders.allEnabled();
      const remainingProviders = enabledProviders.filter((provider) => provider.providerId !== providerId);
      const isLockedOut = (userId: UserId): boolean => {
        const user = projections.users.find(userId);
        if (user?.active !== true) return false;
        const ways = recordedLoginWays(user, projections);
        return wayToLogIn(ways, enabledProviders) !== undefined && wayToLogIn(ways, remainingProviders) === undefined;
      };
      return {
        accounts: accounts.length,
        users: users.size,
        lockedOut: [...users].filter(isLockedOut).length,
        turnsPasswordsOn: enabledProviders.some(isRequired) && !remainingProviders.some(isRequired),
      };
    },
  };
}

const isRequired = ({ required }: UpstreamProvider): boolean => required;

const isAmong =
  (ids: ReadonlySet<GrantId>) =>
  (id: GrantId | undefined): boolean =>
    id !== undefined && ids.has(id);

/** A URI with an empty path has two spellings. */
const isSameUri =
  (uri: string) =>
  (candidate: string): boolean =>
    withoutEmptyPath(candidate) === withoutEmptyPath(uri);

/** Counts the matching items among the first `MAX_EXAMINED`. */
function countMatches<Item>(
  items: Iterable<Item>,
  matches: (item: Item) => boolean,
): { readonly count: number; readonly isExact: boolean } {
  let [count, examinedCount] = [0, 0];
  for (const item of items) {
    if (examinedCount === MAX_EXAMINED) return { count, isExact: false };
    examinedCount += 1;
    if (matches(item)) count += 1;
  }
  return { count, isExact: true };
}
