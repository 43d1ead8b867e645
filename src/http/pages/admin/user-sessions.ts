import { userCommandContext } from '../../pipeline/user-command-context.ts';
import { alreadyEnded } from '../../pipeline/page-error.ts';
import { pathParameter } from '../../pipeline/path-parameter.ts';
import { actingUser } from '../../pipeline/require-role.ts';
import { createSessionList, type SessionListParts } from '../account/session-list.ts';
import type { LoginSessions } from '../../../accounts/login-sessions.ts';
import type { Users } from '../../../projections/users.ts';
import { pageContextFor } from '../page-context.ts';
import type { PageRouter } from '../page-router.ts';
import { paginate } from '../paging.ts';
import { sendPage } from '../send-page.ts';
import { WITHOUT_CHANGE_LIMIT } from '../page-router.ts';
import type { AdminPages } from './locals.ts';
import { adminUserLocals, adminUserPath, requireAccount } from './users.ts';

export interface AdminUserSessionParts extends SessionListParts {
  readonly loginSessions: SessionListParts['loginSessions'] & Pick<LoginSessions, 'endForUser'>;
  readonly users: Pick<Users, 'findByPk'>;
  readonly pages: Pick<AdminPages, 'adminUserSessions'>;
}

/** The sessions of a user, each of which an administrator can end. */
export function addUserSessionPages(router: PageRouter, parts: AdminUserSessionParts): void {
  const { users, loginSessions, pages, now } = parts;
  const sessionList = createSessionList(parts);

  router.get('/users/:pk/sessions', (ctx) => {
    const actor = actingUser(ctx);
    const account = requireAccount(ctx, users);
    const { items, paging } = paginate(ctx, () => sessionList.open({ user: account, sessionHash: actor.sessionHash }));
    const sessions = sessionList.locals(items, { user: account, sessionHash: actor.sessionHash });
    sendPage(
      ctx,
      pages.adminUserSessions({ ...pageContextFor(ctx, actor), account: adminUserLocals(account), paging, sessions }),
    );
  });

  router.with(WITHOUT_CHANGE_LIMIT).post('/users/:pk/sessions/:id/end', async (ctx) => {
    const actor = actingUser(ctx);
    const account = requireAccount(ctx, users);
    const id = pathParameter(ctx, 'id');
    if (!(await loginSessions.endForUser(id, account.userId, now(), userCommandContext(ctx, actor))))
      throw alreadyEnded('Administration');
    ctx.state.webSession.flash(`One session of ${account.username} was ended.`);
    ctx.redirect(id === actor.sessionHash ? '/' : `${adminUserPath(account)}sessions/`);
  });
}
