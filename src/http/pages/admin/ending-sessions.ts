import type { LoginSessions } from '../../../accounts/login-sessions.ts';
import { message, type Text } from '../../../language/message.ts';
import { formOf } from '../../pipeline/page-form.ts';
import { actingUser } from '../../pipeline/require-role.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import { browserName } from '../browser-name.ts';
import { endingAccessFacts, type EndingAccessDeps } from '../ending-access.ts';
import { pageContextFor } from '../page-context.ts';
import { sendPage } from '../send-page.ts';
import type { AdminConfirmLocals, AdminPages, ActionFact } from './locals.ts';
import { namedUsers } from './removal-facts.ts';
import type { UserSession } from './session-list.ts';

export interface SessionEndingDeps extends EndingAccessDeps {
  readonly loginSessions: Pick<LoginSessions, 'browserOf' | 'endForUser'>;
  readonly pages: Pick<AdminPages, 'adminConfirm'>;
}

/** The links on the confirmation page: the breadcrumb trail, the target of the form, and the page to return to. */
type ConfirmationLinks = Pick<AdminConfirmLocals, 'trail' | 'action' | 'back'>;

/**
 * Ends users' open sessions if the administrator has confirmed the action. Otherwise, sends a page that asks for
 * confirmation.
 * @returns the number of sessions that ended; undefined if the confirmation page was sent instead
 */
export type EndSessions = (
  ctx: RequestContext,
  sessions: readonly UserSession[],
  links: ConfirmationLinks,
) => Promise<number | undefined>;

export function createSessionEnder(deps: SessionEndingDeps): EndSessions {
  const { loginSessions, pages, now } = deps;

  function confirmationFacts(sessions: readonly UserSession[]): readonly ActionFact[] {
    const users = [...new Map(sessions.map(({ user }) => [user.userId, user])).values()];
    const hashes = new Set(sessions.map(({ session }) => session.sessionHash));
    return [
      {
        title: message('removal.sessions'),
        text: message('end-sessions.count', { count: sessions.length, users: users.length }),
      },
      { title: message('admin.users'), text: namedUsers(users) },
      ...(sessions.length === 1 ? browserFacts(sessions) : []),
      ...endingAccessFacts(
        users.map(({ userId }) => userId),
        deps,
        ({ sessionHash }) => hashes.has(sessionHash),
      ),
    ];
  }

  const browserFacts = (sessions: readonly UserSession[]): readonly ActionFact[] =>
    sessions.flatMap(({ session }) => {
      const browser = loginSessions.browserOf(session);
      return browser === undefined ? [] : [{ title: message('column.browser'), text: browserName(browser) }];
    });

  function askForConfirmation(ctx: RequestContext, sessions: readonly UserSession[], links: ConfirmationLinks): void {
    const actor = actingUser(ctx);
    const endsOwnSession = sessions.some(({ session }) => session.sessionHash === actor.sessionHash);
    const otherSessionCount = sessions.length - Number(endsOwnSession);
    sendPage(
      ctx,
      pages.adminConfirm({
        ...pageContextFor(ctx, actor),
        ...links,
        title: confirmationTitle(sessions),
        text: [
          ...(endsOwnSession ? [message('end-sessions.own', { others: otherSessionCount })] : []),
          ...(otherSessionCount > 0 ? [message('end-sessions.text', { count: otherSessionCount })] : []),
          message('end-sessions.rule'),
        ],
        facts: confirmationFacts(sessions),
        button: message('end-sessions.button', { count: sessions.length }),
        hidden: { session_hash: sessions.map(({ session }) => session.sessionHash), confirmed: 'yes' },
      }),
    );
  }

  return async (ctx, sessions, links) => {
    if (sessions.length > 0 && formOf(ctx).text('confirmed') !== 'yes') {
      askForConfirmation(ctx, sessions, links);
      return undefined;
    }
    const actor = actingUser(ctx);
    const isOwnSession = ({ session }: UserSession): boolean => session.sessionHash === actor.sessionHash;
    let count = 0;
    // The administrator's own session ends last, so that it is still open while the other sessions end.
    for (const { user, session } of sessions.toSorted((a, b) => Number(isOwnSession(a)) - Number(isOwnSession(b)))) {
      const context = userCommandContext(ctx, actor);
      if (await loginSessions.endForUser(session.sessionHash, user.userId, now(), context)) count += 1;
    }
    return count;
  };
}

function confirmationTitle(sessions: readonly UserSession[]): Text {
  const [first] = sessions;
  return sessions.length === 1 && first !== undefined
    ? message('end-sessions.title-one', { username: first.user.username })
    : message('end-sessions.title', { count: sessions.length });
}
