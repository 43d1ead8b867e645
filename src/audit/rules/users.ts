import type { History } from './history.ts';
import { lateViolation, finding, type Violation, type AuditedEvent, type EventRule } from './rule.ts';

function checkLifecycle(
  { event: { type, data }, recorded: { stream } }: AuditedEvent,
  { users }: History,
): Violation | undefined {
  if (!stream.startsWith('user-') || !('userId' in data)) return undefined;
  const account = users.inStream(stream);
  const exists = account !== undefined && account.status !== 'erased';
  if (type === 'UserRegistered')
    return exists ? finding('the name is taken by an account that was not erased') : undefined;
  if (account === undefined) return finding(`${type} where no account was registered`);
  if (account.userId !== data.userId)
    return finding(`${type} of user ${data.userId}, the name is user ${account.userId}'s`);
  if (!exists) return finding(`${type} after the account was erased`);
  const isRepeated =
    (type === 'UserDisabled' && account.status === 'disabled') ||
    (type === 'UserEnabled' && account.status === 'active');
  return isRepeated ? finding(`${type} of an account that is ${account.status} already`) : undefined;
}

function checkPasskeys(
  { event: { type, data }, recorded: { stream } }: AuditedEvent,
  { users }: History,
): Violation | undefined {
  if (type === 'PasskeyAdded')
    return users.hasSeenPasskey(data.passkeyId) ? finding(`the passkey ${data.passkeyId} was added before`) : undefined;
  if (type !== 'PasskeyRemoved') return undefined;
  return users.inStream(stream)?.passkeys.has(data.passkeyId) === true
    ? undefined
    : finding(`the passkey ${data.passkeyId} is none of the account's`);
}

/** The user for whom something is issued or spent; null and undefined where there is none. */
function resourceOwner(
  { event: { type, data }, recorded: { stream } }: AuditedEvent,
  { grants }: History,
): string | null | undefined {
  if (!stream.startsWith('grant-') || type === 'GrantRevoked' || type === 'GrantSummarized') return undefined;
  return 'userId' in data ? data.userId : grants.inStream(stream)?.userId;
}

function checkIssuedAfterEnd(fact: AuditedEvent, history: History): Violation | undefined {
  const userId = resourceOwner(fact, history);
  if (userId === undefined || userId === null) return undefined;
  const user = history.users.find(userId);
  const {
    event: { type },
    recorded,
  } = fact;
  if (user === undefined) return finding(`${type} for user ${userId}, who never had an account`);
  if (user.lastEnded === null) return undefined;
  const began = history.grants.inStream(recorded.stream)?.position ?? recorded.position;
  const outlived = user.status === 'active' && began > user.lastEnded.position;
  return outlived
    ? undefined
    : lateViolation(
        recorded,
        user.lastEnded.at,
        `${type} for user ${userId}, whose grants ended when the account was disabled or erased`,
      );
}

export const userRules: readonly EventRule[] = [
  {
    name: 'an-account-lives-once',
    says: 'A name belongs to one account at a time; nothing happens to an account before its registration or after its erasure.',
    check: checkLifecycle,
  },
  {
    name: 'a-passkey-lives-once',
    says: 'A passkey is added once, and removed at most once, from the account that it was added to.',
    check: checkPasskeys,
  },
  {
    name: 'a-password-is-rehashed-once',
    says: 'Only the password that an account was registered with is kept under a better hash, and that once: a newer one is never put back.',
    check({ event: { type, data } }, { users }) {
      if (type !== 'PasswordRehashed' || users.find(data.userId)?.hasOriginalHash !== false) return undefined;
      return finding(`the password of user ${data.userId} is not the one that the account was registered with`);
    },
  },
  {
    name: 'grants-end-with-their-user',
    says:
      "Nothing is issued for a grant from the moment that its user's account is disabled or erased, not even when it is enabled " +
      'again; up to a minute after is a notice: it was decided before, and is dead on arrival.',
    check: checkIssuedAfterEnd,
  },
];
