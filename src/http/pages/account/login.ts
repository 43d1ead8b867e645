import type { Accounts } from '../../../accounts/accounts.ts';
import type { GuardedPasswords } from '../../../accounts/guarded-passwords.ts';
import type { PasskeyLogins } from '../../../accounts/passkeys.ts';
import { countOccurrence, type RecentHistory } from '../../../domain/recent-counts.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import { message } from '../../../language/message.ts';
import { ACCOUNT_CHANGED, beginSession, toUsedOrRethrow } from './begin-session.ts';
import { createLoginPage, type LoginPageDeps } from './login-page.ts';
import { nextFromQuery } from './next-from-query.ts';
import { requireLogin, safeNext } from '../../pipeline/require-login.ts';
import { formOf, hasValidCsrfToken, requireCsrfToken } from '../../pipeline/page-form.ts';
import { PageError } from '../../pipeline/page-error.ts';
import { queryOf } from '../../pipeline/query.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { createPageRouter, WITHOUT_CHANGE_LIMIT } from '../page-router.ts';
import type { Route } from '../../route.ts';
import { passwordSender } from './password-sender.ts';

export interface LoginDeps extends LoginPageDeps {
  readonly accounts: Pick<Accounts, 'logOutEverywhere'>;
  readonly passwords: Pick<GuardedPasswords, 'areOff' | 'logIn'>;
  readonly passkeyLogins: Pick<PasskeyLogins, 'relyingParty' | 'logIn'>;
  readonly addressOf: (ctx: RequestContext) => string;
  readonly mintBrowserId: () => string;
  /** The counts of failed logins, for the administrators' dashboard. */
  readonly failedLogins: RecentHistory;
  readonly now: () => EpochSeconds;
  readonly settings: LoginPageDeps['settings'] & { readonly loginUrl: string };
}

const SESSION_CHANGED = message('login.session-changed');

const PASSWORDS_OFF = message('login.passwords-off.error');

const PASSKEY_REJECTED = message('login.passkey-rejected');

/** Returns the routes for login and logout. */
export function loginRoutes(deps: LoginDeps): readonly Route[] {
  const { accounts, passwords, passkeyLogins, failedLogins, now, settings } = deps;
  const router = createPageRouter();
  const loginPage = createLoginPage(deps);

  router.get('/accounts/login', (ctx) => loginPage.show(ctx, nextFromQuery(ctx), hintFromQuery(ctx), null));

  router.with(WITHOUT_CHANGE_LIMIT).post('/accounts/login', async (ctx) => {
    const form = formOf(ctx);
    const username = form.input('username');
    const next = safeNext(form.text('next'));
    // A login in another tab invalidates the CSRF token. The form is more helpful to the user than an error page.
    if (!hasValidCsrfToken(ctx)) return loginPage.show(ctx, next, username, SESSION_CHANGED, 403);
    ctx.state.showFormAgain = (problem, status) => loginPage.show(ctx, next, username, problem, status);
    if (passwords.areOff()) return loginPage.show(ctx, next, '', PASSWORDS_OFF);
    const password = form.input('password');
    const authentication = await passwords.logIn(username, password, passwordSender(ctx, deps));
    if (authentication === undefined) {
      countOccurrence(failedLogins, now());
      return loginPage.show(ctx, next, username, message('login.wrong'));
    }
    const target = await beginSession(ctx, authentication, deps.mintBrowserId, next);
    if (target === undefined) return loginPage.show(ctx, next, username, ACCOUNT_CHANGED);
    ctx.redirect(target);
  });

  router.with(WITHOUT_CHANGE_LIMIT).post('/accounts/login/passkey', requireCsrfToken, async (ctx) => {
    const form = formOf(ctx);
    const next = safeNext(form.text('next'));
    const session = ctx.state.webSession.csrfToken();
    ctx.state.showFormAgain = (problem, status) => loginPage.show(ctx, next, '', problem, status);
    const attempt = { responseJson: form.text('answer'), session, ...passwordSender(ctx, deps) };
    const authentication = await passkeyLogins.logIn(attempt);
    if (authentication === undefined) {
      countOccurrence(failedLogins, now());
      return loginPage.show(ctx, next, '', PASSKEY_REJECTED);
    }
    const target = await beginSession(ctx, authentication, deps.mintBrowserId, next).catch(toUsedOrRethrow);
    if (target === 'used') return loginPage.show(ctx, next, '', PASSKEY_REJECTED);
    if (target === undefined) return loginPage.show(ctx, next, '', ACCOUNT_CHANGED);
    ctx.redirect(target);
  });

  router.with(WITHOUT_CHANGE_LIMIT).post('/accounts/logout', requireCsrfToken, async (ctx) => {
    const next = safeNext(formOf(ctx).text('next'));
    await ctx.state.webSession.logOut();
    ctx.redirect(next);
  });

  router.with(WITHOUT_CHANGE_LIMIT).post(
    '/accounts/logout/everywhere',
    requireCsrfToken,
    requireLogin(settings.loginUrl, async (ctx, { user }) => {
      await accounts.logOutEverywhere(user, { actor: { kind: 'user', id: user.userId }, ...ctx.state.metadata });
      await ctx.state.webSession.logOut();
      ctx.redirect('/');
    }),
  );

  router.get(
    '/accounts/logout',
    requireLogin(settings.loginUrl, (ctx) => {
      ctx.set('Allow', 'POST');
      throw new PageError(
        405,
        message('logout-error.button'),
        message('logout-error.button-text'),
        message('logout-error.button-advice'),
      );
    }),
  );

  return router.routes;
}

/** Returns the `login_hint`, with which the login page prefills the user name; empty if the query has no hint. */
function hintFromQuery(ctx: RequestContext): string {
  return queryOf(ctx).text('login_hint') ?? '';
}
