import { invitationKeyId } from '../domain/invitation-keys.ts';
import type { EpochSeconds, UserId } from '../domain/values.ts';
import type { PersonalKeys } from '../platform/keys/personal-keys.ts';
import type { SentInvitations } from '../projections/sent-invitations.ts';

/**
 * Returns the ids of the keys that still exist although their invitations have ended or expired, so that the caller can
 * destroy them.
 */
export function endedInvitationKeys(
  sentInvitations: Pick<SentInvitations, 'all' | 'ended'>,
  keys: Pick<PersonalKeys, 'find'>,
  now: EpochSeconds,
): readonly UserId[] {
  const expiredInvitations = sentInvitations.all().filter(({ expiresAt }) => expiresAt <= now);
  return [...sentInvitations.ended(), ...expiredInvitations.map(({ stream }) => stream)]
    .map(invitationKeyId)
    .filter((id) => keys.find(id) !== undefined);
}
