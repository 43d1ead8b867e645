import type { Role } from '../../src/domain/events.ts';
import type { RunningService } from './running-service.ts';

export const EVE = 'eve@example.org';

/** Invites Eve as the operator, and returns the link. */
export async function inviteEve(
  { service }: Pick<RunningService, 'service'>,
  roles: readonly Role[] = [],
): Promise<string> {
  const operator = { actor: { kind: 'operator' }, requestId: null } as const;
  const invitation = await service().invitations.invite({ email: EVE, roles, invitedBy: null }, operator);
  return invitation?.link ?? '';
}
