import type { RevocationReason } from '../../domain/events.ts';
import { grantStream } from '../../domain/streams.ts';
import type { GrantId } from '../../domain/values.ts';
import type { CommandContext } from '../../event-store/command-handler.ts';
import type { GrantCommands } from '../grant-types/grant-type.ts';

/**
 * Revokes a grant and, if an update has just replaced it, its replacement. As a result, no grant survives if an update
 * races with a revocation.
 */
export async function revokeGrant(
  grants: Pick<GrantCommands, 'execute'>,
  grantId: GrantId,
  reason: RevocationReason,
  context: CommandContext,
): Promise<void> {
  for (let next: GrantId | undefined = grantId; next !== undefined;) {
    const { state } = await grants.execute(grantStream(next), { type: 'RevokeGrant', reason }, context);
    next = state.replacedBy;
  }
}
