import { invitationKeyId } from '../domain/invitation-keys.ts';
import type { EpochSeconds, UserId } from '../domain/values.ts';
import type { SentInvitations } from '../projections/sent-invitations.ts';

/** The keys of invitations that were accepted or withdrawn, or that have expired. They must be destroyed. */
export function endedInvitationKeys(
  sent: Pick<SentInvitations, 'all' | 'ended'>,
  now: EpochSeconds,
): readonly UserId[] {
  const expired = sent.all().filter(({ expiresAt }) => expiresAt <= now);
  return [...sent.ended(), ...expired.map(({ stream }) => stream)].map(invitationKeyId);
}
