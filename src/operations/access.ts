import { z } from 'zod';
import { OPERATION_TEXTS } from '../config/input-limits.ts';
import { grantStream } from '../domain/streams.ts';
import type { EpochSeconds } from '../domain/values.ts';
import type { LiveGrant } from '../projections/live-grant.ts';
import type { User } from '../projections/users.ts';
import { revokeGrant } from '../oauth/endpoints/revoke-grant.ts';
import { transferClient } from '../oauth/clients/transfer-client.ts';
import { MEMBERSHIP_REFUSALS } from './client-members.ts';
import { isoTime } from './iso-time.ts';
import { OperationRefused } from './control/operation-refused.ts';
import type { OperationContext } from './operation-context.ts';
import { operation, streamingOperation, type Operation } from './operation.ts';
import { requireClient } from './require-client.ts';
import { shortSessionId } from './user-sessions.ts';
import { requireUser, toUserRow } from './users.ts';

const username = z.string().min(1).max(OPERATION_TEXTS.userName);
const clientId = z.string().min(1).max(OPERATION_TEXTS.clientId);
const idInput = z.strictObject({ id: z.string().min(1).max(OPERATION_TEXTS.checkedText) });

/** An open session, as printed by the command line. */
export interface UserSessionRow {
  readonly id: string;
  readonly username: string;
  readonly started_at: string;
  readonly last_used_at: string;
  readonly expires_at: string;
  readonly browser: string | null;
}

/** A user's grant that has valid tokens, as printed by the command line. */
export interface GrantRow {
  readonly id: string;
  readonly username: string;
  readonly client_id: string;
  readonly application: string | null;
  readonly scope: readonly string[];
  readonly resources: readonly string[];
  readonly granted_at: string;
  readonly expires_at: string | null;
}

/** The id of a session is its hash, truncated to this length as in `user sessions`. */

export const accessOperations: Readonly<Record<string, Operation>> = {
  'user show': operation(z.strictObject({ username }), (input, context) => {
    const user = requireUser(input.username, context);
    const { projections, loginSessions, secondFactorPolicy } = context;
    const { created_at, last_login_at } = toUserRow(user, projections);
    return {
      id: user.id,
      username: user.username,
      email: user.email || null,
      email_verified: user.email === '' ? null : user.emailVerified,
      first_name: user.firstName || null,
      last_name: user.lastName || null,
      active: user.active,
      roles: user.roles,
      groups: projections.groups.namesOf(user.userId),
      two_step_login: secondFactorPolicy.isOn(user.userId),
      passkeys: [...projections.passkeys.listByUser(user.userId)].length,
      sessions: [...loginSessions.listByUser(user.userId, currentSeconds(context))].length,
      grants: [...projections.grants.listByUser(user.userId, currentSeconds(context))].length,
      created_at,
      last_login_at,
      updated_at: isoTime(user.updatedAt),
    };
  }),

  'session list': streamingOperation(
    z.strictObject({ username: username.optional() }),
    async function* (input, context) {
      for (const user of selectUsers(input, context))
        for (const session of context.loginSessions.listByUser(user.userId, currentSeconds(context)))
          yield {
            id: shortSessionId(session.sessionHash),
            username: user.username,
            started_at: isoTime(session.startedAt),
            last_used_at: isoTime(context.loginSessions.lastUse(session).at),
            expires_at: isoTime(session.expiresAt),
            browser: context.loginSessions.browserOf(session) ?? null,
          } satisfies UserSessionRow;
    },
  ),

  'session end': operation(idInput, async (input, context) => {
    const matches = context.projections.users
      .all()
      .flatMap((user) =>
        [...context.loginSessions.listByUser(user.userId, currentSeconds(context))]
          .filter(({ sessionHash }) => shortSessionId(sessionHash) === input.id)
          .map(({ sessionHash }) => ({ user, sessionHash })),
      );
    const [session] = matches;
    if (session === undefined || matches.length > 1) throw unknownSessionError(input.id);
    const { user, sessionHash } = session;
    await context.loginSessions.endForUser(sessionHash, user.userId, currentSeconds(context), context.cause);
    return { id: input.id, username: user.username };
  }),

  'grant list': streamingOperation(
    z.strictObject({ username: username.optional(), clientId: clientId.optional() }),
    async function* (input, context) {
      if (input.clientId !== undefined) requireClient(input.clientId, context);
      for (const user of selectUsers(input, context))
        for (const grant of context.projections.grants.listByUser(user.userId, currentSeconds(context)))
          if (input.clientId === undefined || grant.clientId === input.clientId) yield toGrantRow(grant, user, context);
    },
  ),

  'grant revoke': operation(idInput, async (input, context) => {
    const grants = context.projections.users
      .all()
      .flatMap((user) =>
        [...context.projections.grants.listByUser(user.userId, currentSeconds(context))]
          .filter(({ grantId }) => grantId === input.id)
          .map((grant) => ({ user, grant })),
      );
    const [match] = grants;
    if (match === undefined) throw unknownGrantError(input.id);
    const { user, grant } = match;
    const command = { type: 'RevokeGrant', reason: 'revoked-by-operator' } as const;
    await context.grantCommands.execute(grantStream(grant.grantId), command, context.cause);
    const application = context.projections.clients.find(grant.clientId)?.name ?? null;
    return { id: grant.grantId, username: user.username, client_id: grant.clientId, application };
  }),

  /** Also revokes codes that have not been redeemed. */
  'grant revoke-all': operation(z.strictObject({ username, clientId: clientId.optional() }), async (input, context) => {
    const { userId, username: name } = requireUser(input.username, context);
    const client = input.clientId === undefined ? undefined : requireClient(input.clientId, context).clientId;
    const { grants } = context.projections;
    const count = countGrants([...grants.listByUser(userId, currentSeconds(context))], client);
    for (const grantId of grants.listIds(userId, client))
      await revokeGrant(context.grantCommands, grantId, 'revoked-by-operator', context.cause);
    return { username: name, client_id: client ?? null, revoked: count };
  }),

  /** Makes the user the only owner. */
  'client transfer': operation(z.strictObject({ clientId, to: username }), async (input, context) => {
    const user = requireUser(input.to, context);
    const client = requireClient(input.clientId, context);
    if (!user.active)
      throw new OperationRefused(
        `the user ${JSON.stringify(user.username)} is disabled and cannot become the owner`,
        'conflict',
      );
    const { memberships, projections, cause } = context;
    const refusal = await transferClient(client.clientId, user, cause, { memberships, clients: projections.clients });
    if (refusal !== undefined)
      throw new OperationRefused(`the client was not transferred: ${MEMBERSHIP_REFUSALS[refusal]}`, 'conflict');
    return { client_id: input.clientId, owner: user.username };
  }),
};

/** Returns the refusal for an id that does not identify an open session. */
export function unknownSessionError(id: string): OperationRefused {
  return new OperationRefused(
    `no open session has the id ${JSON.stringify(id)}; see: grantlog session list`,
    'unknown',
  );
}

/** Returns the refusal for an id that is not the id of a user's valid grant. */
export function unknownGrantError(grantId: string): OperationRefused {
  return new OperationRefused(
    `no user grant has the id ${JSON.stringify(grantId)}; see: grantlog grant list`,
    'unknown',
  );
}

function countGrants(grants: readonly LiveGrant[], client: string | undefined): number {
  return grants.filter((grant) => client === undefined || grant.clientId === client).length;
}

function currentSeconds({ clock }: OperationContext): EpochSeconds {
  return Math.floor(clock.now() / 1000) as EpochSeconds;
}

function selectUsers({ username: name }: { readonly username?: string | undefined }, context: OperationContext) {
  return name === undefined ? context.projections.users.all() : [requireUser(name, context)];
}

function toGrantRow(
  { grantId, clientId: client, scope, resource = [], grantedAt, expiresAt }: LiveGrant,
  { username: name }: User,
  { projections }: OperationContext,
): GrantRow {
  return {
    id: grantId,
    username: name,
    client_id: client,
    application: projections.clients.find(client)?.name ?? null,
    scope,
    resources: resource,
    granted_at: isoTime(grantedAt),
    expires_at: expiresAt === null ? null : isoTime(expiresAt),
  };
}
