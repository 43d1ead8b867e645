import { invitationKeyId } from '../domain/invitation-keys.ts';
import type { EpochSeconds, UserId } from '../domain/values.ts';
import type { PersonalKeys } from '../platform/keys/personal-keys.ts';
import type { SentInvitations } from '../projections/sent-invitations.ts';

/**
 * Returns the ids of the keys that still exist although their invitations have ended or expired. The keys must be
 * destroyed.
 */
export function endedInvitationKeys(
  sent: Pick<SentInvitations, 'all' | 'ended'>,
  keys: Pick<PersonalKeys, 'find'>,
  now: EpochSeconds,
): readonly UserId[] {
  const expired = sent.all().filter(({ expiresAt }) => expiresAt <= now);
  return [...sent.ended(), ...expired.map(({ stream }) => stream)]
    .map(invitationKeyId)
    .filter((id) => keys.find(id) !== undefined);
}
