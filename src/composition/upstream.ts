import type { Accounts } from '../accounts/accounts.ts';
import type { AdministratorLogins } from '../accounts/administrator-logins.ts';
import type { GroupDirectory } from '../accounts/group-directory.ts';
import type { KeepAnAdministrator } from '../accounts/last-administrator.ts';
import type { Vault } from '../accounts/personal-data.ts';
import { createSecurityNotices } from '../accounts/security-notices.ts';
import { createLinkedAccounts } from '../accounts/upstream-accounts.ts';
import type { Config } from '../config/config.ts';
import type { Position } from '../event-store/event-log.ts';
import { createPublishedKeys, type PublishedKeys } from '../oauth/clients/published-keys.ts';
import { mintId } from '../oauth/credentials/credentials.ts';
import type { SigningKeys } from '../oauth/signing/signing-keys.ts';
import { createLastTests } from '../oauth/upstream/last-tests.ts';
import { createUpstreamTokenVerifier } from '../oauth/upstream/id-tokens.ts';
import { createProviderMetadataReader } from '../oauth/upstream/provider-metadata.ts';
import { createProviderRegistry } from '../oauth/upstream/provider-registry.ts';
import { createProviderSecrets } from '../oauth/upstream/provider-secrets.ts';
import { createProviderTester } from '../oauth/upstream/provider-test.ts';
import { createStartedLogins } from '../oauth/upstream/started-logins.ts';
import { createTokenRequests } from '../oauth/upstream/token-requests.ts';
import { createUpstreamLogins } from '../oauth/upstream/upstream-logins.ts';
import type { Egress } from '../platform/egress/egress.ts';
import type { CookieKeys } from '../platform/keys/cookie-keys.ts';
import type { Keys } from '../platform/keys/keys.ts';
import type { RateLimits } from '../platform/limits/rate-limits.ts';
import type { Emails } from '../language/emails.ts';
import type { Clock, Entropy, Ticks } from '../platform/ports.ts';
import type { Projections } from '../projections/projections.ts';
import type { CommandHandlers } from './command-handlers.ts';

/** Creates the parts for logins through providers. */
export function createUpstreamParts(deps: {
  readonly projections: Pick<Projections, 'upstreamProviders' | 'upstreamAccounts' | 'users' | 'groups'>;
  readonly commands: Pick<CommandHandlers, 'upstreamProviders' | 'upstreamAccounts'>;
  readonly accounts: Accounts;
  readonly administratorLogins: AdministratorLogins;
  readonly keepAnAdministrator: KeepAnAdministrator;
  readonly groupDirectory: GroupDirectory;
  readonly vault: Pick<Vault, 'seal' | 'tryUnseal'>;
  readonly egress: Egress;
  readonly keys: Pick<Keys, 'upstreamSubjects' | 'providerSecrets'>;
  readonly cookieKeys: Pick<CookieKeys, 'pendingLogins'>;
  readonly signingKeys: Pick<SigningKeys, 'sign'>;
  readonly limits: RateLimits;
  readonly emails: Emails;
  readonly entropy: Entropy;
  readonly clock: Clock;
  readonly issuer: () => string;
  readonly position: () => Position;
  readonly settings: Pick<Config, 'outgoingHttp'>;
}) {
  const { projections, commands, keepAnAdministrator, egress, keys, entropy, issuer, settings } = deps;
  const { ticks } = deps.clock;
  const { upstreamProviders: providers, upstreamAccounts: links, users } = projections;
  const secrets = createProviderSecrets(keys.providerSecrets, entropy);
  const readMetadata = createProviderMetadataReader(egress, settings);
  // Separate from the cache of client keys, which anyone could fill by registering many clients.
  const providerKeys = createPublishedKeys(egress, ticks);
  const mintStringId = (): string => mintId(entropy);
  const tokenRequests = createTokenRequests({
    egress,
    secrets,
    signingKeys: deps.signingKeys,
    mintId: mintStringId,
    issuer,
  });
  const lastProviderTests = createLastTests(
    createProviderTester({
      ...createUncachedReaders(egress, ticks, settings),
      tokenRequests,
      mintId: mintStringId,
    }),
  );
  return {
    providerRegistry: createProviderRegistry({
      commands: commands.upstreamProviders,
      providers,
      secrets,
      keepAnAdministrator,
      settings,
    }),
    lastProviderTests,
    testProvider: lastProviderTests.test,
    upstreamLogins: createUpstreamLogins({
      providers,
      startedLogins: createStartedLogins(deps.cookieKeys.pendingLogins, entropy),
      readMetadata,
      tokenRequests,
      verifyToken: createUpstreamTokenVerifier(providerKeys),
      loginObserver: lastProviderTests.loginObserver,
      entropy,
      issuer,
    }),
    linkedAccounts: createLinkedAccounts({
      commands: commands.upstreamAccounts,
      accounts: deps.accounts,
      users,
      links,
      providers,
      groups: projections.groups,
      groupDirectory: deps.groupDirectory,
      logins: deps.administratorLogins,
      vault: deps.vault,
      limits: deps.limits,
      notices: createSecurityNotices(deps.emails, issuer),
      key: keys.upstreamSubjects,
      position: deps.position,
    }),
  };
}

/** Creates readers for connection tests. They use no cache, because a test must show how the provider responds now. */
function createUncachedReaders(egress: Egress, ticks: Ticks, settings: Pick<Config, 'outgoingHttp'>) {
  const uncachedEgress: Pick<Egress, 'getJson'> = {
    getJson: async (purpose, url) => (await egress.readJson(purpose, url)).document,
  };
  const keys: Pick<PublishedKeys, 'find'> = {
    find: (uri, matches) => createPublishedKeys(egress, ticks).find(uri, matches),
  };
  return { readMetadata: createProviderMetadataReader(uncachedEgress, settings), keys };
}
