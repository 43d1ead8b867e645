import type { EventOf } from '../../domain/events.ts';
import type { Position, RecordedEvent } from '../../event-store/event-log.ts';
import type { AuditedEvent } from './audited-event.ts';
import type { History } from './history.ts';
import { passkeyOf, secondFactorOf } from './history/second-factors.ts';
import type { UserRecord } from './history/users.ts';
import { lateViolation, finding, notice, type Violation, type EventRule } from './rule.ts';

type SessionStartedData = EventOf<'SessionStarted'>['data'];

/**
 * Compares positions if the session records when its credentials were read. Sessions from earlier releases are compared
 * by time.
 */
function checkActiveAccount(
  { userId, authentication }: SessionStartedData,
  record: RecordedEvent,
  { status, lastEnd }: UserRecord,
): Violation | undefined {
  if (status === 'active' || lastEnd === null) return undefined;
  const message = `the account of user ${userId} is ${status}`;
  if (authentication === undefined) return lateViolation(record, lastEnd.at, message);
  if (authentication.checkedAsOf >= lastEnd.position) return finding(message);
  return notice(`${message}; the credentials had been read earlier`);
}

function checkCredentials(
  { authentication }: SessionStartedData,
  { position }: RecordedEvent,
  user: UserRecord | undefined,
): Violation | undefined {
  if (authentication === undefined) return undefined;
  const { checkedAsOf } = authentication;
  if (checkedAsOf >= position) return finding(`the credentials were read later, at position ${checkedAsOf}`);
  const passkeyId = passkeyOf(authentication);
  return passkeyId !== undefined && user !== undefined ? checkPasskey(passkeyId, checkedAsOf, user) : undefined;
}

function checkPasskey(
  passkeyId: string,
  checkedAsOf: Position,
  { passkeys, removedPasskeys }: UserRecord,
): Violation | undefined {
  const removedAt = removedPasskeys.get(passkeyId);
  if (removedAt !== undefined) {
    return removedAt > checkedAsOf ? undefined : finding(`the passkey ${passkeyId} was already removed`);
  }
  const addedAt = passkeys.get(passkeyId) ?? Infinity;
  return addedAt <= checkedAsOf ? undefined : finding(`the passkey ${passkeyId} did not belong to the account`);
}

function checkSessionValidity(
  { authentication }: SessionStartedData,
  { status, sessionsEndedAt, removedPasskeys }: UserRecord,
): Violation | undefined {
  if (authentication === undefined || status !== 'active') return undefined;
  if (sessionsEndedAt !== null && authentication.checkedAsOf < sessionsEndedAt) {
    return notice(`the credentials were read before position ${sessionsEndedAt}, where all sessions of the user ended`);
  }
  const removedAt = removedPasskeys.get(passkeyOf(authentication) ?? '');
  return removedAt === undefined ? undefined : notice(`the passkey was removed at position ${removedAt}`);
}

function checkContinuation({ event: { type, data } }: AuditedEvent, { sessions }: History): Violation | undefined {
  if (type !== 'SessionEnded') return undefined;
  const { userId, reason, continuedBy } = data;
  if (continuedBy === undefined)
    return reason === 'logged-in-again'
      ? finding('the user logged in again, but the event does not refer to a later session')
      : undefined;
  if (reason !== 'logged-in-again')
    return finding(`the event refers to session ${continuedBy}, but the user did not log in again`);
  const laterSession = sessions.findByHash(continuedBy);
  if (laterSession === undefined) return finding(`session ${continuedBy} never started`);
  return laterSession.userId === userId
    ? undefined
    : finding(`session ${continuedBy} belongs to user ${laterSession.userId}`);
}

function checkTwoStepEnd(
  { event: { type, data }, record }: AuditedEvent,
  { sessions, secondFactors }: History,
): Violation | undefined {
  if (type !== 'SessionEnded' || data.reason !== 'two-step-turned-on') return undefined;
  if (!secondFactors.hasTurnedOn(data.userId)) return finding('the user has never turned on two-step login');
  const authentication = sessions.inStream(record.stream)?.authentication;
  const hasSecondStep = authentication?.method === 'passkey' || secondFactorOf(authentication) !== undefined;
  return hasSecondStep ? finding('the session had a second step') : undefined;
}

const DAY_SECONDS = 86_400;

function checkUse({ event: { type, data }, record }: AuditedEvent, { sessions }: History): Violation | undefined {
  if (type !== 'SessionUsed') return undefined;
  const session = sessions.inStream(record.stream);
  if (session === undefined) return finding('the session never started');
  const { userId, end, expiresAt, lastUsedAt } = session;
  if (userId !== data.userId) return finding(`the session belongs to user ${userId}, not to user ${data.userId}`);
  if (end !== null) return finding(`the session had already ended, at position ${end.position}`);
  if (data.usedAt >= expiresAt) return finding('the session had expired');
  if (lastUsedAt !== undefined && Math.floor(data.usedAt / DAY_SECONDS) <= Math.floor(lastUsedAt / DAY_SECONDS))
    return finding('a use of the session on that day or later is already recorded');
  return data.usedAt * 1000 <= record.recordedAt
    ? undefined
    : notice('the session is recorded as used later than the record itself');
}

export const sessionRules: readonly EventRule[] = [
  {
    name: 'a-session-lives-once',
    description: 'A session starts once, and ends at most once, after its start and for the same user.',
    check({ event: { type, data }, record: { stream } }, { sessions }) {
      const session = sessions.inStream(stream);
      if (type === 'SessionStarted')
        return session === undefined ? undefined : finding('the session had already started');
      if (type !== 'SessionEnded') return undefined;
      if (session === undefined) return finding('the session never started');
      if (session.hasEnded) return finding('the session had already ended');
      return session.userId === data.userId
        ? undefined
        : finding(`the session belongs to user ${session.userId}, not to user ${data.userId}`);
    },
  },
  {
    name: 'sessions-are-used-while-open',
    description:
      'A session is used only while it is open, by its own user, and its use is recorded at most once a day (UTC); a ' +
      'use later than its record is a notice, because clocks are corrected.',
    check: checkUse,
  },
  {
    name: 'sessions-continue-with-their-user',
    description:
      'If a session ends because its user logged in again, and only then, the event refers to the session of that ' +
      'login.',
    check: checkContinuation,
  },
  {
    name: 'two-step-login-ends-sessions-without-it',
    description:
      'Only a session without a second step ends because two-step login was turned on, and only if the user turned ' +
      'it on.',
    check: checkTwoStepEnd,
  },
  {
    name: 'only-active-users-log-in',
    description:
      'No session starts for an account that does not exist, is disabled or was erased; a violation is a notice if ' +
      'the credentials were read before the account ended or, if that is not recorded, up to a minute later, because ' +
      'the session is invalid.',
    check({ event: { type, data }, record }, { users }) {
      if (type !== 'SessionStarted') return undefined;
      const user = users.find(data.userId);
      if (user === undefined) return finding(`user ${data.userId} never had an account`);
      return checkActiveAccount(data, record, user);
    },
  },
  {
    name: 'sessions-have-credentials-of-their-account',
    description:
      'The credentials for a session were read before it started, and any passkey among them belonged to the ' +
      'account at that time.',
    check({ event: { type, data }, record }, { users }) {
      return type === 'SessionStarted' ? checkCredentials(data, record, users.find(data.userId)) : undefined;
    },
  },
  {
    name: 'sessions-end-with-their-credentials',
    description:
      'No session starts after all sessions of its user ended, or after its passkey was removed, with credentials ' +
      'that had been read before that; a violation is a notice, because the session is invalid.',
    check({ event: { type, data } }, { users }) {
      const user = type === 'SessionStarted' ? users.find(data.userId) : undefined;
      return type === 'SessionStarted' && user !== undefined ? checkSessionValidity(data, user) : undefined;
    },
  },
];
