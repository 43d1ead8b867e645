import { limitsFor, type Limits } from '../platform/limits/limits.ts';
import { createRateLimits } from '../platform/limits/rate-limits.ts';
import { createAccountExporter } from '../accounts/account-export.ts';
import { createEmailBrand } from '../config/email-brand.ts';
import { createEmails } from '../language/emails.ts';
import { createTranslators } from '../language/translators.ts';
import { createDpopProofs } from '../oauth/dpop/dpop-proofs.ts';
import { suggestIds, type LeakedSource } from '../audit/queries/leaked-source.ts';
import { createRemovalForecasts } from '../audit/queries/removal-forecasts.ts';
import { createActivityDescriber } from '../audit/queries/own-activity.ts';
import { createAccountLinks } from '../accounts/account-links.ts';
import { createAccountMailer } from '../accounts/account-mailer.ts';
import { withAccountNotices } from '../accounts/account-notices.ts';
import { createMailLinks } from '../accounts/mail-links.ts';
import { createAccounts } from '../accounts/accounts.ts';
import { createAdministratorLogins } from '../accounts/administrator-logins.ts';
import { createChallenges } from '../accounts/challenges.ts';
import { createGuardedPasswords } from '../accounts/guarded-passwords.ts';
import { createClientDirectory } from '../oauth/clients/client-directory.ts';
import { createClientDocuments } from '../oauth/clients/client-documents.ts';
import { createDomainList } from '../oauth/clients/domain-list.ts';
import { createPushAuthentication } from '../oauth/clients/push-authentication.ts';
import { createClientKeyFinder } from '../oauth/clients/client-key-finder.ts';
import { createPublishedKeys } from '../oauth/clients/published-keys.ts';
import { createLoginNotifier } from '../accounts/login-notifier.ts';
import { endedInvitationKeys } from '../accounts/invitation-keys.ts';
import { createInvitations } from '../accounts/invitations.ts';
import { createLoginSessions } from '../accounts/login-sessions.ts';
import { createAdministratorKeeper } from '../accounts/last-administrator.ts';
import { createPasskeyLogins } from '../accounts/passkeys.ts';
import { relyingPartyFor } from '../accounts/relying-party.ts';
import { createSecondFactorDeps } from './second-factors.ts';
import { createUpstreamDeps } from './upstream.ts';
import { createSetup } from '../accounts/setup.ts';
import type { RecordedHead } from '../audit/proofs/head-file.ts';
import { createCommandHandlers } from './command-handlers.ts';
import { createCredentials } from './credentials.ts';
import { createDetailSeals } from '../oauth/details/detail-seals.ts';
import {
  createIntrospectedDetails,
  createIssuedDetails,
  createPresentedDetails,
} from '../oauth/details/presented-details.ts';
import { createTokenDetails } from '../oauth/details/token-details.ts';
import { createDeviceDeps } from './devices.ts';
import { composeDynamicRegistration } from './dynamic-registration.ts';
import { createExchangeTokenReader } from './exchanges.ts';
import { createGrantTypes } from './grant-types.ts';
import type { Config } from '../config/config.ts';
import { liveConfig } from '../config/live-config.ts';
import { createEveryNode } from '../event-store/every-node.ts';
import { createScopeChanges } from '../oauth/settings/scope-changes.ts';
import { createOwnTexts } from '../oauth/settings/own-texts.ts';
import { createSettingChanges } from '../oauth/settings/setting-changes.ts';
import { createScopeUseFinder } from '../operations/scope-use.ts';
import { forecastSettingValue } from '../operations/setting-forecast.ts';
import type { ForecastSetting } from '../oauth/settings/forecast.ts';
import type { DataDirectory } from './data-directory.ts';
import { followErasures } from './followed-erasures.ts';
import { createConfiguredMailer } from './mail.ts';
import { createMailExamples } from './mail-examples.ts';
import { reportClockProblem } from './clock-behind.ts';
import { joinLog } from './joined-log.ts';
import { serviceState } from './service-state.ts';
import { createConstantWorkVerifier } from '../accounts/constant-work-verifier.ts';
import { clientStream } from '../domain/streams.ts';
import type { EpochSeconds, GrantId, GroupId, UserId } from '../domain/values.ts';
import { isDiskFull, assertSpace, withSpaceCheck } from '../event-store/out-of-space.ts';
import { createGroupDirectory } from '../accounts/group-directory.ts';
import { createPasswordHashing } from '../platform/hashing/password-hashing.ts';
import { createAuthorizationResponseBuilder } from '../oauth/endpoints/authorization-response.ts';
import { createAuthorizationEndpoint } from '../oauth/endpoints/authorization-endpoint.ts';
import { createUserChosenSecrets } from '../oauth/clients/user-chosen-secrets.ts';
import { createAcceptAssertion } from '../oauth/clients/accepted-assertions.ts';
import { createCertificateAuthentication } from '../oauth/clients/certificate-authentication.ts';
import type { CertificateSupport } from '../oauth/endpoints/certificate-metadata.ts';
import { mtlsBase, receivesCertificates } from '../config/tls-settings.ts';
import type { Certificate } from '../platform/certificates/certificate.ts';
import { createClientAuthentication } from '../oauth/clients/client-authentication.ts';
import { createSecretAuthentication, type ClientLookup } from '../oauth/clients/secret-authentication.ts';
import { hashCredential, mintId } from '../oauth/credentials/credentials.ts';
import { createPresentedTokens } from '../oauth/credentials/presented-tokens.ts';
import { createGrantHistoryReader } from '../oauth/grant-types/grant-history.ts';
import { createHeadReader } from '../audit/proofs/current-head.ts';
import { createIntrospectionSigner } from '../oauth/endpoints/signed-introspection.ts';
import { createIntrospectionEndpoint } from '../oauth/endpoints/introspection.ts';
import { createPostMortem } from '../oauth/grant-types/post-mortem.ts';
import { createInvitationMailer } from '../oauth/clients/invitation-mailer.ts';
import { createInvitationSeal } from '../oauth/clients/invitation-seal.ts';
import { createMemberships } from '../oauth/clients/memberships.ts';
import { createSourceRevoker } from '../oauth/incidents/source-revoker.ts';
import { createRegistration } from '../oauth/clients/registration.ts';
import { createSectorDocuments } from '../oauth/openid/sector-documents.ts';
import { createLogoutRequestReader } from '../oauth/openid/logout-request.ts';
import type { VerifyIdToken } from '../oauth/openid/id-token-hint.ts';
import { createUserinfoReader } from '../oauth/openid/userinfo.ts';
import { createLogoutDeliveries } from '../oauth/openid/logout-deliveries.ts';
import { createLogoutTokenSigner } from '../oauth/openid/logout-token.ts';
import { createSubjectLookup, createSubjects } from '../oauth/openid/subjects.ts';
import { createExchangePolicyRegistry } from '../oauth/exchange/policy-registry.ts';
import { createAssertionAuthenticator } from '../oauth/issuers/assertion-authentication.ts';
import { createAssertionNames } from '../oauth/issuers/assertion-names.ts';
import { createForeignSubjects } from '../oauth/issuers/foreign-subjects.ts';
import { createForeignTokenReader } from '../oauth/issuers/foreign-tokens.ts';
import { createTrustedIssuerRegistry } from '../oauth/issuers/issuer-registry.ts';
import { createRevocationEndpoint } from '../oauth/endpoints/revocation.ts';
import { createManagedGrants } from '../oauth/endpoints/requested-management.ts';
import { createGrantManagement } from '../oauth/endpoints/grant-management.ts';
import { createEffectiveScope } from '../oauth/endpoints/restricted-scopes.ts';
import { createEffectiveTokens } from '../oauth/endpoints/effective-tokens.ts';
import { createKnownResources } from '../oauth/resources/known-resources.ts';
import { createResourceRegistry } from '../oauth/resources/resource-registry.ts';
import { createIdTokens, ID_TOKEN_TYPE } from '../oauth/openid/id-token.ts';
import { createLoginSeal } from '../oauth/openid/demanded-login.ts';
import { createRequestSeal } from '../oauth/credentials/sealed-request.ts';
import { createEffectiveRequests } from '../oauth/requests/effective-requests.ts';
import { createPushedRequestHandler } from '../oauth/requests/pushed-requests.ts';
import { createRequestUris } from '../oauth/requests/request-uris.ts';
import { createRequireAcceptedDomain } from '../oauth/clients/document-policy.ts';
import { createTokenEndpoint } from '../oauth/endpoints/token-endpoint.ts';
import { sealedBroadcast } from '../platform/broadcast/sealed-broadcast.ts';
import { createEgress, type Resolve } from '../platform/egress/egress.ts';
import type { MailTransport } from '../platform/mail/mail-message.ts';
import { createMetrics, type Metrics } from '../platform/metrics/metrics.ts';
import { systemTimer, type Clock, type Entropy, type PasswordHasher, type StartTimer } from '../platform/ports.ts';
import { createProjectionsAsOf, startProjections, createRebuild } from './running-projections.ts';
import { createExplanations } from '../oauth/refusals/explanations.ts';
import type { RefusalStore } from '../oauth/refusals/refusal-store.ts';
import { shareExplanations } from '../oauth/refusals/shared-explanations.ts';
import { createSnapshots } from '../event-store/snapshots/snapshots.ts';
import { watchKeys, withCurrentCookieKey } from '../platform/keys/cookie-keys.ts';
import { generateSigningKey, type GenerateSigningKey } from '../platform/keys/key-pairs.ts';
import type { Keys } from '../platform/keys/keys.ts';
import { UNLIMITED_SPACE, type DiskSpace } from '../platform/files/disk-space.ts';
import { createVaults, watchSealKeys } from './vaults.ts';

/** The dependencies of the service. */
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
  /** Finds the addresses of other servers; by default, the system's resolver. */
  readonly resolve?: Resolve;
  /** Stores explanations of refusals for later runs; without it, they are only in memory. */
  readonly refusalStore?: RefusalStore;
  /** Receives a line for the operator about each problem that is not the error of a request. */
  readonly notice?: (line: string) => void;
  /** Receives a line about each startup step. */
  readonly report?: (line: string) => void;
}

/** The parts of a running service. Each command, page and endpoint declares the parts that it uses. */
export type Service = Awaited<ReturnType<typeof createService>>;

/**
 * Creates every part of the service, and replays the log from the newest snapshot. Resolves when the projections are up
 * to date.
 */
export async function createService(deps: ServiceDeps) {
  const { config: baseConfig, keys, entropy, hasher, issuer, notice = () => {} } = deps;
  const { space = UNLIMITED_SPACE } = deps;
  const { maxStalenessSeconds } = baseConfig;
  const joinedLog = joinLog(deps.log, { clock: deps.clock, maxStalenessSeconds, notice });
  const { log, clock } = joinedLog ?? deps;
  const { metrics = createMetrics({ ticks: clock.ticks }) } = deps;
  const { users: vault, clients: secretVault, open } = createVaults(deps, entropy, () => assertSpace(space));
  const snapshots = createSnapshots({
    store: deps.snapshots,
    key: keys.snapshots,
    log,
    everyEvents: baseConfig.snapshotEvents,
    isWriter: () => deps.checkpoints.shared?.isLeader() ?? true,
    space,
    notice,
  });
  const commands = createCommandHandlers(withSpaceCheck(log, space), clock.now, joinedLog !== undefined);
  const erasures = followErasures();
  const { cookieKeys, ...watchedKeys } = watchKeys(keys, { store: deps.keyStore, clock: deps.clock, notice });
  await watchedKeys.check();
  const runningProjections = await startProjections({
    ...deps,
    log: joinedLog?.withFollowers(commands.follow, erasures.follow) ?? log,
    key: keys.log,
    snapshots,
    open,
    notice,
    ticks: clock.ticks,
  });
  const { projections, attestation, projector, headKeeper, backgroundCheck } = runningProjections;
  const { clients, users, sessions, grants: liveGrants, accessTokens, clock: recordedClock } = projections;
  const config = liveConfig(baseConfig, projections.changedSettings.values);
  reportClockProblem(recordedClock.newestAt(), clock.now(), notice);

  let isLogWritable = true;
  void attestation.diverged.then(({ message }) => joinedLog?.stop(message));
  const failed = Promise.race([log.failed, attestation.diverged]);
  void failed.then((cause) => {
    isLogWritable = false;
    return isDiskFull(cause) ? space.makeRoom() : undefined;
  });

  const freshness = joinedLog?.freshness(projector.position);
  const { grants, clock: clockCommands } = commands;
  const now = (): number => Math.floor(clock.now() / 1000);
  const grantsInTime = { isLive: (grantId: GrantId) => liveGrants.isLiveAt(grantId, now()), find: liveGrants.find };
  const sealKeys = await watchSealKeys(deps, {
    projections,
    clientState: commands.clients.state,
    clock,
    notice,
  });
  erasures.start(sealKeys);
  const { lostKeys, lostClientKeys } = sealKeys;
  const groupsOf = projections.groups.namesOf;
  const subjects = createSubjects(keys.subjects);
  const subjectFor = createSubjectLookup(subjects, clients.find);
  const resources = createKnownResources(projections.resources, () => [issuer(), ...config.resources], config);
  const {
    signingKeys,
    keyRotation,
    signatures,
    formatAccessToken,
    repeatAccessToken,
    refreshTokens,
    wasIssued,
    credentials,
    deviceCodes,
    isGenuine,
    catchUpIfGenuine,
  } = createCredentials({
    ...deps,
    config,
    issuer,
    subjectFor,
    groupsOf,
    now,
    log,
    grants,
    accessTokens,
    freshness,
    recordedKeys: projections.signingKeys,
    commands: commands.signingKeys,
    mustHaveSpace: () => assertSpace(space),
    generateSigningKey: deps.generateSigningKey ?? generateSigningKey,
    notice,
  });
  const narrowScope = createEffectiveScope(users, resources);
  const presentedTokens = createPresentedTokens(createEffectiveTokens(accessTokens, config, resources), signatures);
  const hashing = createPasswordHashing(hasher, clock.ticks);
  const administratorLogins = createAdministratorLogins({
    users,
    passkeys: projections.passkeys,
    links: projections.upstreamAccounts,
    providers: projections.upstreamProviders,
    issuerOf: ({ userId, sealed }) => vault.tryUnseal(userId, sealed)?.upstream?.issuer,
    offersPasskeys: () => relyingPartyFor(issuer()) !== undefined,
  });
  const keepAnAdministrator = createAdministratorKeeper(administratorLogins);
  const plainAccounts = createAccounts({
    commands: commands.users,
    users,
    vault: { ...vault, erase: lostKeys.erase },
    hashing,
    position: projector.position,
    mintUserId: () => mintId<UserId>(entropy),
    namesKey: keys.names,
    keepAnAdministrator,
    verifier: createConstantWorkVerifier({ hasher, entropy, maxIterations: users.maxIterations }),
  });
  const broadcast = log.shared?.broadcast && sealedBroadcast(log.shared.broadcast, keys.messages, entropy);
  const limits = createRateLimits({
    limits: deps.limits ?? limitsFor(config),
    ticks: clock.ticks,
    key: keys.limits,
    broadcast,
  });
  const mailer = createConfiguredMailer({
    config,
    clock,
    entropy,
    startTimer: deps.startTimer ?? systemTimer,
    issuer,
    metrics,
    notice,
    transport: deps.mailTransport,
  });
  const emails = createEmails({
    mailer,
    translators: createTranslators(config),
    brand: createEmailBrand(config),
    languages: config.languages,
  });
  const mailLinks = createMailLinks(keys.mailLinks, entropy);
  const accountLinks = createAccountLinks({ links: mailLinks, users, issuer });
  const accountMailer = createAccountMailer({ emails, links: accountLinks, users, limits, issuer, now });
  const accounts = withAccountNotices(plainAccounts, users, accountMailer);
  const passwords = createGuardedPasswords({
    accounts,
    users,
    hashing,
    limits,
    areOff: projections.upstreamProviders.areRequired,
    catchUp: freshness?.catchUpThrottled,
  });
  const secretVerifier = createConstantWorkVerifier({ hasher, entropy, maxIterations: clients.maxIterations });
  const chosenSecrets = createUserChosenSecrets({
    verifier: secretVerifier,
    hashing,
    commands: commands.clients,
    clients,
    vault: secretVault,
    entropy,
  });
  const egress = createEgress({
    settings: config,
    ticks: clock.ticks,
    startTimer: deps.startTimer ?? systemTimer,
    key: keys.limits,
    observe: metrics.outgoing.observe,
    ...(deps.resolve && { resolve: deps.resolve }),
  });
  const publishedKeys = createPublishedKeys(egress, clock.ticks);
  const findClientKeys = createClientKeyFinder(publishedKeys);
  const { clientAuthorities = [] } = deps;
  const certificateSupport: CertificateSupport = {
    receivesCertificates: receivesCertificates(config),
    hasAuthorities: clientAuthorities.length > 0,
    mtlsBase: () => mtlsBase(config, issuer()),
  };
  const assertionNames = createAssertionNames(keys.names);
  const foreignSubjects = createForeignSubjects(users, assertionNames);
  const readForeignToken = createForeignTokenReader({
    trustedIssuers: projections.trustedIssuers,
    findClientKeys,
    issuer,
  });
  const createAuthentication = (clientLookup: ClientLookup) =>
    createClientAuthentication({
      authenticateBySecret: createSecretAuthentication(
        clientLookup,
        chosenSecrets,
        limits.clientSecrets,
        freshness?.catchUpThrottled,
      ),
      acceptAssertion: createAcceptAssertion(commands.clientAssertions, keys.names),
      clients: { find: clients.find, findClientKeys },
      authenticateByIssuer: createAssertionAuthenticator({
        trustedIssuers: projections.trustedIssuers,
        clients,
        readForeignToken,
      }),
      authenticateByCertificate: createCertificateAuthentication({
        authorities: clientAuthorities,
        findClientKeys,
        mtlsBase: certificateSupport.mtlsBase,
      }),
      catchUp: freshness?.catchUpThrottled,
      limits,
      issuer,
    });
  const clientAuthentication = createAuthentication(clients);
  const postMortem = createPostMortem({
    history: createGrantHistoryReader({ log, clock }),
    accessTokens,
    exchanges: projections.exchanges,
    signatures,
    clients,
    users,
    issuer,
    settings: config,
  });
  const verifyIdToken: VerifyIdToken = (jws) =>
    signingKeys.verify(jws, { types: [ID_TOKEN_TYPE], now: now() as EpochSeconds });
  const idTokens = createIdTokens({ keys: signingKeys, subjects, users, groupsOf, issuer });
  const challenges = createChallenges(keys.challenges, clock.now, entropy);
  const passkeyLogins = createPasskeyLogins({
    commands: commands.users,
    users,
    passkeys: projections.passkeys,
    vault,
    limits,
    position: projector.position,
    challenges,
    issuer,
    keepAnAdministrator,
    settings: config,
  });
  const secondFactorDeps = createSecondFactorDeps({
    projections,
    commands: commands.users,
    vault,
    limits,
    keys,
    cookieKeys,
    passkeyLogins,
    challenges,
    keepAnAdministrator,
    emails,
    entropy,
    clock,
    position: projector.position,
    issuer,
    settings: config,
  });
  const tokenDetails = createTokenDetails(
    createDetailSeals({ users: vault, clients: secretVault, entropy }),
    resources,
  );
  const { detailedTokens, exchanges } = projections;
  const issuedDetails = createIssuedDetails({ detailedTokens, grants: liveGrants, exchanges });
  const managedGrants = createManagedGrants(projections.grants, tokenDetails);
  const presentedDetails = createPresentedDetails({
    detailedTokens,
    issuedDetails,
    tokenDetails,
    resources,
  });
  const groupDirectory = createGroupDirectory({
    groupCommands: commands.groups,
    userCommands: commands.users,
    groups: projections.groups,
    mintGroupId: () => mintId<GroupId>(entropy),
  });
  const upstreamDeps = createUpstreamDeps({
    projections,
    commands,
    accounts,
    administratorLogins,
    keepAnAdministrator,
    groupDirectory,
    vault,
    egress,
    keys,
    cookieKeys,
    signingKeys,
    limits,
    emails,
    entropy,
    ticks: clock.ticks,
    issuer,
    position: projector.position,
    settings: config,
  });
  const { pendingDevices, ...deviceDeps } = createDeviceDeps({
    tokenDetails,
    codes: deviceCodes,
    cookieKeys,
    entropy,
    broadcast,
    limits,
    grants,
    clients: projections.clients,
    resources,
    issuer,
    now,
    settings: config,
  });
  const grantTypes = createGrantTypes({
    tokenDetails,
    readSubjects: createExchangeTokenReader({
      projections,
      sessions: commands.sessions,
      grants,
      grantsInTime,
      presentedTokens,
      issuedDetails,
      postMortem,
      catchUpIfGenuine,
      freshness,
      verifyIdToken,
      readForeignToken,
      foreignSubjects,
      resources,
      subjectFor,
      issuer,
    }),
    policies: projections.exchangePolicies,
    exchanges: projections.exchanges,
    readForeignToken,
    foreignSubjects,
    assertionNames,
    deviceCodes,
    pendingDevices,
    ticks: clock.ticks,
    secondFactorPolicy: secondFactorDeps.secondFactorPolicy,
    grants,
    entropy,
    credentials,
    formatAccessToken,
    idTokens,
    repeatAccessToken,
    resources,
    liveGrants: grantsInTime,
    refreshTokens,
    wasIssued,
    passwords,
    postMortem,
    effectiveScope: narrowScope,
    settings: config,
  });

  const registration = createRegistration({
    clients: commands.clients,
    registeredClients: clients,
    entropy,
    hashing,
    clock,
    issuer,
    settings: config,
    vault: { ...secretVault, destroy: lostClientKeys.destroy },
    sectorDocuments: createSectorDocuments(egress, limits),
  });
  const dynamicRegistration = composeDynamicRegistration({
    clients,
    commands: commands.clients,
    registration,
    published: publishedKeys,
    key: keys.registrations,
    entropy,
    issuer,
    settings: config,
  });
  const directory = createClientDirectory({
    registeredClients: clients,
    documents: createClientDocuments({
      egress,
      ticks: clock.ticks,
      domains: projections.clientDomains,
      isRemoved: async (id) => (await commands.clients.state(clientStream(id))).status === 'removed',
      onCached: () => metrics.outgoing.observe('client-document', 'cached', 0),
      settings: config,
    }),
    findSelfRegistered: (clientId) => dynamicRegistration.find(clientId, now()),
    commands: commands.clients,
  });
  // Pushing a request records nothing. Accepting an assertion does, so assertions of unrecorded clients are refused.
  const pushAuthentication = createPushAuthentication(
    createAuthentication({ ...clients, find: directory.find }),
    directory,
    limits,
  );
  const requestUris = createRequestUris(cookieKeys.cookies, entropy);
  const effectiveRequests = createEffectiveRequests({
    directory,
    findClientKeys,
    requestUris,
    egress,
    issuer,
    settings: config,
  });
  const logoutDeliveries = createLogoutDeliveries({
    logouts: projections.logouts,
    clients,
    commands: commands.sessions,
    sign: createLogoutTokenSigner({ keys: signingKeys, subjects, issuer, entropy }),
    egress,
    clock,
    startTimer: deps.startTimer ?? systemTimer,
    isLeader: attestation.isLeader,
  });
  runningProjections.onApplied(logoutDeliveries.wake);

  const localExplanations = createExplanations(deps.refusalStore);
  const explanations =
    broadcast === undefined ? localExplanations : shareExplanations(localExplanations, broadcast, clock.ticks);
  const state = metrics.addState(
    serviceState({
      ...deps,
      log,
      clock,
      metrics,
      space,
      isLogWritable: () => isLogWritable,
      projector,
      projections,
      attestation,
      backgroundCheck,
      headKeeper,
      explanations,
      refusalStore: deps.refusalStore,
      limits,
      hashing,
      lostKeys,
      lostClientKeys,
      freshness,
    }),
  );

  const loginSessions = createLoginSessions({
    commands: commands.sessions,
    sessions,
    vault,
    mintSessionId: () => mintId(entropy),
    hashSessionId: hashCredential,
    upstreamBasis: upstreamDeps.linkedAccounts.sessionBasis,
    settings: config,
  });
  const settingChanges = createSettingChanges({
    commands: commands.changedSettings,
    recordedChanges: projections.changedSettings,
    base: baseConfig,
    live: config,
    position: projector.position,
    everyNode: log.shared && createEveryNode(log.shared, clock.ticks, maxStalenessSeconds),
  });
  const projectionsAsOf = createProjectionsAsOf(log, snapshots, open);
  const forecastSetting: ForecastSetting = (name, value, signal) =>
    forecastSettingValue({ log, projectionsAsOf, issuer }, name, value, clock.now(), signal);
  const findScopeUse = createScopeUseFinder({
    log,
    nameOf: (clientId) => clients.find(clientId)?.name ?? clientId,
    now: () => clock.now(),
  });
  const removalForecasts = createRemovalForecasts({ projections, now: () => now() as EpochSeconds, settings: config });
  return {
    clientAuthentication,
    pushAuthentication,
    certificateSupport,
    findClientKeys,
    config,
    clock,
    freshness,
    isGenuine,
    catchUpIfGenuine,
    entropy,
    keys: withCurrentCookieKey(keys, cookieKeys),
    cookieKeys,
    ...sealKeys,
    backgroundCheck,
    issuer,
    resources,
    signingKeys,
    signingKeyring: deps.signingKeyring,
    keyRotation,
    metrics,
    state,
    log: { ...log, failed },
    space,
    isLogWritable: () => isLogWritable,
    projector,
    projections,
    attestation,
    accounts,
    administratorLogins,
    hashing,
    limits,
    passwords,
    inspection: { log, tiles: deps.tiles, checkpoints: deps.checkpoints, heads: deps.heads },
    grantCommands: grants,
    clockCommands,
    loginSessions,
    sourceRevoker: createSourceRevoker({
      ...projections,
      grantCommands: grants,
      registration,
      keyRotation,
      loginSessions,
    }),
    suggestIds: (source: LeakedSource) => suggestIds(source, { log, ...projections }),
    describeActivity: createActivityDescriber({
      log,
      clients,
      exchanges: projections.exchanges,
      grants: liveGrants,
      groups: projections.groups,
      sessions,
      unseal: vault.tryUnseal,
    }),
    ...secondFactorDeps,
    ...upstreamDeps,
    ...deviceDeps,
    passkeyLogins,
    accountExport: createAccountExporter(projections, vault.tryUnseal),
    setup: createSetup(users, entropy, log.shared && keys.setup),
    egress,
    emails,
    accountLinks,
    accountMailer,
    mailExamples: createMailExamples({ emails, config, issuer, now }),
    invitations: createInvitations({
      commands: commands.invitations,
      accounts,
      users,
      sentInvitations: projections.sentInvitations,
      providers: projections.upstreamProviders,
      endedKeys: () => endedInvitationKeys(projections.sentInvitations, deps.personalKeys, now() as EpochSeconds),
      vault: { ...vault, erase: lostKeys.erase },
      links: mailLinks,
      emails,
      mintId: (source = entropy) => mintId(source),
      issuer,
      now,
    }),
    subjects,
    groupDirectory,
    readLogoutRequest: createLogoutRequestReader({ clients, subjects, issuer, verifyIdToken, settings: config }),
    readUserinfo: createUserinfoReader({
      groupsOf,
      clients,
      users,
      grants: liveGrants,
      subjects,
      keys: signingKeys,
      issuer,
      settings: config,
    }),
    notifyOfLogin: createLoginNotifier(emails, issuer),
    invitationMailer: createInvitationMailer(emails),
    memberships: createMemberships({
      commands: commands.clients,
      clients,
      users,
      seal: createInvitationSeal(cookieKeys.cookies, entropy),
      now: () => Math.floor(clock.now() / 1000) as EpochSeconds,
    }),
    registration,
    dynamicRegistration,
    authorization: createAuthorizationEndpoint({
      grants,
      liveGrants,
      credentials,
      buildResponse: createAuthorizationResponseBuilder({
        keys: signingKeys,
        issuer,
        now: () => now() as EpochSeconds,
      }),
      issuer,
      subjects,
      users,
      groupsOf,
      tokenDetails,
      verifyIdToken,
      settings: config,
    }),
    resourceRegistry: createResourceRegistry({
      commands: commands.resources,
      resources: projections.resources,
      clients,
      issuer,
      settings: config,
    }),
    exchangePolicyRegistry: createExchangePolicyRegistry({
      commands: commands.exchangePolicies,
      policies: projections.exchangePolicies,
      clients,
      resources,
    }),
    trustedIssuerRegistry: createTrustedIssuerRegistry({
      commands: commands.trustedIssuers,
      trustedIssuers: projections.trustedIssuers,
      clients,
      users,
      resources,
      names: assertionNames,
      issuer,
      settings: config,
    }),
    settingChanges,
    scopeChanges: createScopeChanges(settingChanges, { base: baseConfig, live: config }),
    ownTexts: createOwnTexts(settingChanges, baseConfig),
    forecastSetting,
    findScopeUse,
    removalForecasts,
    explanations,
    postMortem,
    presentedTokens,
    presentedDetails,
    tokenDetails,
    dpopProofs: createDpopProofs({
      entropy,
      startedAt: now(),
      requiresNonces: log.shared !== undefined,
    }),
    directory,
    domainList: createDomainList(commands.clientDomains),
    effectiveRequests,
    pushRequest: createPushedRequestHandler({
      effectiveRequests,
      requestUris,
      limits,
      resources,
      grants: managedGrants,
      settings: config,
    }),
    requestSeal: createRequestSeal(cookieKeys.cookies, entropy),
    loginSeal: createLoginSeal(cookieKeys.cookies),
    token: createTokenEndpoint(
      grantTypes,
      limits.tokens,
      createRequireAcceptedDomain(projections.clientDomains, config),
      config,
    ),
    grantTypes: grantTypes.map(({ name }) => name),
    grantManagement: createGrantManagement({
      grants: managedGrants,
      grantCommands: grants,
      clients,
      effectiveScope: narrowScope,
      resources,
    }),
    managedGrants,
    revocation: createRevocationEndpoint({
      grants,
      liveGrants,
      accessTokens,
      newestAt: recordedClock.newestAt,
      refreshTokens,
      wasIssued,
      catchUpIfGenuine,
    }),
    signIntrospection: createIntrospectionSigner({
      keys: signingKeys,
      clients,
      issuer,
      logHead: createHeadReader(attestation.tree, issuer),
    }),
    introspection: createIntrospectionEndpoint({
      grants,
      liveGrants: grantsInTime,
      exchanges: projections.exchanges,
      presentedTokens,
      presentedDetails,
      introspectedDetails: createIntrospectedDetails(resources),
      tokenDetails,
      refreshTokens,
      postMortem,
      findUsername: (userId) => users.find(userId)?.username,
      groupsOf,
      subjectFor,
      issuer,
      effectiveScope: narrowScope,
      resources,
      catchUpIfGenuine,
      settings: config,
    }),
    rebuild: createRebuild(log, open),
    projectionsAsOf,
    snapshotsSettled: snapshots.settled,
    logoutDeliveries,
    async close() {
      egress.close();
      await mailer.close();
      await logoutDeliveries.close();
      await deps.refusalStore?.close();
      await space.close();
      await runningProjections.prepareToClose();
      await log.close();
      await space.makeRoom();
      await lostKeys.close();
      await lostClientKeys.close();
      await runningProjections.finish();
      await snapshots.finish();
      watchedKeys.close();
      deps.closeKeys?.();
    },
  };
}
