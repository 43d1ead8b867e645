import type { LoginSessions } from '../../../accounts/login-sessions.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import { message } from '../../../language/message.ts';
import type { Users } from '../../../projections/users.ts';
import { formOf } from '../../pipeline/page-form.ts';
import { actingUser } from '../../pipeline/require-role.ts';
import { pageContextFor } from '../page-context.ts';
import { WITHOUT_CHANGE_LIMIT, type PageRouter } from '../page-router.ts';
import { createSessionEnder, type SessionEndingDeps } from './ending-sessions.ts';
import type { AdminPages } from './locals.ts';
import { sendAdminList } from './send-admin-list.ts';
import { allSessionsList, type UserSession } from './session-list.ts';

export interface AdminSessionDeps extends SessionEndingDeps {
  readonly loginSessions: SessionEndingDeps['loginSessions'] & Pick<LoginSessions, 'listByUser' | 'lastUse'>;
  readonly users: Pick<Users, 'all'>;
  readonly pages: SessionEndingDeps['pages'] & Pick<AdminPages, 'adminSessions'>;
  readonly now: () => EpochSeconds;
}

const PAGE_PATH = '/admin/sessions/';

/** Adds the list of all users' open sessions, where administrators select sessions to end. */
export function addSessionPages(router: PageRouter, deps: AdminSessionDeps): void {
  const { loginSessions, users, pages, now } = deps;
  const endSessions = createSessionEnder(deps);
  const openSessions = (): readonly UserSession[] =>
    users
      .all()
      .flatMap((user) => [...loginSessions.listByUser(user.userId, now())].map((session) => ({ user, session })));

  router.get('/sessions', (ctx) => {
    const actor = actingUser(ctx);
    sendAdminList(ctx, allSessionsList(loginSessions, actor.sessionHash), openSessions(), (list) =>
      pages.adminSessions({ ...pageContextFor(ctx, actor), list }),
    );
  });

  router.with(WITHOUT_CHANGE_LIMIT).post('/sessions/end', async (ctx) => {
    const { sessionHash: ownHash } = actingUser(ctx);
    const selectedHashes = new Set(formOf(ctx).list('session_hash'));
    const selectedSessions = openSessions().filter(({ session }) => selectedHashes.has(session.sessionHash));
    const trail = [{ href: PAGE_PATH, text: message('all-sessions.title') }];
    const count = await endSessions(ctx, selectedSessions, { trail, action: `${PAGE_PATH}end/`, back: PAGE_PATH });
    if (count === undefined) return;
    const notice = selectedHashes.size === 0 ? 'all-sessions.none-chosen' : 'all-sessions.ended';
    ctx.state.webSession.flash(message(notice, { count }), count === 0 ? 'warning' : 'good');
    ctx.redirect(selectedSessions.some(({ session }) => session.sessionHash === ownHash) ? '/' : PAGE_PATH);
  });
}
