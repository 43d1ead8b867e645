import type { Confirmation } from '../../domain/confirmation.ts';
import { decodeEvent, type EventType, type SessionEndReason } from '../../domain/events.ts';
import { unreachable, type ClientId, type GroupId, type UserId } from '../../domain/values.ts';
import type { RecordedEvent } from '../../event-store/event-log.ts';
import { message, type Message, type MessageValues } from '../../language/message.ts';
import {
  describeDocumentAcceptance,
  describeDomainChange,
  describeExchangePolicyChange,
  describeInvitationsWithdrawal,
  describeMemberAddition,
  describeMemberRemoval,
  describeRegistration,
  profileValue,
  describeFailedLogout,
} from './client-sentences.ts';
import { describeConsent, describeExchange, describeRevocation } from './grant-sentences.ts';
import {
  describeAssertionRedemption,
  describeTrustedIssuerChange,
  describeAccountLink,
  describeProviderChange,
} from './issuer-sentences.ts';
import { loginMethod } from './login-method.ts';
import { previousProviderEvent, previousSettingValue, type Parties } from './parties.ts';
import { rolesText } from './roles-text.ts';
import {
  actorParty,
  applicationParty,
  optionalValues,
  partyValues,
  scopeText,
  userParty,
  isBy,
  type Names,
  type Party,
} from './sentence-parts.ts';
import { describeSettingChange } from './setting-sentences.ts';

/** Returns an event's type as text, such as "Access token issued". */
export function describeType(type: EventType): Message {
  return message(`event-type.${type}`);
}

/** Describes the event in one sentence without a full stop. `parties` are those of the event's stream. */
export function describeEvent(event: RecordedEvent, parties: Parties, names: Names): Message {
  const { type, data } = decodeEvent(event);
  const actor = actorParty(event.actor, names);
  const client = applicationParty(parties.clientId, names);
  const owner = userParty(parties.userId, names);
  const user = (userId: UserId | null): Party => userParty(userId, names);
  const application = (clientId: ClientId): Party => applicationParty(clientId, names);
  const group = (groupId: GroupId): string => names.group(groupId) ?? groupId;
  /** Avoids repeating the name: "Ada changed their own password". */
  const accountValues = ({ userId }: { readonly userId: UserId }): MessageValues => ({
    ...partyValues({ actor, user: user(userId) }),
    whose: isBy(event.actor, userId) ? 'own' : 'other',
  });
  const actorValues = partyValues({ actor });
  const clientValues = partyValues({ actor, client });
  const grantValues = partyValues({ client, user: owner });
  switch (type) {
    case 'ConsentGiven':
      return describeConsent(data, names);
    case 'AuthorizationCodeIssued':
      return message('sentence.code-issued', {
        ...partyValues({ client: application(data.clientId), user: user(data.userId) }),
        scope: scopeText(data.scope),
        binding: data.dpopJkt === undefined ? 'none' : 'key',
        isPushed: data.pushed === true ? 'yes' : 'no',
      });
    case 'AuthorizationCodeRedeemed':
      return message('sentence.code-redeemed', grantValues);
    case 'DeviceAuthorized':
      return message('sentence.device-authorized', { ...grantValues, scope: scopeText(data.scope) });
    case 'DeviceDenied':
      return message(
        'sentence.device-denied',
        partyValues({ user: user(data.userId), client: application(data.clientId) }),
      );
    case 'DeviceCodeRedeemed':
      return message('sentence.device-code-redeemed', grantValues);
    case 'TokenExchanged':
      return describeExchange(data, names);
    case 'AssertionRedeemed':
      return describeAssertionRedemption(data, names);
    case 'AccessTokenIssued':
    case 'RefreshTokenIssued':
      return message(type === 'AccessTokenIssued' ? 'sentence.access-token' : 'sentence.refresh-token', {
        ...partyValues({ client: application(data.clientId), user: user(data.userId) }),
        scope: scopeText(data.scope),
        binding: bindingValue(data),
      });
    case 'IdTokenIssued':
      return message('sentence.id-token', {
        ...partyValues({ client, user: user(data.userId) }),
        ...optionalValues({ claims: data.claims.length === 0 ? undefined : data.claims.join(', ') }),
      });
    case 'RefreshTokenRotated':
      return message('sentence.refreshed', { ...grantValues, scope: scopeText(data.scope) });
    case 'GrantSummarized':
      return message('sentence.summarized', grantValues);
    case 'GrantRevoked':
      return describeRevocation(data.reason, { actor, client, user: owner });
    case 'ClientRegistered':
      return describeRegistration(data, event.actor, {
        actor,
        client: application(data.clientId),
        user: user(data.ownerId),
      });
    case 'ClientUpdated':
      return message('sentence.client-updated', { ...clientValues, profile: profileValue(data.security) });
    case 'ClientLogoChanged':
      return message('sentence.logo-changed', { ...clientValues, change: data.image === null ? 'removed' : 'changed' });
    case 'ClientSecretRotated':
      return message('sentence.secret-rotated', {
        ...clientValues,
        old: data.previousUntil === null ? 'expired' : 'valid',
      });
    case 'ClientSecretRehashed':
      return message('sentence.secret-rehashed', clientValues);
    case 'ClientRemoved':
      return message('sentence.client-removed', clientValues);
    case 'ClientDisabled':
      return message('sentence.client-disabled', clientValues);
    case 'ClientEnabled':
      return message('sentence.client-enabled', clientValues);
    case 'ClientDocumentAccepted':
      return describeDocumentAcceptance(data, actor, application(data.clientId));
    case 'ClientDomainListed':
    case 'ClientDomainUnlisted':
      return describeDomainChange(data, actor);
    case 'ClientAssertionAccepted':
      return message('sentence.client-assertion', { ...actorValues, algorithm: data.algorithm, keyId: data.keyId });
    case 'ClientMemberAdded':
      return describeMemberAddition(data, actor, client, user);
    case 'ClientMemberRemoved':
      return describeMemberRemoval(data.role, isBy(event.actor, data.userId), {
        actor,
        client,
        user: user(data.userId),
      });
    case 'ClientInvitationsWithdrawn':
      return describeInvitationsWithdrawal(data.role, { actor, client });
    case 'UserRegistered':
      // The server itself creates accounts only for users who sign up.
      return message(event.actor.kind === 'server' ? 'sentence.signed-up' : 'sentence.user-created', {
        ...partyValues({ actor, user: user(data.userId) }),
        ...optionalValues({ roles: data.roles.length === 0 ? undefined : rolesText(data.roles) }),
      });
    case 'UserProfileChanged':
      return message('sentence.profile-changed', accountValues(data));
    case 'EmailVerified':
      return message('sentence.email-verified', accountValues(data));
    case 'PasswordChanged':
      return message('sentence.password-changed', accountValues(data));
    case 'PasswordRehashed':
      return message('sentence.password-rehashed', accountValues(data));
    case 'UserDisabled':
      return message('sentence.user-disabled', accountValues(data));
    case 'UserEnabled':
      return message('sentence.user-enabled', accountValues(data));
    case 'UserErased':
      return message('sentence.user-erased', accountValues(data));
    case 'UserRolesChanged':
      return message('sentence.roles-changed', { ...accountValues(data), roles: rolesText(data.roles) });
    case 'AllSessionsEnded':
      return message('sentence.sessions-ended', accountValues(data));
    case 'PasskeyAdded':
      return message('sentence.passkey-added', accountValues(data));
    case 'PasskeyRemoved':
      return message('sentence.passkey-removed', accountValues(data));
    case 'TotpAdded':
      return message('sentence.totp-added', accountValues(data));
    case 'TotpRemoved':
      return message('sentence.totp-removed', accountValues(data));
    case 'RecoveryCodesGenerated':
      return message('sentence.recovery-codes', accountValues(data));
    case 'RecoveryCodeUsed':
      return message('sentence.recovery-code-used', accountValues(data));
    case 'SecondFactorsRemoved':
      return message(
        data.reason === 'lost' ? 'sentence.second-factors-lost' : 'sentence.two-step-off',
        accountValues(data),
      );
    case 'SessionStarted':
      return message('sentence.logged-in', {
        ...partyValues({ user: user(data.userId) }),
        ...optionalValues({ how: data.authentication && loginMethod(data.authentication) }),
      });
    case 'SessionUsed':
      return message('sentence.session-used', partyValues({ user: user(data.userId) }));
    case 'SessionEnded':
      return describeSessionEnd(data.reason, { actor, user: user(data.userId) });
    case 'LogoutDelivered':
      return message(
        'sentence.logout-delivered',
        partyValues({ client: application(data.clientId), user: user(data.userId) }),
      );
    case 'LogoutDeliveryFailed':
      return describeFailedLogout(data, { client: application(data.clientId), user: user(data.userId) });
    case 'InvitationSent':
      return message('sentence.invitation-sent', {
        ...actorValues,
        ...optionalValues({ roles: data.roles.length === 0 ? undefined : rolesText(data.roles) }),
      });
    case 'InvitationWithdrawn':
      return message('sentence.invitation-withdrawn', actorValues);
    case 'InvitationAccepted':
      return message('sentence.account-invitation', partyValues({ user: user(data.invitedBy) }));
    case 'GroupCreated':
      return message('sentence.group-created', { ...actorValues, group: data.name });
    case 'GroupTitleChanged':
      return message('sentence.group-title', {
        ...actorValues,
        group: group(data.groupId),
        ...optionalValues({ title: data.title ?? undefined }),
      });
    case 'GroupRemoved':
      return message('sentence.group-removed', { ...actorValues, group: group(data.groupId) });
    case 'GroupMemberAdded':
    case 'GroupMemberRemoved':
      return message(type === 'GroupMemberAdded' ? 'sentence.group-member-added' : 'sentence.group-member-removed', {
        ...partyValues({ actor, user: user(data.userId) }),
        group: group(data.groupId),
      });
    case 'ResourceRegistered':
      return message('sentence.resource-registered', { ...actorValues, uri: data.uri });
    case 'ResourceUpdated':
      return message('sentence.resource-updated', { ...actorValues, uri: data.uri });
    case 'ResourceRemoved':
      return message('sentence.resource-removed', { ...actorValues, uri: data.uri });
    case 'ExchangePolicySet':
    case 'ExchangePolicyRemoved':
      return describeExchangePolicyChange(data, actor, application);
    case 'TrustedIssuerSet':
    case 'TrustedIssuerRemoved':
      return describeTrustedIssuerChange(data, actor, application);
    case 'UpstreamProviderSet':
    case 'UpstreamProviderRemoved':
      return describeProviderChange(data, previousProviderEvent(parties, event), actor);
    case 'UpstreamAccountLinked':
      return describeAccountLink(data, actor, user(data.userId));
    case 'UpstreamAccountUnlinked':
      return message('sentence.unlinked', {
        ...partyValues({ actor, user: user(data.userId) }),
        provider: data.providerId,
      });
    case 'SettingChanged':
    case 'SettingReset':
      return describeSettingChange(data, previousSettingValue(parties, event), actorValues);
    case 'SigningKeyIntroduced':
      return message('sentence.key-introduced', {
        ...actorValues,
        key: data.kid,
        algorithm: data.algorithm,
        reason: data.reason,
      });
    case 'SigningKeyRetired':
      return message('sentence.key-retired', { ...actorValues, key: data.kid, reason: data.reason });
    case 'ClockSetBack':
      return message('sentence.clock-set-back', actorValues);
    default:
      return unreachable(type);
  }
}

const END_SENTENCES = {
  'logged-out': 'sentence.logged-out',
  'logged-out-through-client': 'sentence.logged-out-through-client',
  'ended-by-user': 'sentence.session-ended-by-user',
  'ended-by-administrator': 'sentence.session-ended-by',
  'logged-in-again': 'sentence.logged-in-again',
  'another-login': 'sentence.another-login',
  'two-step-turned-on': 'sentence.two-step-on',
  'account-unlinked': 'sentence.session-unlinked',
} as const satisfies Record<SessionEndReason, string>;

/** Returns a message saying that a session ended. Earlier releases did not record the reason. */
function describeSessionEnd(
  reason: SessionEndReason = 'logged-out',
  parties: Readonly<Record<'actor' | 'user', Party>>,
): Message {
  return message(END_SENTENCES[reason], partyValues(parties));
}

function bindingValue({ confirmation }: { readonly confirmation?: Confirmation | undefined }): string {
  if (confirmation === undefined) return 'none';
  return confirmation.method === 'jkt' ? 'key' : 'certificate';
}
