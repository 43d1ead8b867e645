import type { Accounts } from '../accounts/accounts.ts';
import type { AdministratorLogins } from '../accounts/administrator-logins.ts';
import type { DomainList } from '../oauth/clients/domain-list.ts';
import type { GroupDirectory } from '../accounts/group-directory.ts';
import type { Invitations } from '../accounts/invitations.ts';
import type { LoginSessions } from '../accounts/login-sessions.ts';
import type { LostAccountKeys } from '../accounts/lost-account-keys.ts';
import type { Attestation } from '../audit/proofs/attestation.ts';
import type { BackgroundCheck } from '../audit/proofs/background-check.ts';
import type { Inspection } from '../audit/proofs/verify.ts';
import type { Grant, GrantCommand, GrantEvent, GrantRefusal } from '../domain/authorization-grant.ts';
import type { ClockEvent, ClockRefusal, ConfirmClock } from '../domain/clock.ts';
import type { CommandContext, CommandHandler } from '../event-store/command-handler.ts';
import type { EventLog, RecordedEvent } from '../event-store/event-log.ts';
import type { Freshness } from '../event-store/freshness.ts';
import type { Projector } from '../event-store/projector.ts';
import type { RemovalForecasts } from '../audit/queries/removal-forecasts.ts';
import type { PastProjections } from '../audit/queries/access-report.ts';
import type { LostClientKeys } from '../oauth/clients/lost-client-keys.ts';
import type { FindClientKeys } from '../oauth/clients/client-key-finder.ts';
import type { Memberships } from '../oauth/clients/memberships.ts';
import type { Registration } from '../oauth/clients/registration.ts';
import type { ExchangePolicyRegistry } from '../oauth/exchange/policy-registry.ts';
import type { TrustedIssuerRegistry } from '../oauth/issuers/issuer-registry.ts';
import type { SourceRevoker } from '../oauth/incidents/source-revoker.ts';
import type { ForecastSetting, FindScopeUse } from '../oauth/settings/forecast.ts';
import type { ScopeChanges } from '../oauth/settings/scope-changes.ts';
import type { TextChanges } from '../oauth/settings/own-texts.ts';
import type { SettingChanges } from '../oauth/settings/setting-changes.ts';
import type { ProviderRegistry } from '../oauth/upstream/provider-registry.ts';
import type { TestProvider } from '../oauth/upstream/provider-test.ts';
import type { KnownResources } from '../oauth/resources/known-resources.ts';
import type { ResourceRegistry } from '../oauth/resources/resource-registry.ts';
import type { KeyRotation } from '../oauth/signing/key-rotation.ts';
import type { Clock } from '../platform/ports.ts';
import type { RecordedClock } from '../projections/clock.ts';
import type { AccessTokens } from '../projections/access-tokens.ts';
import type { Clients } from '../projections/clients.ts';
import type { Exchanges } from '../projections/exchanges.ts';
import type { Grants } from '../projections/grants.ts';
import type { ClientDomains } from '../projections/client-domains.ts';
import type { ExchangePolicies } from '../projections/exchange-policies.ts';
import type { UpstreamAccounts } from '../projections/upstream-accounts.ts';
import type { UpstreamProviders } from '../projections/upstream-providers.ts';
import type { Groups } from '../projections/groups.ts';
import type { Logouts } from '../projections/logouts.ts';
import type { ResourceServers } from '../projections/resources.ts';
import type { SentInvitations } from '../projections/sent-invitations.ts';
import type { SigningKeys } from '../projections/signing-keys.ts';
import type { TrustedIssuers } from '../projections/trusted-issuers.ts';
import type { UserActivity } from '../projections/user-activity.ts';
import type { Users } from '../projections/users.ts';
import type { Explanations } from '../oauth/refusals/explanations.ts';
import type { ClientKeys } from '../platform/keys/client-keys.ts';
import type { Keys } from '../platform/keys/keys.ts';
import type { Emails } from '../language/emails.ts';
import type { PersonalKeys } from '../platform/keys/personal-keys.ts';
import type { SigningKeyring } from '../platform/keys/signing-keyring.ts';
import type { SecondFactorChanges } from '../accounts/second-factor-changes.ts';
import type { SecondFactorPolicy } from '../accounts/second-factor-policy.ts';
import type { Passkeys } from '../projections/passkeys.ts';
import type { SecondFactors } from '../projections/second-factors.ts';
import type { InitialState } from './simulation/initial-state.ts';

/** Access to earlier states of the log. */
export interface LogHistory {
  /**
   * Returns projections of the log up to and including the last event at or before both `position` and `time`
   * (milliseconds since the epoch), and that event.
   */
  readonly projectionsAsOf: (moment: {
    readonly position: number;
    readonly time: number;
  }) => Promise<{ readonly projections: PastProjections & InitialState; readonly last: RecordedEvent | undefined }>;
  /** Returns the public base URL; null until a port has been chosen. */
  readonly issuer: () => string | null;
}

/** The context of inspections, which only read the log. */
export interface InspectionContext extends Inspection, LogHistory {
  readonly log: Inspection['log'] & Pick<EventLog, 'readStream' | 'readStreamBackwards'>;
}

/** The parts of a service that operations use, whether it runs in a server or was opened for a single command. */
export interface OperationDeps extends LogHistory {
  readonly accounts: Pick<
    Accounts,
    | 'register'
    | 'importAccount'
    | 'importProblems'
    | 'changePassword'
    | 'changeProfile'
    | 'verifyEmail'
    | 'changeRoles'
    | 'disable'
    | 'enable'
    | 'erase'
    | 'logOutEverywhere'
  >;
  readonly administratorLogins: Pick<AdministratorLogins, 'leavesNoAdministrator'>;
  readonly secondFactorPolicy: SecondFactorPolicy;
  readonly secondFactorChanges: Pick<SecondFactorChanges, 'removeAll'>;
  readonly loginSessions: Pick<LoginSessions, 'listByUser' | 'browserOf' | 'lastUse' | 'endForUser'>;
  readonly groupDirectory: GroupDirectory;
  readonly domainList: DomainList;
  readonly registration: Registration;
  readonly resourceRegistry: ResourceRegistry;
  readonly exchangePolicyRegistry: ExchangePolicyRegistry;
  readonly trustedIssuerRegistry: TrustedIssuerRegistry;
  readonly providerRegistry: ProviderRegistry;
  readonly testProvider: TestProvider;
  readonly settingChanges: SettingChanges;
  readonly scopeChanges: ScopeChanges;
  readonly textChanges: TextChanges;
  readonly forecastSetting: ForecastSetting;
  readonly findScopeUse: FindScopeUse;
  readonly removalForecasts: RemovalForecasts;
  readonly resources: Pick<KnownResources, 'uris'>;
  readonly findClientKeys: FindClientKeys;
  readonly memberships: Pick<Memberships, 'add' | 'remove'>;
  readonly projections: {
    readonly users: Pick<Users, 'findByName' | 'findByVerifiedEmail' | 'find' | 'all'>;
    readonly userActivity: Pick<UserActivity, 'lastLoginAt' | 'registeredAt'>;
    readonly groups: Pick<Groups, 'all' | 'findByName' | 'membersOf' | 'listByUser' | 'namesOf' | 'nameOf'>;
    readonly resources: Pick<ResourceServers, 'all' | 'find'>;
    readonly clientDomains: Pick<ClientDomains, 'all' | 'find' | 'revision'>;
    readonly exchangePolicies: Pick<ExchangePolicies, 'all' | 'find'>;
    readonly trustedIssuers: Pick<TrustedIssuers, 'all' | 'find'>;
    readonly upstreamProviders: Pick<UpstreamProviders, 'all' | 'allEnabled' | 'find' | 'lastLoginAt'>;
    readonly sentInvitations: Pick<SentInvitations, 'all'>;
    readonly upstreamAccounts: Pick<UpstreamAccounts, 'countByProvider' | 'listByUser'>;
    readonly passkeys: Pick<Passkeys, 'listByUser'>;
    readonly secondFactors: Pick<SecondFactors, 'totpOf' | 'recoveryCodesOf'>;
    readonly clients: Pick<Clients, 'find' | 'all' | 'hasUnsealedSecret' | 'ownedBy'>;
    readonly clock: Pick<RecordedClock, 'newestAt'>;
    readonly grants: Pick<Grants, 'all' | 'find' | 'listByUser' | 'listIds'>;
    readonly accessTokens: Pick<AccessTokens, 'live' | 'liveOrPaused'>;
    readonly exchanges: Pick<Exchanges, 'all' | 'listByRoot'>;
    readonly logouts: Pick<Logouts, 'pending' | 'outcomesOf'>;
    readonly signingKeys: Pick<SigningKeys, 'all' | 'published' | 'find'>;
  };
  readonly log: Pick<EventLog, 'readAll' | 'readStream' | 'readStreamBackwards' | 'subscribe' | 'head' | 'archive'>;
  readonly attestation: Pick<
    Attestation,
    'verifierKey' | 'checkpoint' | 'checkpointNow' | 'sign' | 'signStatement' | 'prove' | 'proveAll' | 'tree'
  >;
  readonly inspection: Inspection & { readonly log: Pick<EventLog, 'readStream' | 'readStreamBackwards'> };
  readonly keys: Keys;
  readonly personalKeys: Pick<PersonalKeys, 'find'>;
  readonly clientKeys: Pick<ClientKeys, 'find'>;
  readonly signingKeyring: Pick<SigningKeyring, 'find'>;
  readonly lostKeys: Pick<LostAccountKeys, 'problem'>;
  readonly lostClientKeys: Pick<LostClientKeys, 'problem'>;
  readonly backgroundCheck: Pick<BackgroundCheck, 'position' | 'end' | 'isFinished' | 'findings'>;
  readonly explanations: Pick<Explanations, 'find'>;
  readonly keyRotation: Pick<KeyRotation, 'rotate' | 'retire' | 'problem'>;
  readonly clock: Clock;
  readonly emails: Pick<Emails, 'deliver' | 'isOn'>;
  readonly invitations: Pick<
    Invitations,
    'invite' | 'resend' | 'withdraw' | 'listPending' | 'findByNumber' | 'findHolder' | 'findPending' | 'loginFor'
  >;
  /** Set if other nodes append to the log. */
  readonly freshness?: Pick<Freshness, 'catchUp'> | undefined;
  readonly grantCommands: Pick<CommandHandler<GrantCommand, Grant, GrantEvent, GrantRefusal>, 'execute'>;
  readonly sourceRevoker: SourceRevoker;
  readonly clockCommands: CommandHandler<ConfirmClock, null, ClockEvent, ClockRefusal>;
  readonly projector: Projector;
  /** Rebuilds the projections from scratch, up to the log's head at the time of the call. */
  readonly rebuild: (progress: (position: number) => void) => Promise<Projector>;
}

/** The context of one run of an operation. */
export interface OperationContext extends OperationDeps {
  /** The actor and the request, which are recorded with every event that the operation appends. */
  readonly cause: CommandContext;
}
