import { invitationKeyId } from '../domain/invitation-keys.ts';
import type { EpochSeconds, UserId } from '../domain/values.ts';
import type { PersonalKeys } from '../platform/keys/personal-keys.ts';
import type { SentInvitations } from '../projections/sent-invitations.ts';

/**
 * Returns the keys that still exist although their invitations were accepted, withdrawn or have expired. They must be
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
