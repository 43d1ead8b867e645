import type { EventOf } from '../../domain/events.ts';
import type { MemberRole, UserId, ClientId } from '../../domain/values.ts';
import { message, type Message } from '../../language/message.ts';
import { partyValues, isBy, optionalValues, scopeText, type Party } from './sentence-parts.ts';
import type { SecuritySettings } from '../../domain/security-settings.ts';
import type { Actor } from '../../event-store/event-log.ts';
import type { LogoutFailure } from '../../domain/logout-failures.ts';
import { LOGOUT_FAILURES } from './logout-failure.ts';

/** Returns a message saying that a client was registered, by a user, the operator or itself. */
export function describeRegistration(
  { selfRegistered, ownerId, security }: EventOf<'ClientRegistered'>['data'],
  registrant: Actor,
  parties: Readonly<Record<'actor' | 'client' | 'user', Party>>,
): Message {
  if (selfRegistered !== undefined) return message('sentence.client-registered-itself', partyValues(parties));
  return message('sentence.client-registered', {
    ...partyValues(parties),
    isForOther: ownerId === null || isBy(registrant, ownerId) ? 'no' : 'yes',
    profile: profileValue(security),
  });
}

/** Returns the value that selects the wording about the security profile of a client. */
export function profileValue({ profile }: SecuritySettings): string {
  return profile === null ? 'none' : 'fapi';
}

/** Returns a message saying that a user got a role, by accepting an invitation or without one. */
export function describeMemberAddition(
  { userId, role, invitation }: EventOf<'ClientMemberAdded'>['data'],
  actor: Party,
  client: Party,
  user: (userId: UserId) => Party,
): Message {
  return invitation === null
    ? message('sentence.member-added', memberValues(role, { actor, user: user(userId), client }))
    : message('sentence.member-joined', memberValues(role, { actor: user(invitation.by), user: user(userId), client }));
}

/**
 * Returns a message saying that a user lost a role.
 * @param isSelfRemoval whether the user gave up the role
 */
export function describeMemberRemoval(
  role: MemberRole,
  isSelfRemoval: boolean,
  { actor, client, user }: Readonly<Record<'actor' | 'client' | 'user', Party>>,
): Message {
  return isSelfRemoval
    ? message('sentence.member-left', memberValues(role, { actor, client }))
    : message('sentence.member-removed', memberValues(role, { actor, client, user }));
}

/** Returns a message saying that the pending invitations to a role were withdrawn. */
export function describeInvitationsWithdrawal(
  role: MemberRole,
  parties: Readonly<Record<'actor' | 'client', Party>>,
): Message {
  return message('sentence.invitations-withdrawn', memberValues(role, parties));
}

function memberValues(role: MemberRole, parties: Readonly<Record<string, Party>>) {
  return { ...partyValues(parties), role: role === 'owner' ? 'owner' : 'tester' };
}

/** Returns a message saying that a user accepted the document that an application describes itself with. */
export function describeDocumentAcceptance(
  { clientId }: EventOf<'ClientDocumentAccepted'>['data'],
  actor: Party,
  client: Party,
): Message {
  return message('sentence.document-accepted', { ...partyValues({ actor, client }), clientId });
}

/** Returns a message saying that the list of domains that may describe applications was changed. */
export function describeDomainChange(
  data: EventOf<'ClientDomainListed' | 'ClientDomainUnlisted'>['data'],
  actor: Party,
): Message {
  const values = { ...partyValues({ actor }), domain: data.domain };
  return 'rule' in data
    ? message('sentence.domain-listed', { ...values, rule: data.rule })
    : message('sentence.domain-unlisted', values);
}

/**
 * Returns a message saying that the policy for one application to exchange the tokens of another was set or removed.
 */
export function describeExchangePolicyChange(
  data: EventOf<'ExchangePolicySet' | 'ExchangePolicyRemoved'>['data'],
  actor: Party,
  application: (clientId: ClientId) => Party,
): Message {
  const values = partyValues({
    actor,
    client: application(data.clientId),
    subject: application(data.subjectClientId),
  });
  if (!('settings' in data)) return message('sentence.exchange-policy-removed', values);
  const { modes, scope, resources } = data.settings;
  return message('sentence.exchange-allowed', {
    ...values,
    modes: modes.length === 1 ? modes.join('') : 'both',
    ...optionalValues({ scope: scope === null ? undefined : scopeText(scope), resources: resources?.join(', ') }),
  });
}

/** Returns a message saying that a logout token could not be delivered to a client. */
export function describeFailedLogout(
  { reason, status }: LogoutFailure,
  parties: Readonly<Record<'client' | 'user', Party>>,
): Message {
  const values = { ...partyValues(parties), why: message(LOGOUT_FAILURES[reason]) };
  return status === undefined
    ? message('sentence.logout-failed', values)
    : message('sentence.logout-failed-with-status', { ...values, status: String(status) });
}
