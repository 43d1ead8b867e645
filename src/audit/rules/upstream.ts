import type { AuditedEvent } from './audited-event.ts';
import type { History } from './history.ts';
import { finding, type EventRule, type Violation } from './rule.ts';

function checkLink({ event: { type, data } }: AuditedEvent, { upstream, users }: History): Violation | undefined {
  if (type !== 'UpstreamAccountLinked') return undefined;
  if (!upstream.providers.has(data.providerId)) return finding(`the provider ${data.providerId} was not set up`);
  const user = users.find(data.userId);
  if (user === undefined || user.status === 'erased') return finding(`user ${data.userId} has no account`);
  const linkedUserId = upstream.linkedUserIds.get(data.subjectHash);
  if (linkedUserId === undefined) return undefined;
  return users.find(linkedUserId)?.status === 'erased'
    ? undefined
    : finding(`the account at ${data.providerId} was already linked to user ${linkedUserId}`);
}

function checkSession({ event: { type, data } }: AuditedEvent, { upstream }: History): Violation | undefined {
  if (type !== 'SessionStarted' || data.authentication?.method !== 'upstream') return undefined;
  const { providerId, subjectHash } = data.authentication;
  const provider = upstream.providers.get(providerId);
  if (provider === undefined) return finding(`the provider ${providerId} was not set up`);
  if (provider.isDisabled) return finding(`the provider ${providerId} was disabled`);
  const linkedUserId = upstream.linkedUserIds.get(subjectHash);
  return linkedUserId === data.userId
    ? undefined
    : finding(
        `the account at ${providerId} was linked to ${linkedUserId === undefined ? 'no user' : `user ${linkedUserId}`}`,
      );
}

function checkEnd(
  { event: { type, data }, record }: AuditedEvent,
  { sessions, upstream }: History,
): Violation | undefined {
  if (type !== 'SessionEnded' || data.reason !== 'account-unlinked') return undefined;
  const authentication = sessions.inStream(record.stream)?.authentication;
  if (authentication?.method !== 'upstream') return finding('the session did not begin through a provider');
  return upstream.linkedUserIds.get(authentication.subjectHash) === data.userId
    ? finding('the account that the session began with is still linked')
    : undefined;
}

export const upstreamRules: readonly EventRule[] = [
  {
    name: 'providers-are-set-up-before-they-are-removed',
    description: 'A provider is removed only while it is set up.',
    check({ event: { type, data } }, { upstream }) {
      if (type !== 'UpstreamProviderRemoved') return undefined;
      return upstream.providers.has(data.providerId)
        ? undefined
        : finding(`the provider ${data.providerId} was not set up`);
    },
  },
  {
    name: 'accounts-at-providers-have-one-user',
    description:
      'An account at a provider that is set up is linked to a user with an account here, and to no other user, ' +
      'except users who were erased.',
    check: checkLink,
  },
  {
    name: 'accounts-at-providers-are-linked-before-they-are-unlinked',
    description: 'An account at a provider is unlinked only from the user that it is linked to.',
    check({ event: { type, data } }, { upstream }) {
      if (type !== 'UpstreamAccountUnlinked') return undefined;
      return upstream.linkedUserIds.get(data.subjectHash) === data.userId
        ? undefined
        : finding(`the account at the provider was not linked to user ${data.userId}`);
    },
  },
  {
    name: 'sessions-through-providers-are-of-linked-accounts',
    description:
      'A session through a provider begins only while the provider is not disabled, and only with an account that is ' +
      'linked to its user.',
    check: checkSession,
  },
  {
    name: 'unlinking-ends-sessions-of-the-account',
    description: 'A session ends because an account was unlinked only if it began with that account.',
    check: checkEnd,
  },
];
