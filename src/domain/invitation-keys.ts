import type { StreamName } from '../event-store/event-log.ts';
import type { UserId } from './values.ts';

const HASH_LENGTH = 43;

/**
 * Returns the id of the key that encrypts an invitation's address: the hash in the name of the invitation's stream. The
 * key is in the users' keyring. The hash cannot equal a user id, because user ids have only 22 characters.
 */
export function invitationKeyId(stream: StreamName): UserId {
  return stream.replace(/^invitation-/, '') as UserId;
}

/** Reports whether an id in the users' keyring identifies an invitation's key. */
export function isInvitationKeyId(id: UserId): boolean {
  return id.length === HASH_LENGTH;
}
