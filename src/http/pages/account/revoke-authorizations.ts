import type { RevocationReason } from '../../../domain/events.ts';
import type { ClientId, GrantId, UserId } from '../../../domain/values.ts';
import type { CommandContext } from '../../../event-store/command-handler.ts';
import { revokeGrant } from '../../../oauth/endpoints/revoke-grant.ts';
import type { GrantCommands } from '../../../oauth/grant-types/grant-type.ts';
import type { Grants } from '../../../projections/grants.ts';
import {
  findAuthorizedApplication,
  type AuthorizationLookups,
} from '../../../audit/queries/authorized-applications.ts';
import type { RequestContext } from '../../pipeline/state.ts';

export interface RevocationDeps extends AuthorizationLookups {
  readonly grants: Pick<Grants, 'listByUser' | 'listIds'>;
  readonly grantCommands: GrantCommands;
}

/** The command context of a revocation, which identifies the actor, and the reason to record in the log. */
export interface Revocation {
  readonly context: CommandContext;
  readonly reason: RevocationReason;
}

/** The authorizations to revoke: a user's authorizations of one application or, without `clientId`, of all. */
interface AuthorizationFilter {
  readonly userId: UserId;
  readonly clientId?: ClientId;
}

/** The number of revocations recorded concurrently. Other requests are served between batches. */
const BATCH_SIZE = 50;

/**
 * Revokes a user's authorizations of an application, or of all applications, including those whose authorization code
 * has not been redeemed. If only some revocations fail, logs the first error and stops after the current batch; the
 * remaining authorizations stay active.
 * @returns the number of authorizations that are still active
 * @throws the first error, if nothing was revoked
 */
export async function revokeAllAuthorizations(
  ctx: RequestContext,
  { userId, clientId }: AuthorizationFilter,
  revocation: Revocation,
  deps: RevocationDeps,
): Promise<number> {
  const grantIds = deps.grants.listIds(userId, clientId);
  for (let start = 0; start < grantIds.length; start += BATCH_SIZE) {
    const batch = grantIds.slice(start, start + BATCH_SIZE);
    const results = await Promise.allSettled(batch.map((grantId) => revokeAuthorization(grantId, revocation, deps)));
    const firstFailure = results.find((result) => result.status === 'rejected');
    if (firstFailure === undefined) continue;
    if (start === 0 && results.every(({ status }) => status === 'rejected')) throw firstFailure.reason;
    ctx.app.emit('error', firstFailure.reason, ctx);
    break;
  }
  return deps.grants.listIds(userId, clientId).length;
}

/** Revokes an authorization and, if an update has just replaced it, its replacement. */
export async function revokeAuthorization(
  grantId: GrantId,
  { context, reason }: Revocation,
  { grantCommands }: Pick<RevocationDeps, 'grantCommands'>,
): Promise<void> {
  await revokeGrant(grantCommands, grantId, reason, context);
}

/** Counts the user's authorizations of the application that have valid tokens. */
export function countAuthorizations(userId: UserId, clientId: string, lookups: AuthorizationLookups): number {
  return findAuthorizedApplication(userId, clientId, lookups)?.count ?? 0;
}

/** Returns an unconditional revocation by the user, which succeeds even if the account has just changed. */
export function revocationByUser(ctx: RequestContext, userId: UserId): Revocation {
  return {
    context: { actor: { kind: 'user', id: userId }, ...ctx.state.metadata },
    reason: 'revoked-by-resource-owner',
  };
}
