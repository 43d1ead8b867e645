import type { LoginSessions } from '../../../accounts/login-sessions.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import { message } from '../../../language/message.ts';
import type { Users } from '../../../projections/users.ts';
import { formOf } from '../../pipeline/page-form.ts';
import { actingUser } from '../../pipeline/require-role.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import { pageContextFor } from '../page-context.ts';
import { WITHOUT_CHANGE_LIMIT, type PageRouter } from '../page-router.ts';
import type { AdminPages } from './locals.ts';
import { sendAdminList } from './send-admin-list.ts';
import { allSessionsList, type SessionOfUser } from './session-list.ts';

export interface AdminSessionParts {
  readonly loginSessions: Pick<LoginSessions, 'ofUser' | 'browserOf' | 'lastUse' | 'endForUser'>;
  readonly users: Pick<Users, 'all'>;
  readonly pages: Pick<AdminPages, 'adminSessions'>;
  readonly now: () => EpochSeconds;
}

const PAGE = '/admin/sessions/';

/** The open sessions of all users, of which an administrator can end one or several. */
export function addSessionPages(router: PageRouter, { loginSessions, users, pages, now }: AdminSessionParts): void {
  const open = (): readonly SessionOfUser[] =>
    users.all().flatMap((user) => [...loginSessions.ofUser(user.userId, now())].map((session) => ({ user, session })));

  router.get('/sessions', (ctx) => {
    const actor = actingUser(ctx);
    sendAdminList(ctx, allSessionsList(loginSessions, actor.sessionHash), open(), (list) =>
      pages.adminSessions({ ...pageContextFor(ctx, actor), list }),
    );
  });

  router.with(WITHOUT_CHANGE_LIMIT).post('/sessions/end', async (ctx) => {
    const actor = actingUser(ctx);
    const chosen = new Set(formOf(ctx).list('session_hash'));
    const found = open().filter(({ session }) => chosen.has(session.sessionHash));
    // The reader's own session ends last, because nobody may act in a session that has ended.
    const isOwn = ({ session }: SessionOfUser): boolean => session.sessionHash === actor.sessionHash;
    let count = 0;
    for (const { user, session } of [...found.filter((each) => !isOwn(each)), ...found.filter(isOwn)]) {
      const context = userCommandContext(ctx, actor);
      if (await loginSessions.endForUser(session.sessionHash, user.userId, now(), context)) count += 1;
    }
    ctx.state.webSession.flash(
      message(chosen.size === 0 ? 'all-sessions.none-chosen' : 'all-sessions.ended', { count }),
    );
    ctx.redirect(found.some(isOwn) ? '/' : PAGE);
  });
}
