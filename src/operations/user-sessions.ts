import { z } from 'zod';
import { indexGrantsBySession } from '../audit/queries/authorized-in-sessions.ts';
import { OPERATION_TEXTS } from '../config/input-limits.ts';
import type { EpochSeconds } from '../domain/values.ts';
import { isoTime } from './iso-time.ts';
import { operation, streamingOperation, type Operation } from './operation.ts';
import type { User } from '../projections/users.ts';
import { OperationRefused } from './control/operation-refused.ts';
import type { OperationContext } from './operation-context.ts';
import { requireUser } from './users.ts';

const input = z.strictObject({ username: z.string().min(1).max(OPERATION_TEXTS.userName) });

const logoutInput = input.extend({ session: z.string().min(1).max(OPERATION_TEXTS.checkedText).optional() });

/** A user's open session, as printed by the command line. */
export interface SessionRow {
  /** The first characters of the session's hash, as accepted by `user logout`. */
  readonly id: string;
  readonly started_at: string;
  /** Only the day is exact if the last use was before the server's latest startup, or on another node. */
  readonly last_used_at: string;
  readonly expires_at: string;
  /** How the user authenticated; null if an earlier release started the session. */
  readonly login: string | null;
  /** Such as "Firefox on Linux"; null if not recorded. */
  readonly browser: string | null;
  /** The client ids of the applications that the user authorized in the session. */
  readonly applications: readonly string[];
  /** The client ids of those applications that lose access when the session ends. */
  readonly ending: readonly string[];
}

export const userSessionOperations: Readonly<Record<string, Operation>> = {
  'user sessions': streamingOperation(input, async function* ({ username }, context) {
    const { userId } = requireUser(username, context);
    const now = Math.floor(context.clock.now() / 1000) as EpochSeconds;
    const findApplications = indexGrantsBySession(context.projections.grants.listByUser(userId, now));
    for (const session of context.loginSessions.listByUser(userId, now)) {
      const { clients, endingClients } = findApplications(session.sessionHash);
      yield {
        id: shortSessionId(session.sessionHash),
        started_at: isoTime(session.startedAt),
        last_used_at: isoTime(context.loginSessions.lastUse(session).at),
        expires_at: isoTime(session.expiresAt),
        login: session.authentication?.method ?? null,
        browser: context.loginSessions.browserOf(session) ?? null,
        applications: clients,
        ending: endingClients,
      } satisfies SessionRow;
    }
  }),

  'user logout': operation(logoutInput, async ({ username, session }, context) => {
    const user = requireUser(username, context);
    if (session === undefined) await context.accounts.logOutEverywhere(user, context.cause);
    else await endSession(user, session, context);
    return { id: user.id, username: user.username };
  }),
};

const SHORT_ID_LENGTH = 10;

/** Returns the beginning of a session's hash, which identifies the session in commands. */
export function shortSessionId(sessionHash: string): string {
  return sessionHash.slice(0, SHORT_ID_LENGTH);
}

/** Returns the error for a session that the user does not have. */
export function unknownUserSessionError(username: string, id: string): OperationRefused {
  return new OperationRefused(
    `${JSON.stringify(username)} has no open session ${JSON.stringify(id)}; see: grantlog user sessions ${username}`,
    'unknown',
  );
}

/**
 * Ends a session.
 * @throws OperationRefused if the user has no session with this id, or several
 */
async function endSession({ userId, username }: User, id: string, context: OperationContext): Promise<void> {
  const now = Math.floor(context.clock.now() / 1000) as EpochSeconds;
  const matches = context.loginSessions
    .listByUser(userId, now)
    .filter(({ sessionHash }) => shortSessionId(sessionHash) === id);
  const [session] = matches;
  if (session === undefined || matches.length > 1) {
    throw unknownUserSessionError(username, id);
  }
  await context.loginSessions.endForUser(session.sessionHash, userId, now, context.cause);
}
