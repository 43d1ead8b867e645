import { hash } from 'node:crypto';
import type { ClientId } from '../../domain/values.ts';

/** 132 bits in base64url. */
const SID_LENGTH = 22;

/**
 * Returns the `sid` of a session for a client (OpenID Connect Back-Channel Logout §2.1). Every client gets a different
 * `sid`, which therefore does not reveal that two pairwise subjects belong to the same user. An auditor can compute it
 * from the log.
 */
export function sessionIdFor(clientId: ClientId, sessionHash: string): string {
  return hash('sha256', `${sessionHash}.${clientId}`, 'base64url').slice(0, SID_LENGTH);
}
