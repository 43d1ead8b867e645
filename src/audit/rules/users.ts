import type { History } from './history.ts';
import type { AuditedEvent } from './audited-event.ts';
import { finding, lateViolation, type EventRule, type Violation } from './rule.ts';

function checkLifecycle(
  { event: { type, data }, record: { stream } }: AuditedEvent,
  { users }: History,
): Violation | undefined {
  if (!stream.startsWith('user-') || !('userId' in data)) return undefined;
  const account = users.inStream(stream);
  const exists = account !== undefined && account.status !== 'erased';
  if (type === 'UserRegistered')
    return exists ? finding('the name belongs to an account that has not been erased') : undefined;
  if (account === undefined) return finding(`${type} without a registered account`);
  if (account.userId !== data.userId)
    return finding(`${type} of user ${data.userId}, but the name belongs to user ${account.userId}`);
  if (!exists) return finding(`${type} after the account was erased`);
  const isRepeated =
    (type === 'UserDisabled' && account.status === 'disabled') ||
    (type === 'UserEnabled' && account.status === 'active');
  return isRepeated ? finding(`${type} of an account that is already ${account.status}`) : undefined;
}

function checkPasskeys(
  { event: { type, data }, record: { stream } }: AuditedEvent,
  { users }: History,
): Violation | undefined {
  if (type === 'PasskeyAdded')
    return users.hasSeenPasskey(data.passkeyId)
      ? finding(`the passkey ${data.passkeyId} was already added`)
      : undefined;
  if (type !== 'PasskeyRemoved') return undefined;
  return users.inStream(stream)?.passkeys.has(data.passkeyId) === true
    ? undefined
    : finding(`the passkey ${data.passkeyId} is not a current passkey of the account`);
}

/**
 * Returns the user whose credential the event issues or uses. Returns null if the client acts on its own behalf, and
 * undefined if the event neither issues nor uses a credential.
 */
function resourceOwner(
  { event: { type, data }, record: { stream } }: AuditedEvent,
  { grants }: History,
): string | null | undefined {
  if (!stream.startsWith('grant-') || type === 'GrantRevoked' || type === 'GrantSummarized') return undefined;
  return 'userId' in data ? data.userId : grants.inStream(stream)?.userId;
}

function checkIssuedAfterEnd(auditedEvent: AuditedEvent, history: History): Violation | undefined {
  const userId = resourceOwner(auditedEvent, history);
  if (userId === undefined || userId === null) return undefined;
  const user = history.users.find(userId);
  const {
    event: { type },
    record,
  } = auditedEvent;
  if (user === undefined) return finding(`${type} for user ${userId}, who never had an account`);
  if (user.lastEnd === null) return undefined;
  const startPosition = history.grants.inStream(record.stream)?.position ?? record.position;
  const isLaterGrant = user.status === 'active' && startPosition > user.lastEnd.position;
  return isLaterGrant
    ? undefined
    : lateViolation(
        record,
        user.lastEnd.at,
        `${type} for user ${userId}, whose grants ended when the account was disabled or erased`,
      );
}

export const userRules: readonly EventRule[] = [
  {
    name: 'an-account-lives-once',
    description:
      'A name belongs to one account at a time, and an account has no events before its registration or after its ' +
      'erasure.',
    check: checkLifecycle,
  },
  {
    name: 'a-passkey-lives-once',
    description: 'A passkey is added once, and removed at most once, from the same account.',
    check: checkPasskeys,
  },
  {
    name: 'a-password-is-rehashed-once',
    description:
      'Only the password from the registration is rehashed, and only once, so that no newer password is undone.',
    check({ event: { type, data } }, { users }) {
      if (type !== 'PasswordRehashed' || users.find(data.userId)?.hasOriginalHash !== false) return undefined;
      return finding(`the password of user ${data.userId} is not the one from the registration`);
    },
  },
  {
    name: 'grants-end-with-their-user',
    description:
      "Nothing is issued for a grant after its user's account was disabled or erased, even if it is enabled again; a " +
      'violation up to a minute later is a notice, because the decision may be older, and the issued ' +
      'credentials are invalid.',
    check: checkIssuedAfterEnd,
  },
];
