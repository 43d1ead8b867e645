import type { StreamName } from '../event-store/event-log.ts';
import type { UserId } from './values.ts';

const HASH_LENGTH = 43;

/**
 * Returns the id of the key that encrypts the address of an invitation. The key is in the users' keyring. The ids
 * of users have 22 characters, so the hash in the name of the stream is never the id of a user.
 */
export function invitationKeyId(stream: StreamName): UserId {
  return stream.replace(/^invitation-/, '') as UserId;
}

/** Reports whether the id in the users' keyring belongs to an invitation. */
export function isInvitationKeyId(id: UserId): boolean {
  return id.length === HASH_LENGTH;
}
