import type { GuardedPasswords } from '../../../accounts/guarded-passwords.ts';
import type { LoginSessions } from '../../../accounts/login-sessions.ts';
import type { SecondFactorPolicy } from '../../../accounts/second-factor-policy.ts';
import type { LinkedAccounts } from '../../../accounts/upstream-accounts.ts';
import type { UserId } from '../../../domain/values.ts';
import { message, type Text } from '../../../language/message.ts';
import type { Passkeys } from '../../../projections/passkeys.ts';
import type { UpstreamAccount, UpstreamAccounts } from '../../../projections/upstream-accounts.ts';
import type { UpstreamProviders } from '../../../projections/upstream-providers.ts';
import { noLongerExistsError, PageError } from '../../pipeline/page-error.ts';
import { requireCsrfToken } from '../../pipeline/page-form.ts';
import { pathParameter } from '../../pipeline/path-parameter.ts';
import { redirectToLogin, requireLogin } from '../../pipeline/require-login.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import type { LoggedInUser } from '../../pipeline/web-session.ts';
import type { Route } from '../../route.ts';
import type { AdminPages } from '../admin/locals.ts';
import { describeEndingAccess, type EndingAccessDeps } from '../ending-access.ts';
import { pageContextFor } from '../page-context.ts';
import { createPageRouter, WITHOUT_CHANGE_LIMIT } from '../page-router.ts';
import { sendPage } from '../send-page.ts';
import { isFresh, WAYS_PATH } from './fresh-login.ts';
import type { AccountPages } from './locals.ts';

export interface WaysDeps extends EndingAccessDeps {
  readonly upstreamProviders: Pick<UpstreamProviders, 'allUsable' | 'find'>;
  readonly upstreamAccounts: Pick<UpstreamAccounts, 'listByUser'>;
  readonly linkedAccounts: Pick<LinkedAccounts, 'unlink' | 'emailOf'>;
  readonly loginSessions: Pick<LoginSessions, 'endThroughAccount' | 'listByUser'>;
  readonly passwords: Pick<GuardedPasswords, 'areOff'>;
  readonly passkeys: Pick<Passkeys, 'listByUser'>;
  readonly secondFactorPolicy: Pick<SecondFactorPolicy, 'isOn'>;
  readonly pages: Pick<AccountPages, 'waysToLogIn'> & Pick<AdminPages, 'adminConfirm'>;
  readonly settings: { readonly loginUrl: string };
}

const UNLINKED = message('ways.unlinked');
const UNLINKED_AND_LOGGED_OUT = message('ways.unlinked-and-logged-out');

const unlinkPath = ({ subjectHash }: UpstreamAccount): string => `${WAYS_PATH}${subjectHash}/unlink/`;

/** Returns the routes for the page that lists a user's ways to log in, and for unlinking accounts at providers. */
export function waysRoutes(deps: WaysDeps): readonly Route[] {
  const { upstreamProviders, upstreamAccounts, linkedAccounts, pages, now, settings } = deps;
  const router = createPageRouter();
  const nameOf = (id: string): string => upstreamProviders.find(id)?.name ?? id;

  function passwordState({ passwordHash }: LoggedInUser['user']): 'usable' | 'off' | 'none' {
    if (passwordHash === '') return 'none';
    return deps.passwords.areOff() ? 'off' : 'usable';
  }

  router.get(
    '/accounts/ways',
    requireLogin(settings.loginUrl, (ctx, caller) => {
      const { userId } = caller.user;
      const providers = upstreamProviders.allUsable();
      const accounts = upstreamAccounts.listByUser(userId).map((account) => ({
        id: account.subjectHash,
        provider: nameOf(account.providerId),
        email: linkedAccounts.emailOf(account),
        since: account.linkedAt,
        isUsable: providers.some(({ providerId }) => providerId === account.providerId),
      }));
      const locals = {
        password: passwordState(caller.user),
        passkeyCount: deps.passkeys.listByUser(userId).length,
        isTwoStepOn: deps.secondFactorPolicy.isOn(userId),
        accounts,
        providers: providers.map(({ providerId, name }) => ({ id: providerId, name })),
      };
      // The forms redirect to providers, whose URLs are not known in advance, so `form-action` cannot list these URLs.
      sendPage(ctx, pages.waysToLogIn({ ...pageContextFor(ctx, caller), ...locals }), 'anywhere');
    }),
  );

  function requireLinkedAccount(ctx: RequestContext, userId: UserId): UpstreamAccount {
    const id = pathParameter(ctx, 'id');
    const account = upstreamAccounts.listByUser(userId).find(({ subjectHash }) => subjectHash === id);
    if (account === undefined) throw noLongerExistsError(message('ways.title'));
    return account;
  }

  function describeAccessEndingWith({ subjectHash }: UpstreamAccount, userId: UserId): Text {
    const sessions = deps.loginSessions
      .listByUser(userId, now())
      .filter(({ authentication: login }) => login?.method === 'upstream' && login.subjectHash === subjectHash);
    return describeEndingAccess(userId, deps, (session) =>
      sessions.some(({ sessionHash }) => sessionHash === session.sessionHash),
    );
  }

  router.get(
    '/accounts/ways/:id/unlink',
    requireLogin(settings.loginUrl, (ctx, caller) => {
      const account = requireLinkedAccount(ctx, caller.user.userId);
      if (!isFresh(caller, now())) return redirectToLogin(ctx, settings.loginUrl, unlinkPath(account));
      const name = nameOf(account.providerId);
      return sendPage(
        ctx,
        pages.adminConfirm({
          ...pageContextFor(ctx, caller),
          trail: [{ href: WAYS_PATH, text: message('ways.title') }],
          title: message('ways.unlink-title', { provider: name }),
          text: [
            message('ways.unlink-text', { provider: name }),
            describeAccessEndingWith(account, caller.user.userId),
          ],
          button: message('ways.unlink-button'),
          action: unlinkPath(account),
          back: WAYS_PATH,
        }),
      );
    }),
  );

  router.with(WITHOUT_CHANGE_LIMIT).post(
    '/accounts/ways/:id/unlink',
    requireCsrfToken,
    requireLogin(settings.loginUrl, async (ctx, caller) => {
      const { userId } = caller.user;
      const account = requireLinkedAccount(ctx, userId);
      if (!isFresh(caller, now())) return redirectToLogin(ctx, settings.loginUrl, unlinkPath(account));
      if (!(await linkedAccounts.unlink(account, caller.user, userCommandContext(ctx, caller)))) throw lastWayError();
      const context = { actor: { kind: 'user', id: userId }, ...ctx.state.metadata } as const;
      await deps.loginSessions.endThroughAccount(userId, account.subjectHash, now(), context);
      const wasLoggedOut = ctx.state.webSession.loggedInUser() === undefined;
      ctx.state.webSession.flash(wasLoggedOut ? UNLINKED_AND_LOGGED_OUT : UNLINKED);
      ctx.redirect(WAYS_PATH);
    }),
  );

  return router.routes;
}

function lastWayError(): PageError {
  return new PageError(409, message('ways.last-title'), message('ways.last'), message('ways.last-advice'));
}
