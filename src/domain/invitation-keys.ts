import type { StreamName } from '../event-store/event-log.ts';
import type { UserId } from './values.ts';

const HASH_LENGTH = 43;

/**
 * Returns the id of the key that encrypts an invitation's address. The key is in the users' keyring. User ids have 22
 * characters, so the hash in the stream's name is never a user id.
 */
export function invitationKeyId(stream: StreamName): UserId {
  return stream.replace(/^invitation-/, '') as UserId;
}

/** Reports whether the id in the users' keyring is that of an invitation's key. */
export function isInvitationKeyId(id: UserId): boolean {
  return id.length === HASH_LENGTH;
}
