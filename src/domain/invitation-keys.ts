import type { StreamName } from '../event-store/event-log.ts';
import type { UserId } from './values.ts';

const HASH_LENGTH = 43;

/**
 * The id of the key that encrypts the address of an invitation. It is in the keyring of the users, whose ids have 22
 * characters, so the hash in the name of the stream is never the id of a user.
 */
export function invitationKeyId(stream: StreamName): UserId {
  return stream.replace(/^invitation-/, '') as UserId;
}

/** Whether the id in the keyring of the users belongs to an invitation. */
export function isInvitationKeyId(id: UserId): boolean {
  return id.length === HASH_LENGTH;
}
