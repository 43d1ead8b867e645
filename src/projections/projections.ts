import { delegableScopes } from '../domain/roles.ts';
import type { ClientId } from '../domain/values.ts';
import type { Projection } from '../event-store/projector.ts';
import { createAccessTokens, type AccessTokens } from './access-tokens.ts';
import { createActivity, type Activity } from './activity.ts';
import type { OpenSecret } from './client-secrets.ts';
import { createAssertedGrants, type AssertedGrants } from './asserted-grants.ts';
import { createChangedSettings, type ChangedSettings } from './changed-settings.ts';
import { createRecordedClock, type RecordedClock } from './clock.ts';
import { createClients, type Clients } from './clients.ts';
import { createDetailedTokens, type DetailedTokens } from './detailed-tokens.ts';
import { createExchangePolicies, type ExchangePolicies } from './exchange-policies.ts';
import { createExchanges, type Exchanges } from './exchanges.ts';
import { createGrants, type Grants } from './grants.ts';
import { createClientDomains, type ClientDomains } from './client-domains.ts';
import { createGroups, type Groups } from './groups.ts';
import { createLogouts, type Logouts } from './logouts.ts';
import { createPasskeys, type Passkeys } from './passkeys.ts';
import { createResourceServers, type ResourceServers } from './resources.ts';
import type { Unseal } from './sealed-data.ts';
import { createSentInvitations, type SentInvitations } from './sent-invitations.ts';
import { createSecondFactors, type SecondFactors } from './second-factors.ts';
import { createSessions, type Sessions } from './sessions.ts';
import { createSigningKeys, type SigningKeys } from './signing-keys.ts';
import { createTrustedIssuers, type TrustedIssuers } from './trusted-issuers.ts';
import { createUpstreamAccounts, type UpstreamAccounts } from './upstream-accounts.ts';
import { createUpstreamProviders, type UpstreamProviders } from './upstream-providers.ts';
import { createUserActivity, type UserActivity } from './user-activity.ts';
import { createUsers, type Users } from './users.ts';

/** The in-memory views of the log that answer all lookups. */
export interface Projections {
  readonly clients: Clients;
  readonly users: Users;
  readonly clientDomains: ClientDomains;
  readonly groups: Groups;
  readonly passkeys: Passkeys;
  readonly secondFactors: SecondFactors;
  readonly sentInvitations: SentInvitations;
  readonly sessions: Sessions;
  readonly grants: Grants;
  readonly exchanges: Exchanges;
  readonly accessTokens: AccessTokens;
  readonly activity: Activity;
  readonly clock: RecordedClock;
  readonly signingKeys: SigningKeys;
  readonly logouts: Logouts;
  readonly userActivity: UserActivity;
  readonly resources: ResourceServers;
  readonly exchangePolicies: ExchangePolicies;
  readonly trustedIssuers: TrustedIssuers;
  readonly detailedTokens: DetailedTokens;
  readonly assertedGrants: AssertedGrants;
  readonly upstreamProviders: UpstreamProviders;
  readonly upstreamAccounts: UpstreamAccounts;
  readonly changedSettings: ChangedSettings;
}

/** Functions that decrypt the encrypted parts of the log. */
export interface Unsealers {
  readonly users: Unseal;
  readonly clients: OpenSecret;
}

export function createProjections({ users: unseal, clients: openSecret }: Unsealers): Projections {
  const clients = createClients(openSecret);
  const users = createUsers(unseal);
  const sessions = createSessions();
  const assertedGrants = createAssertedGrants();
  const grants = createGrants(sessions, assertedGrants);
  const clock = createRecordedClock();
  const isClientEnabled = (clientId: ClientId): boolean => {
    const client = clients.find(clientId);
    return client !== undefined && client.disabledAt === undefined;
  };
  const isClientRegistered = (clientId: ClientId): boolean => clients.find(clientId) !== undefined;
  const exchanges = createExchanges({
    isGrantLive: grants.isLive,
    hasGrantEnded: (grantId) => accessTokens.hasGrantEnded(grantId),
    isClientEnabled,
    isClientRegistered,
    assertedGrants,
  });
  const accessTokens = createAccessTokens({
    isGrantLive: grants.isLive,
    isExchangeLive: exchanges.isLive,
    isExchangeLiveOrPaused: exchanges.isLiveOrPaused,
    grantsOfIssuer: assertedGrants.listByIssuer,
    wasEndedByClock: clock.hasEnded,
    isClientEnabled,
    isClientRegistered,
    restrictedScopesOf: (clientId, userId) =>
      delegableScopes(
        clients.find(clientId)?.restrictedScopes ?? [],
        userId === null ? null : (users.find(userId)?.roles ?? []),
      ),
  });
  return {
    clients,
    users,
    clientDomains: createClientDomains(),
    groups: createGroups(),
    passkeys: createPasskeys(unseal),
    secondFactors: createSecondFactors(unseal),
    sentInvitations: createSentInvitations(),
    sessions,
    grants,
    exchanges,
    accessTokens,
    activity: createActivity(),
    clock,
    signingKeys: createSigningKeys(),
    userActivity: createUserActivity(),
    resources: createResourceServers(),
    exchangePolicies: createExchangePolicies(),
    trustedIssuers: createTrustedIssuers(),
    detailedTokens: createDetailedTokens(),
    assertedGrants,
    upstreamProviders: createUpstreamProviders(),
    upstreamAccounts: createUpstreamAccounts(),
    changedSettings: createChangedSettings(),
    logouts: createLogouts({
      findStarted: sessions.findStarted,
      logoutUriOf: (clientId) => clients.find(clientId)?.openid.backchannelLogoutUri,
    }),
  };
}

/**
 * Returns the projections in the order in which they receive events: grants come after sessions and asserted grants,
 * exchanges after grants, access tokens after exchanges and clients, and logouts after sessions and clients.
 */
export function orderedProjections(projections: Projections): readonly Projection[] {
  const { clients, users, groups, passkeys, secondFactors, sessions, grants, exchanges } = projections;
  const { accessTokens, activity, clock, signingKeys, logouts, userActivity, resources, clientDomains } = projections;
  const { exchangePolicies, trustedIssuers, detailedTokens, assertedGrants } = projections;
  const { upstreamProviders, upstreamAccounts, changedSettings, sentInvitations } = projections;
  return [
    clients,
    users,
    groups,
    passkeys,
    secondFactors,
    sessions,
    assertedGrants,
    grants,
    exchanges,
    activity,
    userActivity,
    clock,
    signingKeys,
    logouts,
    resources,
    clientDomains,
    exchangePolicies,
    trustedIssuers,
    detailedTokens,
    upstreamProviders,
    upstreamAccounts,
    changedSettings,
    sentInvitations,
    accessTokens,
  ];
}
