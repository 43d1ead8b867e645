import { noLongerExistsError } from '../../pipeline/page-error.ts';
import { pathParameter } from '../../pipeline/path-parameter.ts';
import { actingUser } from '../../pipeline/require-role.ts';
import { createSessionList, type SessionListDeps } from '../account/session-list.ts';
import type { IdentifiedSession, LoginSessions } from '../../../accounts/login-sessions.ts';
import type { Users } from '../../../projections/users.ts';
import { pageContextFor } from '../page-context.ts';
import type { PageRouter } from '../page-router.ts';
import { sendAdminList } from './send-admin-list.ts';
import { english } from '../../../language/english.ts';
import { message } from '../../../language/message.ts';
import { textColumn, timeColumn, type PageList } from '../lists/page-list.ts';
import { loginMethod } from '../../../audit/queries/login-method.ts';
import { WITHOUT_CHANGE_LIMIT } from '../page-router.ts';
import { createSessionEnder, type SessionEndingDeps } from './ending-sessions.ts';
import type { AdminPages } from './locals.ts';
import { adminUserLocals, adminUserPath, requireAccount } from './users.ts';

export interface AdminUserSessionDeps extends SessionListDeps {
  readonly loginSessions: SessionListDeps['loginSessions'] & Pick<LoginSessions, 'endForUser'>;
  readonly users: Pick<Users, 'findByPk'>;
  readonly pages: SessionEndingDeps['pages'] & Pick<AdminPages, 'adminUserSessions'>;
}

/** Adds the page that lists a user's sessions and lets administrators end them. */
export function addUserSessionPages(router: PageRouter, deps: AdminUserSessionDeps): void {
  const { users, loginSessions, pages, now } = deps;
  const sessionList = createSessionList(deps);
  const endSessions = createSessionEnder(deps);
  const list: PageList<IdentifiedSession> = {
    name: message('listed.sessions'),
    countMessage: 'listed.sessions.count',
    fileName: 'sessions',
    searchLabel: message('search.browser-or-method-of-login'),
    id: ({ sessionHash }) => sessionHash,
    texts: (session) => [loginSessions.browserOf(session) ?? '', englishLoginMethod(session)],
    filters: [],
    columns: [
      textColumn('browser', message('column.browser'), (session) => loginSessions.browserOf(session) ?? ''),
      textColumn('login', message('column.logged-in'), englishLoginMethod),
      timeColumn('last_used', message('column.last-used'), (session) => loginSessions.lastUse(session).at),
      timeColumn('started', message('column.begun'), ({ startedAt }) => startedAt),
      timeColumn('expires', message('column.expires'), ({ expiresAt }) => expiresAt),
    ],
    sort: { by: 'last_used', direction: 'descending' },
    empty: { icon: 'log-in', text: message('empty.sessions-of-user'), action: null },
  };

  router.get('/users/:pk/sessions', (ctx) => {
    const actor = actingUser(ctx);
    const account = requireAccount(ctx, users);
    const owner = { user: account, sessionHash: actor.sessionHash };
    sendAdminList(ctx, list, sessionList.openSessions(owner), (locals, items) => {
      const sessions = sessionList.locals(items, owner);
      return pages.adminUserSessions({
        ...pageContextFor(ctx, actor),
        account: adminUserLocals(account),
        list: locals,
        sessions,
      });
    });
  });

  router.with(WITHOUT_CHANGE_LIMIT).post('/users/:pk/sessions/:id/end', async (ctx) => {
    const actor = actingUser(ctx);
    const account = requireAccount(ctx, users);
    const id = pathParameter(ctx, 'id');
    const sessions = loginSessions.listByUser(account.userId, now()).filter(({ sessionHash }) => sessionHash === id);
    const back = `${adminUserPath(account)}sessions/`;
    const trail = [
      { href: '/admin/users/', text: message('admin.users') },
      { href: adminUserPath(account), text: account.username },
      { href: back, text: message('listed.sessions') },
    ];
    const userSessions = sessions.map((session) => ({ user: account, session }));
    const count = await endSessions(ctx, userSessions, {
      trail,
      action: `${back}${encodeURIComponent(id)}/end/`,
      back,
    });
    if (count === undefined) return;
    if (count === 0) throw noLongerExistsError(message('navigation.administration'));
    ctx.state.webSession.flash(message('user-sessions.ended', { username: account.username }));
    ctx.redirect(id === actor.sessionHash ? '/' : back);
  });
}

/** Returns the login method in English, for searches, sorting and CSV files; empty if the method is unknown. */
function englishLoginMethod({ authentication }: IdentifiedSession): string {
  return authentication === undefined ? '' : english.text(loginMethod(authentication));
}
