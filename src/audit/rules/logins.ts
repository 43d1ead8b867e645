import type { DomainEvent, Login } from '../../domain/events.ts';
import type { AuditedEvent } from './audited-event.ts';
import type { History } from './history.ts';
import type { GrantRecord } from './history/grants.ts';
import type { SessionEnd } from './history/sessions.ts';
import { finding, lateViolation, type EventRule, type Violation } from './rule.ts';

function checkLogin({ event: { type, data } }: AuditedEvent, grant: GrantRecord | undefined): Violation | undefined {
  const isTokenIssuance = type === 'AccessTokenIssued' || type === 'RefreshTokenIssued';
  if (!isTokenIssuance && type !== 'AuthorizationCodeIssued' && type !== 'DeviceAuthorized') return undefined;
  if (grant === undefined || isSameLogin(data.login, grant.login)) return undefined;
  return finding(`${type} with ${describeLogin(data.login)}, but the consent has ${describeLogin(grant.login)}`);
}

function isSameLogin(left: Login | undefined, right: Login | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  const isSameSession = left.sessionHash === right.sessionHash && left.authTime === right.authTime;
  return isSameSession && left.acr === right.acr && left.amr.join(' ') === right.amr.join(' ');
}

function describeLogin(login: Login | undefined): string {
  if (login === undefined) return 'no recorded login';
  const { sessionHash, authTime, amr, acr } = login;
  const session = sessionHash === null ? 'no session' : `session ${sessionHash}`;
  return `the login at ${authTime} by ${amr.join(' ')} (${acr}) in ${session}`;
}

function checkSession({ event: { type, data } }: AuditedEvent, { sessions }: History): Violation | undefined {
  if (type !== 'ConsentGiven' || data.login === undefined) return undefined;
  const { sessionHash, authTime } = data.login;
  if (sessionHash === null)
    return data.basis === 'password' ? undefined : finding("the consent's login has no session");
  if (data.basis === 'password')
    return finding(`the client sent the password, but the login has session ${sessionHash}`);
  const session = sessions.findByHash(sessionHash);
  if (session === undefined) return finding(`session ${sessionHash} never started`);
  if (session.userId !== data.userId) return finding(`session ${sessionHash} belongs to user ${session.userId}`);
  const authenticatedAt = session.authentication?.authenticatedAt;
  const sessionTime = authenticatedAt ?? 'an unrecorded time';
  return authenticatedAt === authTime
    ? undefined
    : finding(`the login was at ${authTime}, but session ${sessionHash} started with a login at ${sessionTime}`);
}

/** Reports whether the event issues or uses a credential that becomes invalid when the grant ends. */
function dependsOnGrant({ type }: DomainEvent): boolean {
  return type !== 'GrantRevoked' && type !== 'GrantSummarized';
}

function checkIssuedAfterSession({ event, record }: AuditedEvent, history: History): Violation | undefined {
  if (!record.stream.startsWith('grant-') || !dependsOnGrant(event)) return undefined;
  const { type, data } = event;
  const newGrant =
    type === 'ConsentGiven' ? { login: data.login, scope: data.scope, position: record.position } : undefined;
  const grant = newGrant ?? findGrant(record.stream, history);
  const end = grant === undefined ? null : sessionEndOf(grant, history);
  if (end === null) return undefined;
  return lateViolation(
    record,
    end.at,
    `${type}, although session ${grant?.login?.sessionHash} had ended at position ${end.position}`,
  );
}

/**
 * Returns the end of the session that the grant depends on. Returns null if the session has not ended, or if the grant
 * outlives it.
 */
export function sessionEndOf(
  { login, scope, position }: Pick<GrantRecord, 'login' | 'scope' | 'position'>,
  { sessions }: History,
): SessionEnd | null {
  const sessionHash = login?.sessionHash ?? null;
  if (sessionHash === null || !scope.includes('openid') || scope.includes('offline_access')) return null;
  const session = sessions.findByHash(sessionHash);
  return session === undefined ? null : sessions.endFor(session, position);
}

const findGrant = (stream: string, { grants }: History): Readonly<GrantRecord> | undefined => grants.inStream(stream);

export const loginRules: readonly EventRule[] = [
  {
    name: 'one-login-per-grant',
    description: 'All codes and tokens of a grant record the login of its consent.',
    check: (auditedEvent, { grants }) => checkLogin(auditedEvent, grants.inStream(auditedEvent.record.stream)),
  },
  {
    name: 'logins-belong-to-sessions',
    description:
      'The login of a consent belongs to an earlier session of the same user, or to no session if the client sent ' +
      'the password.',
    check: checkSession,
  },
  {
    name: 'grants-end-with-their-session',
    description:
      'Nothing is issued for a grant with openid and without offline_access after its session, or the session that ' +
      'continues it, has ended; a violation up to a minute later is a notice, because the decision may be older, and ' +
      'the issued credentials are invalid.',
    check: checkIssuedAfterSession,
  },
];
