import type { EventType } from '../../domain/events.ts';
import type { AuditedEvent } from './audited-event.ts';
import { finding, type EventRule } from './rule.ts';

const STREAM_KINDS: Readonly<Record<EventType, string>> = {
  ConsentGiven: 'grant',
  AuthorizationCodeIssued: 'grant',
  AuthorizationCodeRedeemed: 'grant',
  DeviceAuthorized: 'grant',
  DeviceDenied: 'grant',
  DeviceCodeRedeemed: 'grant',
  TokenExchanged: 'grant',
  AssertionRedeemed: 'grant',
  AccessTokenIssued: 'grant',
  IdTokenIssued: 'grant',
  RefreshTokenIssued: 'grant',
  RefreshTokenRotated: 'grant',
  GrantSummarized: 'grant',
  GrantRevoked: 'grant',
  ClientRegistered: 'client',
  ClientUpdated: 'client',
  ClientLogoChanged: 'client',
  ClientSecretRotated: 'client',
  ClientSecretRehashed: 'client',
  ClientRemoved: 'client',
  ClientDisabled: 'client',
  ClientEnabled: 'client',
  ClientMemberAdded: 'client',
  ClientMemberRemoved: 'client',
  ClientInvitationsWithdrawn: 'client',
  ClientDocumentAccepted: 'client',
  ClientDomainListed: 'domains',
  ClientDomainUnlisted: 'domains',
  ClientAssertionAccepted: 'assertion',
  UserRegistered: 'user',
  UserProfileChanged: 'user',
  PasswordChanged: 'user',
  EmailVerified: 'user',
  PasswordRehashed: 'user',
  UserDisabled: 'user',
  UserEnabled: 'user',
  UserErased: 'user',
  AllSessionsEnded: 'user',
  UserRolesChanged: 'user',
  PasskeyAdded: 'user',
  PasskeyRemoved: 'user',
  TotpAdded: 'user',
  TotpRemoved: 'user',
  RecoveryCodesGenerated: 'user',
  RecoveryCodeUsed: 'user',
  SecondFactorsRemoved: 'user',
  SessionStarted: 'session',
  SessionUsed: 'session',
  SessionEnded: 'session',
  LogoutDelivered: 'session',
  LogoutDeliveryFailed: 'session',
  InvitationSent: 'invitation',
  InvitationWithdrawn: 'invitation',
  InvitationAccepted: 'invitation',
  GroupMemberAdded: 'user',
  GroupMemberRemoved: 'user',
  GroupCreated: 'group',
  GroupTitleChanged: 'group',
  GroupRemoved: 'group',
  ResourceRegistered: 'resource',
  ResourceUpdated: 'resource',
  ResourceRemoved: 'resource',
  ExchangePolicySet: 'exchange',
  ExchangePolicyRemoved: 'exchange',
  TrustedIssuerSet: 'issuer',
  TrustedIssuerRemoved: 'issuer',
  UpstreamProviderSet: 'provider',
  UpstreamProviderRemoved: 'provider',
  SettingChanged: 'settings',
  SettingReset: 'settings',
  UpstreamAccountLinked: 'upstream',
  UpstreamAccountUnlinked: 'upstream',
  SigningKeyIntroduced: 'signing-keys',
  SigningKeyRetired: 'signing-keys',
  ClockSetBack: 'clock',
};

/** The kinds that have a single stream. */
const SINGLE_STREAMS: ReadonlySet<string> = new Set(['clock', 'domains', 'settings', 'signing-keys']);

/**
 * Returns the id of the grant, client, provider or linked account that the stream belongs to, if the event contains it.
 */
function subjectId({ event: { type, data } }: AuditedEvent): string | undefined {
  if (type === 'ConsentGiven' || type === 'DeviceDenied' || type === 'TokenExchanged') return data.grantId;
  if (type === 'AssertionRedeemed' || type === 'AccessTokenIssued') return data.grantId;
  if (type === 'UpstreamProviderSet' || type === 'UpstreamProviderRemoved') return data.providerId;
  if (type === 'UpstreamAccountLinked' || type === 'UpstreamAccountUnlinked') return data.subjectHash;
  return type === 'ClientRegistered' || type === 'ClientDocumentAccepted' ? data.clientId : undefined;
}

function issuedHash({ event: { type, data } }: AuditedEvent): string | undefined {
  if (type === 'AuthorizationCodeIssued' || type === 'DeviceAuthorized') return data.codeHash;
  return type === 'AccessTokenIssued' ||
    type === 'IdTokenIssued' ||
    type === 'RefreshTokenIssued' ||
    type === 'RefreshTokenRotated'
    ? data.tokenHash
    : undefined;
}

export const identityRules: readonly EventRule[] = [
  {
    name: 'events-in-their-stream',
    description:
      'Every event is in a stream of its kind, and an event that contains the id of its own grant, client, provider ' +
      'or linked account is in the stream with that id.',
    check(auditedEvent) {
      const { type } = auditedEvent.event;
      const { stream } = auditedEvent.record;
      const kind = STREAM_KINDS[type];
      const matchesKind = SINGLE_STREAMS.has(kind) ? stream === kind : stream.startsWith(`${kind}-`);
      if (!matchesKind) return finding(`${type} does not belong in stream ${stream}`);
      const id = subjectId(auditedEvent);
      return id === undefined || stream === `${kind}-${id}`
        ? undefined
        : finding(`${type} for ${id} is in stream ${stream}`);
    },
  },
  {
    name: 'ids-never-repeat',
    description: 'The ids of clients, users, grants and groups are never reused.',
    check({ event: { type, data }, record: { stream } }, { clients, users, grants, groups }) {
      if (type === 'ClientRegistered' && clients.find(data.clientId) !== undefined)
        return finding(`the client id ${data.clientId} was already used`);
      if (type === 'ClientDocumentAccepted' && clients.find(data.clientId)?.documentHash === null)
        return finding(`the client id ${data.clientId} was already used, without a document`);
      if (type === 'UserRegistered' && users.find(data.userId) !== undefined)
        return finding(`the user id ${data.userId} was already used`);
      const startsGrant = type === 'ConsentGiven' || type === 'TokenExchanged' || type === 'AssertionRedeemed';
      if (startsGrant && grants.inStream(stream) !== undefined)
        return finding(`the grant id ${data.grantId} was already used`);
      if (type === 'GroupCreated' && groups.find(data.groupId) !== undefined)
        return finding(`the group id ${data.groupId} was already used`);
      return undefined;
    },
  },
  {
    name: 'credentials-never-repeat',
    description: 'No code, access token or refresh token is issued twice.',
    check(auditedEvent, { credentials }) {
      const hash = issuedHash(auditedEvent);
      return hash !== undefined && credentials.has(hash)
        ? finding(`${auditedEvent.event.type} issues a credential that was already issued`)
        : undefined;
    },
  },
];
