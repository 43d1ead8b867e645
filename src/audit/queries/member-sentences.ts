import type { EventOf } from '../../domain/events.ts';
import type { MemberRole, UserId } from '../../domain/values.ts';
import { say, type SentencePart } from './sentence-parts.ts';

export function aMember(role: MemberRole): string {
  return role === 'owner' ? 'an owner' : 'a test user';
}

/** How a user got a role: by accepting an invitation, or by an administrator. */
export function addition(
  { userId, role, invitation }: EventOf<'ClientMemberAdded'>['data'],
  actor: SentencePart,
  client: SentencePart,
  user: (userId: UserId) => SentencePart,
): readonly SentencePart[] {
  return invitation === null
    ? say`${actor} made ${user(userId)} ${aMember(role)} of ${client}`
    : say`${user(userId)} became ${aMember(role)} of ${client}, invited by ${user(invitation.by)}`;
}
