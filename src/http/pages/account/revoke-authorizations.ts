import type { RevocationReason } from '../../../domain/events.ts';
import { grantStream } from '../../../domain/streams.ts';
import type { ClientId, GrantId, UserId } from '../../../domain/values.ts';
import type { CommandContext } from '../../../event-store/command-handler.ts';
import type { GrantCommands } from '../../../oauth/grant-types/grant-type.ts';
import type { Grants } from '../../../projections/grants.ts';
import { findAuthorizedApplication, type AuthorizationLookups } from './authorization-lookup.ts';
import type { RequestContext } from '../../pipeline/state.ts';

export interface RevocationParts extends AuthorizationLookups {
  readonly grants: Pick<Grants, 'listByUser' | 'listIds'>;
  readonly grantCommands: GrantCommands;
}

/** On whose behalf it ends, and for which reason in the log. */
export interface Revocation {
  readonly context: CommandContext;
  readonly reason: RevocationReason;
}

/** What one application holds of one user. */
interface UserAndClient {
  readonly userId: UserId;
  readonly clientId: ClientId;
}

/** So many go into the log together, and others have their turn in between. */
const BATCH_SIZE = 50;

/**
 * Ends everything that the application holds of the user, codes that it has not redeemed yet included. A failure in the
 * middle is logged, and does not undo the authorizations that were ended before it.
 * @returns how many authorizations are still active: those behind a failure, and new ones
 * @throws unknown the failure, when it kept all of them from being ended
 */
export async function revokeAllAuthorizations(
  ctx: RequestContext,
  { userId, clientId }: UserAndClient,
  revocation: Revocation,
  parts: RevocationParts,
): Promise<number> {
  const all = parts.grants.listIds(userId, clientId);
  for (let at = 0; at < all.length; at += BATCH_SIZE) {
    const some = all.slice(at, at + BATCH_SIZE);
    const ended = await Promise.allSettled(some.map((grantId) => revokeAuthorization(grantId, revocation, parts)));
    const failed = ended.find((result) => result.status === 'rejected');
    if (failed === undefined) continue;
    if (at === 0 && ended.every(({ status }) => status === 'rejected')) throw failed.reason;
    ctx.app.emit('error', failed.reason, ctx);
    break;
  }
  return countAuthorizations(userId, clientId, parts);
}

export async function revokeAuthorization(
  grantId: GrantId,
  { context, reason }: Revocation,
  { grantCommands }: Pick<RevocationParts, 'grantCommands'>,
): Promise<void> {
  await grantCommands.execute(grantStream(grantId), { type: 'RevokeGrant', reason }, context);
}

export function countAuthorizations(userId: UserId, clientId: string, lookups: AuthorizationLookups): number {
  return findAuthorizedApplication(userId, clientId, lookups)?.count ?? 0;
}
