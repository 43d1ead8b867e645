import type { RecordedHead } from '../audit/proofs/head-file.ts';
import type { Config } from '../config/config.ts';
import type { RefusalStore } from '../oauth/refusals/refusal-store.ts';
import type { Certificate } from '../platform/certificates/certificate.ts';
import type { Resolve } from '../platform/egress/egress.ts';
import { UNLIMITED_SPACE, type DiskSpace } from '../platform/files/disk-space.ts';
import { withCurrentCookieKey } from '../platform/keys/cookie-keys.ts';
import type { GenerateSigningKey } from '../platform/keys/key-pairs.ts';
import type { Keys } from '../platform/keys/keys.ts';
import type { Limits } from '../platform/limits/limits.ts';
import type { MailTransport } from '../platform/mail/mail-message.ts';
import { createMetrics, type Metrics } from '../platform/metrics/metrics.ts';
import { systemTimer, type Clock, type Entropy, type PasswordHasher, type StartTimer } from '../platform/ports.ts';
import { createAccountParts } from './accounts.ts';
import { createDetailParts } from './authorization-details.ts';
import { createAuthorizationParts } from './authorization.ts';
import { createClientAuthenticationParts } from './client-authentication.ts';
import { createClientParts } from './clients.ts';
import { createCredentials } from './credentials.ts';
import type { DataDirectory } from './data-directory.ts';
import { createDeviceParts } from './devices.ts';
import { createEmailParts } from './emails.ts';
import { createForeignTokenParts } from './foreign-tokens.ts';
import { createIncidentParts } from './incidents.ts';
import { createIssuedTokenParts } from './issued-tokens.ts';
import { createLoginParts } from './logins.ts';
import { createMonitoringParts } from './monitoring.ts';
import { createNetworkParts } from './network.ts';
import { createOpenIdParts } from './openid.ts';
import { createRegistries } from './registries.ts';
import { createSettingParts } from './settings.ts';
import { startStorage } from './storage.ts';
import { createTokenChecks } from './token-checks.ts';
import { createTokenEndpointParts } from './token-endpoint.ts';
import { createUpstreamParts } from './upstream.ts';
import { createUserServices } from './user-services.ts';

export interface ServiceDeps extends Omit<DataDirectory, 'keys'> {
  readonly keys: Keys;
  /** The head that was recorded when the log was last open; undefined if no head was recorded. */
  readonly recordedHead: RecordedHead | undefined;
  readonly config: Config;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly hasher: PasswordHasher;
  /** The public base URL. A function, because a port that the system assigns is not known until the server listens. */
  readonly issuer: () => string;
  /** By default, metrics that use `clock`. */
  readonly metrics?: Metrics;
  /** Replaces the generation of signing keys, which is slow for RSA. */
  readonly generateSigningKey?: GenerateSigningKey;
  /** Replaces the product's limits, for tests that send thousands of requests from one address. */
  readonly limits?: Limits;
  /** The authorities that issue certificates to clients; none by default. */
  readonly clientAuthorities?: readonly Certificate[];
  /** The free disk space; unlimited by default. */
  readonly space?: DiskSpace;
  /** Starts the timers for outgoing requests, e-mails and deliveries; by default, system timers. */
  readonly startTimer?: StartTimer;
  /** Replaces the mail transport from the settings. */
  readonly mailTransport?: MailTransport;
  /** Resolves the host names of other servers; by default, with the system's resolver. */
  readonly resolve?: Resolve;
  /** Preserves the explanations of refusals across restarts. By default, they are only in memory. */
  readonly refusalStore?: RefusalStore;
  /** Receives a line for the operator about each problem that no response to a request reports. */
  readonly notice?: (line: string) => void;
  /** Receives a line about each startup step. */
  readonly report?: (line: string) => void;
}

/** The parts of a running service. Each command, page and endpoint declares the parts that it uses. */
export type Service = Awaited<ReturnType<typeof createService>>;

/**
 * Creates every part of the service, and replays the events after the newest snapshot. Resolves when the projections
 * are up to date. Each step declares the members of earlier steps that it uses.
 */
export async function createService(deps: ServiceDeps) {
  const { config, keys, entropy, hasher, issuer, signingKeyring, generateSigningKey, refusalStore } = deps;
  const { limits: customLimits, resolve, mailTransport, clientAuthorities = [], notice = () => {} } = deps;
  const { space = UNLIMITED_SPACE, startTimer = systemTimer, snapshots, tiles, checkpoints, heads } = deps;

  const { parts: storageParts, ...storage } = await startStorage({ ...deps, space, notice });
  const { log, settings, commands } = storage;
  const { metrics = createMetrics({ ticks: storageParts.clock.ticks }) } = deps;
  const environment = { keys, entropy, hasher, issuer, metrics, space, startTimer, notice };
  const base = { ...environment, ...storage, ...storageParts };

  const credentials = createCredentials({ ...base, signingKeyring, generateSigningKey });
  const { subjects, resources, signingKeys, keyRotation, isGenuine, catchUpIfGenuine } = credentials;
  const tokenChecks = createTokenChecks({ ...base, ...credentials });
  const { presentedTokens, postMortem } = tokenChecks;

  const accountStore = createAccountParts(base);
  const { hashing, administratorLogins, groupDirectory } = accountStore;
  const network = createNetworkParts({ ...base, customLimits, resolve });
  const { limits, egress } = network;
  const { mailer, mailLinks, ...mail } = createEmailParts({ ...base, limits, mailTransport });
  const logins = createLoginParts({ ...base, ...accountStore, ...mail, limits });
  const upstream = createUpstreamParts({ ...base, ...accountStore, ...network, ...mail, ...logins, signingKeys });

  const foreignTokens = createForeignTokenParts({ ...base, egress });
  const { findClientKeys } = foreignTokens;
  const clients = createClientParts({ ...base, ...network, ...foreignTokens, hashing });
  const clientDeps = { ...network, ...foreignTokens, ...clients, hashing, clientAuthorities };
  const clientAuthentication = createClientAuthenticationParts({ ...base, ...clientDeps });

  const details = createDetailParts({ ...base, resources });
  const { tokenDetails, presentedDetails, managedGrants } = details;
  const tokens = { ...credentials, ...tokenChecks, ...details };
  const { pendingDevices, ...devices } = createDeviceParts({ ...base, ...tokens, ...network });
  const grantTypeDeps = { ...tokens, ...foreignTokens, ...logins, pendingDevices };
  const tokenEndpoint = createTokenEndpointParts({ ...base, ...grantTypeDeps, limits });
  const issuedTokens = createIssuedTokenParts({ ...base, ...tokens });
  const openId = createOpenIdParts({ ...base, ...tokens, egress });

  const evidence = { tiles, checkpoints, heads };
  const monitoring = createMonitoringParts({
    ...base,
    ...network,
    ...evidence,
    config,
    hashing,
    snapshots,
    refusalStore,
  });
  const userServices = createUserServices({ ...base, ...mail, mailLinks, ...logins, ...upstream });
  const authorization = createAuthorizationParts({ ...base, ...tokens, ...network, ...foreignTokens, ...clients });
  const registries = createRegistries({ ...base, ...foreignTokens, resources });
  const settingParts = createSettingParts({ ...base, baseSettings: config });
  const incidents = createIncidentParts({ ...base, ...clients, ...userServices, keyRotation });

  async function close(): Promise<void> {
    egress.close();
    await mailer.close();
    await openId.logoutDeliveries.close();
    await refusalStore?.close();
    await storage.close();
  }

  return {
    ...storageParts,
    config: settings,
    log: { ...log, failed: storage.failed },
    inspection: { log, ...evidence },
    grantCommands: commands.grants,
    clockCommands: commands.clock,
    keys: withCurrentCookieKey(keys, storageParts.cookieKeys),
    signingKeyring,
    entropy,
    issuer,
    metrics,
    space,
    subjects,
    resources,
    signingKeys,
    keyRotation,
    isGenuine,
    catchUpIfGenuine,
    presentedTokens,
    postMortem,
    hashing,
    administratorLogins,
    groupDirectory,
    limits,
    egress,
    ...mail,
    ...logins,
    ...upstream,
    findClientKeys,
    ...clients,
    ...clientAuthentication,
    tokenDetails,
    presentedDetails,
    managedGrants,
    ...devices,
    ...tokenEndpoint,
    ...issuedTokens,
    ...openId,
    ...monitoring,
    ...userServices,
    ...authorization,
    ...registries,
    ...settingParts,
    ...incidents,
    close,
  };
}
