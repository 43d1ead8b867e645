import { z } from 'zod';
import type { AuthorizedApplication } from '../audit/queries/authorized-applications.ts';
import { connectedAgents, listPlaces } from '../audit/queries/connected-agents.ts';
import { OPERATION_TEXTS } from '../config/input-limits.ts';
import type { EpochSeconds } from '../domain/values.ts';
import { revokeGrant } from '../oauth/endpoints/revoke-grant.ts';
import type { User } from '../projections/users.ts';
import { OperationRefused } from './control/operation-refused.ts';
import { isoTime } from './iso-time.ts';
import type { OperationContext } from './operation-context.ts';
import { operation, streamingOperation, type Operation } from './operation.ts';
import { requireUser } from './users.ts';

const input = z.strictObject({ username: z.string().min(1).max(OPERATION_TEXTS.userName) });

const endInput = input.extend({ clientId: z.string().min(1).max(OPERATION_TEXTS.clientId).optional() });

/** A user's agent, as printed by the command line. */
export interface AgentRow {
  readonly client_id: string;
  readonly name: string;
  /** The hosts that it runs on; `device` stands for the user's own device. */
  readonly runs_on: readonly string[];
  /** The resource servers; empty if all are allowed. */
  readonly resources: readonly string[];
  readonly scope: readonly string[];
  readonly since: string;
  readonly last_used_at: string;
}

/** Operations on the agents that act for users: see the page *Connected agents*. */
export const userAgentOperations: Readonly<Record<string, Operation>> = {
  'user agents': streamingOperation(input, async function* ({ username }, context) {
    for (const agent of listAgents(requireUser(username, context), context)) yield toRow(agent, context);
  }),

  'user end-agents': operation(endInput, async ({ username, clientId }, context) => {
    const user = requireUser(username, context);
    const agents = listAgents(user, context).filter((agent) => clientId === undefined || agent.clientId === clientId);
    if (agents.length === 0 && clientId !== undefined) throw unknownAgentError(clientId, username);
    for (const agent of agents) await endAgent(agent, user, context);
    return { id: user.id, username: user.username, ended: agents.map((agent) => agent.clientId) };
  }),
};

/** Returns the error for an agent that does not act for the user. */
export function unknownAgentError(clientId: string, username: string): OperationRefused {
  return new OperationRefused(
    `no agent ${JSON.stringify(clientId)} acts for ${JSON.stringify(username)}; see: grantlog user agents ${username}`,
    'unknown',
  );
}

function listAgents({ userId }: User, { projections, clock }: OperationContext): readonly AuthorizedApplication[] {
  return connectedAgents(userId, { ...projections, now: () => Math.floor(clock.now() / 1000) as EpochSeconds });
}

/** Revokes an agent's grants and unredeemed codes. */
async function endAgent(
  { clientId }: AuthorizedApplication,
  { userId }: User,
  { projections, grantCommands, cause }: OperationContext,
): Promise<void> {
  for (const grantId of projections.grants.listIds(userId, clientId)) {
    await revokeGrant(grantCommands, grantId, 'revoked-by-operator', cause);
  }
}

function toRow(
  { clientId, name, scope, resource, grants }: AuthorizedApplication,
  context: OperationContext,
): AgentRow {
  const places = listPlaces(clientId, context.projections.clients.find(clientId));
  return {
    client_id: clientId,
    name,
    runs_on: places.map((place) => (place.kind === 'web' ? place.host : 'device')),
    resources: resource,
    scope,
    since: isoTime(Math.min(...grants.map(({ grantedAt }) => grantedAt))),
    last_used_at: isoTime(Math.max(...grants.map(({ grantedAt, lastTokensAt }) => lastTokensAt ?? grantedAt))),
  };
}
