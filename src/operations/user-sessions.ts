import { z } from 'zod';
import { authorizedInSessions } from '../audit/queries/authorized-in-sessions.ts';
import { OPERATION_TEXTS } from '../config/input-limits.ts';
import type { EpochSeconds } from '../domain/values.ts';
import { isoTime } from './iso-time.ts';
import { BY_OPERATOR, operation, streamingOperation, type Operation } from './operation.ts';
import { requireUser } from './users.ts';

const input = z.strictObject({ username: z.string().min(1).max(OPERATION_TEXTS.userName) });

/** An open session of a user, as the command line prints it. */
interface SessionRow {
  readonly started_at: string;
  readonly expires_at: string;
  /** How the user authenticated; null if an earlier release started the session. */
  readonly login: string | null;
  /** Such as "Firefox on Linux"; null if that is not recorded. */
  readonly browser: string | null;
  /** The client ids of the applications that the user authorized in it. */
  readonly applications: readonly string[];
  /** Those of them whose access ends with it. */
  readonly ending: readonly string[];
}

export const userSessionOperations: Readonly<Record<string, Operation>> = {
  'user sessions': streamingOperation(input, async function* ({ username }, admin) {
    const { userId } = requireUser(username, admin);
    const now = Math.floor(admin.clock.now() / 1000) as EpochSeconds;
    const authorizedIn = authorizedInSessions(admin.projections.grants.listByUser(userId, now));
    for (const session of admin.loginSessions.ofUser(userId, now)) {
      const { clients, ending } = authorizedIn(session.sessionHash);
      yield {
        started_at: isoTime(session.startedAt),
        expires_at: isoTime(session.expiresAt),
        login: session.authentication?.method ?? null,
        browser: admin.loginSessions.browserOf(session) ?? null,
        applications: clients,
        ending,
      } satisfies SessionRow;
    }
  }),

  'user logout': operation(input, async ({ username }, admin) => {
    const user = requireUser(username, admin);
    await admin.accounts.logOutEverywhere(user, BY_OPERATOR);
    return { id: user.id, username: user.username };
  }),
};
