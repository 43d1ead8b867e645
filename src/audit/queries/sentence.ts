import type { Confirmation } from '../../domain/confirmation.ts';
import { decodeEvent, type EventOf, type Role } from '../../domain/events.ts';
import { describeLogoutFailure, type LogoutFailure } from '../../domain/logout-failures.ts';
import type { Scope } from '../../domain/scope.ts';
import type { SecuritySettings } from '../../domain/security-settings.ts';
import { unreachable, type ClientId, type UserId } from '../../domain/values.ts';
import type { Actor, RecordedEvent } from '../../event-store/event-log.ts';
import { acceptance, domainChange } from './document-sentences.ts';
import { exchangePolicyChange } from './exchange-sentences.ts';
import { consent, exchange, revocation } from './grant-sentences.ts';
import { redemptionOfAssertion, trustedIssuerChange } from './issuer-sentences.ts';
import { aMember, addition } from './member-sentences.ts';
import type { Parties } from './parties.ts';
import { describeMethod, sessionEnd } from './session-sentences.ts';
import { introduction, retirement } from './signing-key-sentences.ts';
import {
  applicationPart,
  groupText,
  say,
  scopeText,
  userPart,
  type Names,
  type SentencePart,
} from './sentence-parts.ts';
import { link, providerChange } from './upstream-sentences.ts';

/** An event's type as text: "Access token issued". */
export function describeType(type: string): string {
  return type.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

export function actorPart(actor: Actor, names: Names): SentencePart {
  switch (actor.kind) {
    case 'user':
      return userPart(actor.id as UserId, names);
    case 'client':
      return applicationPart(actor.id as ClientId, names);
    case 'operator':
      return { is: 'words', text: 'The operator' };
    case 'server':
      return { is: 'words', text: 'The server' };
    default:
      return unreachable(actor);
  }
}

/** The event as one sentence without a full stop. `parties` are those of the event's stream. */
export function sentence(recorded: RecordedEvent, parties: Parties, names: Names): readonly SentencePart[] {
  const { type, data } = decodeEvent(recorded);
  const actor = actorPart(recorded.actor, names);
  const client = applicationPart(parties.clientId, names);
  const owner = userPart(parties.userId, names);
  const user = (userId: UserId | null): SentencePart => userPart(userId, names);
  const application = (clientId: ClientId): SentencePart => applicationPart(clientId, names);
  const their = (what: string, userId: UserId): readonly SentencePart[] =>
    possession(what, userId, recorded.actor, names);
  switch (type) {
    case 'ConsentGiven':
      return consent(data, names);
    case 'AuthorizationCodeIssued':
      return [
        ...issue(data.dpopJkt === undefined ? 'an authorization code' : 'an authorization code for a key', data, names),
        ...say`, authorized by ${user(data.userId)}`,
        ...(data.pushed === true ? say`, by a request that the client pushed` : []),
      ];
    case 'AuthorizationCodeRedeemed':
      return say`${client} redeemed the authorization code from ${owner}`;
    case 'DeviceAuthorized':
      return say`A device of ${client} can get access for ${scopeText(data.scope)}, authorized by ${owner}`;
    case 'DeviceDenied':
      return say`${user(data.userId)} denied the request of a device of ${application(data.clientId)}`;
    case 'DeviceCodeRedeemed':
      return say`${client} redeemed the device code that ${owner} had approved`;
    case 'TokenExchanged':
      return exchange(data, names);
    case 'AssertionRedeemed':
      return redemptionOfAssertion(data, names);
    case 'AccessTokenIssued':
      return [...issue(boundToken('an access token', data), data, names), ...onBehalfOf(data.userId, names)];
    case 'IdTokenIssued':
      return [...say`${client} was issued an ID token${claimsText(data.claims)}`, ...onBehalfOf(data.userId, names)];
    case 'RefreshTokenIssued':
      return [...issue(boundToken('a refresh token', data), data, names), ...onBehalfOf(data.userId, names)];
    case 'RefreshTokenRotated':
      return say`${client} refreshed its tokens for ${scopeText(data.scope)}, acting for ${owner}`;
    case 'GrantSummarized':
      return say`The authorization of ${client} by ${owner} was summarized; nothing changed`;
    case 'GrantRevoked':
      return revocation(data.reason, actor, client, parties.userId === null ? undefined : owner);
    case 'ClientRegistered':
      if (data.selfRegistered !== undefined)
        return say`The application ${application(data.clientId)} registered itself; ${actor} let it in`;
      return [
        ...say`${actor} registered the application ${application(data.clientId)}`,
        ...(data.ownerId === null || isBy(recorded.actor, data.ownerId) ? [] : say` for ${user(data.ownerId)}`),
        ...withProfile(data.security),
      ];
    case 'ClientUpdated':
      return [...say`${actor} changed the settings of ${client}`, ...withProfile(data.security)];
    case 'ClientLogoChanged':
      return say`${actor} ${data.image === null ? 'removed' : 'changed'} the logo of ${client}`;
    case 'ClientSecretRotated':
      return data.previousUntil === null
        ? say`${actor} rotated the secret of ${client}; the old one expired immediately`
        : say`${actor} rotated the secret of ${client}; the old one stayed valid for a while`;
    case 'ClientSecretRehashed':
      return say`${actor} upgraded the hash of the secret of ${client}; it is still the same secret`;
    case 'ClientRemoved':
      return say`${actor} removed the application ${client}`;
    case 'ClientDisabled':
      return say`${actor} disabled the application ${client}`;
    case 'ClientEnabled':
      return say`${actor} enabled the application ${client} again`;
    case 'ClientDocumentAccepted':
      return acceptance(data, actor, application(data.clientId));
    case 'ClientDomainListed':
    case 'ClientDomainUnlisted':
      return domainChange(data, actor);
    case 'ClientAssertionAccepted':
      return say`${actor} authenticated with a signed assertion (${data.algorithm}, key ${data.keyId})`;
    case 'ClientMemberAdded':
      return addition(data, actor, client, user);
    case 'ClientMemberRemoved':
      return isBy(recorded.actor, data.userId)
        ? say`${actor} left ${client}, of which they were ${aMember(data.role)}`
        : say`${actor} removed ${user(data.userId)} as ${aMember(data.role)} of ${client}`;
    case 'ClientInvitationsWithdrawn':
      return say`${actor} withdrew all open invitations to become ${aMember(data.role)} of ${client}`;
    case 'UserRegistered':
      return registration(data, isBy(recorded.actor, data.userId), actor, user(data.userId));
    case 'UserProfileChanged':
      return say`${actor} changed ${their('profile', data.userId)}`;
    case 'EmailVerified':
      return say`${actor} verified ${their('e-mail address', data.userId)}`;
    case 'PasswordChanged':
      return say`${actor} changed ${their('password', data.userId)}`;
    case 'PasswordRehashed':
      return say`${actor} upgraded the hash of ${their('password', data.userId)}; it is still the same password`;
    case 'UserDisabled':
      return say`${actor} disabled ${their('account', data.userId)}`;
    case 'UserEnabled':
      return say`${actor} enabled ${their('account', data.userId)}`;
    case 'UserErased':
      return say`${actor} erased ${their('account', data.userId)}`;
    case 'UserRolesChanged':
      return say`${actor} changed ${their('roles', data.userId)} to: ${rolesText(data.roles)}`;
    case 'AllSessionsEnded':
      return say`${actor} ended all sessions of ${their('account', data.userId)}`;
    case 'PasskeyAdded':
      return say`${actor} added a passkey to ${their('account', data.userId)}`;
    case 'PasskeyRemoved':
      return say`${actor} removed a passkey from ${their('account', data.userId)}`;
    case 'TotpAdded':
      return say`${actor} added an authenticator app to ${their('account', data.userId)}`;
    case 'TotpRemoved':
      return say`${actor} removed the authenticator app from ${their('account', data.userId)}`;
    case 'RecoveryCodesGenerated':
      return say`${actor} generated new recovery codes for ${their('account', data.userId)}`;
    case 'RecoveryCodeUsed':
      return say`${actor} used a recovery code of ${their('account', data.userId)}`;
    case 'SecondFactorsRemoved':
      return data.reason === 'lost'
        ? say`${actor} removed all second factors of ${their('account', data.userId)}, because they were lost`
        : say`${actor} turned off two-step login for ${their('account', data.userId)}`;
    case 'SessionStarted':
      return data.authentication === undefined
        ? say`${user(data.userId)} logged in`
        : say`${user(data.userId)} logged in ${describeMethod(data.authentication)}`;
    case 'SessionUsed':
      return say`${user(data.userId)} used a session again, for the first time that day`;
    case 'SessionEnded':
      return sessionEnd(data.reason, actor, user(data.userId));
    case 'LogoutDelivered':
      return say`${application(data.clientId)} was told that a session of ${user(data.userId)} has ended`;
    case 'LogoutDeliveryFailed':
      return undeliveredLogout(data, application(data.clientId), user(data.userId));
    case 'InvitationAccepted':
      return data.invitedBy === null
        ? say`An invitation of the operator to create an account was used`
        : say`An invitation of ${user(data.invitedBy)} to create an account was used`;
    case 'GroupCreated':
      return say`${actor} created the group ${data.name}`;
    case 'GroupRemoved':
      return say`${actor} removed ${groupText(data.groupId, names)}; nobody is a member any more`;
    case 'GroupMemberAdded':
      return say`${actor} added ${user(data.userId)} to ${groupText(data.groupId, names)}`;
    case 'GroupMemberRemoved':
      return say`${actor} removed ${user(data.userId)} from ${groupText(data.groupId, names)}`;
    case 'ResourceRegistered':
      return say`${actor} registered the resource server ${data.uri}`;
    case 'ResourceUpdated':
      return say`${actor} changed the settings of the resource server ${data.uri}`;
    case 'ResourceRemoved':
      return say`${actor} removed the resource server ${data.uri}; tokens for it are not valid any more`;
    case 'ExchangePolicySet':
    case 'ExchangePolicyRemoved':
      return exchangePolicyChange(data, actor, application);
    case 'TrustedIssuerSet':
    case 'TrustedIssuerRemoved':
      return trustedIssuerChange(data, actor, application);
    case 'UpstreamProviderSet':
    case 'UpstreamProviderRemoved':
      return providerChange(data, actor);
    case 'UpstreamAccountLinked':
      return link(data, actor, user(data.userId));
    case 'UpstreamAccountUnlinked':
      return say`${actor} unlinked an account at ${data.providerId} from ${user(data.userId)}`;
    case 'SettingChanged':
      return say`${actor} changed the setting ${data.name} to ${settingValue(data.value)}`;
    case 'SettingReset':
      return say`${actor} reset the setting ${data.name} to its default`;
    case 'SigningKeyIntroduced':
      return introduction(data, actor);
    case 'SigningKeyRetired':
      return retirement(data, actor);
    case 'ClockSetBack':
      return say`${actor} confirmed that the clock had been ahead; everything issued then is invalid`;
    default:
      return unreachable(type);
  }
}

function undeliveredLogout(failure: LogoutFailure, client: SentencePart, user: SentencePart): readonly SentencePart[] {
  const why = describeLogoutFailure(failure);
  return say`${client} could not be told that a session of ${user} has ended: ${why}`;
}

function issue(
  what: string,
  { clientId, scope }: { readonly clientId: ClientId; readonly scope: Scope },
  names: Names,
): readonly SentencePart[] {
  return say`${applicationPart(clientId, names)} was issued ${what} for ${scopeText(scope)}`;
}

function boundToken(what: string, { confirmation }: { readonly confirmation?: Confirmation | undefined }): string {
  if (confirmation === undefined) return what;
  return `${what} bound to ${confirmation.method === 'jkt' ? 'a key' : 'a certificate'}`;
}

function onBehalfOf(userId: UserId | null, names: Names): readonly SentencePart[] {
  return userId === null ? say`, acting on its own behalf` : say`, acting for ${userPart(userId, names)}`;
}

function registration(
  { roles }: EventOf<'UserRegistered'>['data'],
  isOwn: boolean,
  actor: SentencePart,
  user: SentencePart,
): readonly SentencePart[] {
  const created = isOwn ? say`${user} signed up` : say`${actor} created the account of ${user}`;
  return roles.length === 0 ? created : [...created, ...say`, roles: ${rolesText(roles)}`];
}

/** "Ada changed their own password" instead of repeating the name. */
function possession(what: string, userId: UserId, actor: Actor, names: Names): readonly SentencePart[] {
  return isBy(actor, userId) ? say`their own ${what}` : say`the ${what} of ${userPart(userId, names)}`;
}

function isBy(actor: Actor, userId: UserId): boolean {
  return actor.kind === 'user' && actor.id === userId;
}

function claimsText(claims: readonly string[]): string {
  return claims.length === 0 ? '' : ` with ${claims.join(', ')}`;
}

function rolesText(roles: readonly Role[]): string {
  return roles.length === 0 ? 'none' : roles.join(', ');
}

function withProfile({ profile }: SecuritySettings): readonly SentencePart[] {
  return profile === null ? [] : say`, which has the profile FAPI 2.0`;
}

function settingValue(value: unknown): string {
  return value === null ? 'none' : JSON.stringify(value);
}
