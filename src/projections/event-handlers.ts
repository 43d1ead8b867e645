import { decodeEvent, type EventOf, type EventType } from '../domain/events.ts';
import type { RecordedEvent } from '../event-store/event-log.ts';
import type { Projection } from '../event-store/projector.ts';

type ProjectionName =
  | 'access-tokens'
  | 'activity'
  | 'asserted-grants'
  | 'changed-settings'
  | 'client-domains'
  | 'clients'
  | 'detailed-tokens'
  | 'exchange-policies'
  | 'exchanges'
  | 'grants'
  | 'groups'
  | 'logouts'
  | 'passkeys'
  | 'resources'
  | 'second-factors'
  | 'sent-invitations'
  | 'sessions'
  | 'signing-keys'
  | 'trusted-issuers'
  | 'upstream-accounts'
  | 'upstream-providers'
  | 'user-activity'
  | 'users';

/**
 * The projections that each type of event changes. Add new types here. The compiler then requires a handler in each
 * listed projection, and rejects handlers in all others.
 */
const CHANGED_PROJECTIONS = {
  ConsentGiven: ['grants', 'logouts', 'user-activity'],
  AuthorizationCodeIssued: ['grants'],
  AuthorizationCodeRedeemed: [],
  DeviceAuthorized: ['grants'],
  DeviceDenied: [],
  DeviceCodeRedeemed: [],
  TokenExchanged: ['asserted-grants', 'exchanges', 'grants', 'user-activity'],
  AssertionRedeemed: ['asserted-grants', 'grants', 'user-activity'],
  AccessTokenIssued: ['access-tokens', 'activity', 'clients', 'detailed-tokens', 'grants', 'signing-keys'],
  IdTokenIssued: ['signing-keys'],
  RefreshTokenIssued: ['grants'],
  RefreshTokenRotated: ['access-tokens', 'grants'],
  GrantSummarized: [],
  GrantRevoked: ['access-tokens', 'exchanges', 'grants'],
  ClientRegistered: ['activity', 'clients', 'signing-keys', 'user-activity'],
  ClientUpdated: ['clients', 'signing-keys', 'user-activity'],
  ClientLogoChanged: ['clients'],
  ClientSecretRotated: ['clients', 'user-activity'],
  ClientSecretRehashed: ['clients'],
  ClientRemoved: ['activity', 'clients', 'exchange-policies', 'grants', 'logouts', 'trusted-issuers', 'user-activity'],
  ClientDisabled: ['clients', 'user-activity'],
  ClientEnabled: ['clients', 'user-activity'],
  ClientMemberAdded: ['clients', 'user-activity'],
  ClientMemberRemoved: ['clients', 'user-activity'],
  ClientInvitationsWithdrawn: ['clients'],
  ClientDocumentAccepted: ['activity', 'clients', 'signing-keys'],
  ClientDomainListed: ['client-domains'],
  ClientDomainUnlisted: ['client-domains'],
  ClientAssertionAccepted: ['clients'],
  UserRegistered: ['user-activity', 'users'],
  UserProfileChanged: ['user-activity', 'users'],
  PasswordChanged: ['grants', 'logouts', 'sessions', 'user-activity', 'users'],
  PasswordRehashed: ['users'],
  UserDisabled: ['exchanges', 'grants', 'logouts', 'sent-invitations', 'sessions', 'user-activity', 'users'],
  UserEnabled: ['grants', 'sessions', 'user-activity', 'users'],
  UserErased: [
    'clients',
    'exchanges',
    'grants',
    'groups',
    'logouts',
    'passkeys',
    'resources',
    'second-factors',
    'sent-invitations',
    'sessions',
    'upstream-accounts',
    'user-activity',
    'users',
  ],
  UserRolesChanged: ['sent-invitations', 'user-activity', 'users'],
  EmailVerified: ['user-activity', 'users'],
  PasskeyAdded: ['passkeys', 'user-activity', 'users'],
  PasskeyRemoved: ['grants', 'logouts', 'passkeys', 'sessions', 'user-activity', 'users'],
  TotpAdded: ['second-factors', 'user-activity', 'users'],
  TotpRemoved: ['second-factors', 'sessions', 'user-activity', 'users'],
  RecoveryCodesGenerated: ['second-factors', 'user-activity', 'users'],
  RecoveryCodeUsed: ['second-factors', 'users'],
  GroupMemberAdded: ['groups', 'user-activity', 'users'],
  GroupMemberRemoved: ['groups', 'user-activity', 'users'],
  SecondFactorsRemoved: ['second-factors', 'sessions', 'user-activity', 'users'],
  SessionStarted: ['activity', 'second-factors', 'sessions', 'upstream-providers', 'user-activity'],
  SessionUsed: ['sessions'],
  SessionEnded: ['grants', 'logouts', 'sessions'],
  AllSessionsEnded: ['grants', 'logouts', 'sessions', 'user-activity', 'users'],
  LogoutDelivered: ['logouts'],
  LogoutDeliveryFailed: ['logouts'],
  InvitationSent: ['sent-invitations'],
  InvitationWithdrawn: ['sent-invitations'],
  InvitationAccepted: ['sent-invitations'],
  GroupCreated: ['groups'],
  GroupTitleChanged: ['groups'],
  GroupRemoved: ['groups'],
  ResourceRegistered: ['resources'],
  ResourceUpdated: ['resources'],
  ResourceRemoved: ['resources'],
  ExchangePolicySet: ['exchange-policies'],
  ExchangePolicyRemoved: ['exchange-policies'],
  TrustedIssuerSet: ['trusted-issuers'],
  TrustedIssuerRemoved: ['access-tokens', 'exchanges', 'grants', 'trusted-issuers'],
  UpstreamProviderSet: ['upstream-providers'],
  UpstreamProviderRemoved: ['upstream-providers'],
  UpstreamAccountLinked: ['upstream-accounts', 'user-activity'],
  UpstreamAccountUnlinked: ['upstream-accounts', 'user-activity'],
  SettingChanged: ['changed-settings'],
  SettingReset: ['changed-settings'],
  SigningKeyIntroduced: ['signing-keys'],
  SigningKeyRetired: ['signing-keys'],
  ClockSetBack: ['clients', 'grants', 'logouts', 'sessions'],
} as const satisfies Readonly<Record<EventType, readonly ProjectionName[]>>;

type EventsThatChange<Name extends ProjectionName> = {
  [Type in EventType]: Name extends (typeof CHANGED_PROJECTIONS)[Type][number] ? Type : never;
}[EventType];

type Handlers<Name extends ProjectionName> = {
  readonly [Type in EventsThatChange<Name>]: (data: EventOf<Type>['data'], event: RecordedEvent) => void;
};

/** Combines the handlers of a projection. */
export function handleEvents<Name extends ProjectionName>(
  handlers: Handlers<Name>,
): Required<Pick<Projection, 'eventTypes' | 'apply'>> {
  const byType = new Map<string, (data: never, event: RecordedEvent) => void>(Object.entries(handlers));
  return {
    eventTypes: new Set(byType.keys()),

    /**
     * Calls the handler of the event's type, if there is one.
     * @throws InvalidEventError if this release does not recognize the type or the version
     */
    apply(event) {
      const { type, data } = decodeEvent(event);
      byType.get(type)?.(data as never, event);
    },
  };
}
