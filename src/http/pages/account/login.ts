import type { RateLimits } from '../../../platform/limits/rate-limits.ts';
import type { Accounts } from '../../../accounts/accounts.ts';
import type { GuardedPasswords } from '../../../accounts/guarded-passwords.ts';
import { AuthenticationUsed } from '../../../accounts/authentication-used.ts';
import { passwordWeakness } from '../../../accounts/password-advice.ts';
import type { PasskeyLogins } from '../../../accounts/passkeys.ts';
import type { Setup } from '../../../accounts/setup.ts';
import { callerFromAddress } from '../../../platform/hashing/hash-caller.ts';
import type { PasswordHashing } from '../../../platform/hashing/password-hashing.ts';
import type { CommandContext } from '../../../event-store/command-handler.ts';
import type { PasswordHasher } from '../../../platform/ports.ts';
import type { User } from '../../../projections/users.ts';
import { readTrustedBrowser } from '../../pipeline/browser-cookie.ts';
import type { Form } from '../../pipeline/form.ts';
import { ACCOUNT_CHANGED, beginSession } from './begin-session.ts';
import { requireLogin, safeNext } from '../../pipeline/require-login.ts';
import { formOf, hasCsrfToken, requireCsrfToken } from '../../pipeline/page-form.ts';
import { definedErrors, pageContext, type FieldErrors } from '../page-context.ts';
import { PageError } from '../../pipeline/page-error.ts';
import { queryOf } from '../../pipeline/query.ts';
import type { Pages } from '../render.ts';
import { sendPage } from '../send-page.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { createPageRouter, WITHOUT_CHANGE_LIMIT } from '../page-router.ts';
import type { Route } from '../../route.ts';

export interface LoginParts {
  readonly accounts: Pick<Accounts, 'validate' | 'register' | 'erase' | 'logOutEverywhere'>;
  readonly passwords: Pick<GuardedPasswords, 'logIn'>;
  readonly passkeyLogins: Pick<PasskeyLogins, 'relyingParty' | 'logIn'>;
  readonly hashing: Pick<PasswordHashing, 'hasherFor'>;
  readonly limits: Pick<RateLimits, 'spend'>;
  readonly addressOf: (ctx: RequestContext) => string;
  readonly mintBrowserId: () => string;
  readonly setup: Setup;
  readonly pages: Pages;
  readonly settings: { readonly signup: 'closed' | 'open'; readonly loginUrl: string };
}

const SESSION_CHANGED = 'Your session changed, or cookies are blocked. Please try again.';

const PASSKEY_REJECTED =
  'This passkey isn’t registered here, or the request timed out. Try again, or use your password.';

/** Login, logout, the set-up of the first administrator and, if enabled, sign-up. */
export function loginRoutes(parts: LoginParts): readonly Route[] {
  const { accounts, passwords, passkeyLogins, hashing, limits, addressOf, setup, pages, settings } = parts;
  const router = createPageRouter();
  const signupOpen = settings.signup === 'open';

  function showLogIn(ctx: RequestContext, next: string, username: string, error: string | null, status = 422): void {
    if (error !== null) ctx.status = status;
    const passkeyOrigin = passkeyLogins.relyingParty()?.origin ?? null;
    sendPage(ctx, pages.login({ ...pageContext(ctx), next, username, error, signupOpen, passkeyOrigin }), 'client');
  }

  router.get('/accounts/login', (ctx) => showLogIn(ctx, nextFromQuery(ctx), hintFromQuery(ctx), null));

  router.with(WITHOUT_CHANGE_LIMIT).post('/accounts/login', async (ctx) => {
    const form = formOf(ctx);
    const username = form.input('username');
    const next = safeNext(form.text('next'));
    // This happens with two login pages open. Showing the form again helps more than an error page.
    if (!hasCsrfToken(ctx)) return showLogIn(ctx, next, username, SESSION_CHANGED, 403);
    const password = form.input('password');
    const authenticated = await passwords.logIn(username, password, {
      address: addressOf(ctx),
      browser: readTrustedBrowser(ctx),
      once: ctx.state.once,
    });
    if (authenticated === undefined) return showLogIn(ctx, next, username, 'Wrong user name or password.');
    const isLoggedIn = await beginSession(ctx, authenticated, parts.mintBrowserId);
    if (!isLoggedIn) return showLogIn(ctx, next, username, ACCOUNT_CHANGED);
    ctx.redirect(next);
  });

  router.with(WITHOUT_CHANGE_LIMIT).post('/accounts/login/passkey', requireCsrfToken, async (ctx) => {
    const form = formOf(ctx);
    const next = safeNext(form.text('next'));
    const session = ctx.state.webSession.csrfToken();
    const sender = { address: addressOf(ctx), browser: readTrustedBrowser(ctx), once: ctx.state.once };
    const attempt = { answer: form.text('answer'), session, ...sender };
    const authenticated = await passkeyLogins.logIn(attempt);
    if (authenticated === undefined) return showLogIn(ctx, next, '', PASSKEY_REJECTED);
    const isLoggedIn = await beginSession(ctx, authenticated, parts.mintBrowserId).catch(unlessUsed);
    if (isLoggedIn === undefined) return showLogIn(ctx, next, '', PASSKEY_REJECTED);
    if (!isLoggedIn) return showLogIn(ctx, next, '', ACCOUNT_CHANGED);
    ctx.redirect(next);
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
        'Log out with the button',
        'Opening this address does not log you out, so that other sites can’t do it.',
        'Use the “Log out” button at the top of the page.',
      );
    }),
  );

  /** Only wrong tokens count against the limit. The right one always works, because it is too long to guess. */
  function requireSetupToken(ctx: RequestContext, token: string): void {
    if (setup.matches(token)) return;
    limits.spend('set-up-by-address', addressOf(ctx), ctx.state.once);
    throw invalidSetupLink();
  }

  function showSetup(ctx: RequestContext, token: string, form: Form | undefined, errors: FieldErrors): void {
    requireSetupToken(ctx, token);
    if (form !== undefined) ctx.status = 422;
    sendPage(ctx, pages.setup({ ...pageContext(ctx), token, values: enteredValues(form), errors }));
  }

  router.get('/accounts/setup', (ctx) => showSetup(ctx, queryOf(ctx).text('token') ?? '', undefined, {}));

  router.post('/accounts/setup', requireCsrfToken, async (ctx) => {
    const form = formOf(ctx);
    const token = form.text('token');
    requireSetupToken(ctx, token);
    const errors = await setup.use((mayStillRegister) =>
      register(ctx, form, {
        method: 'set-up-link',
        next: '/',
        roles: ['administrator'],
        mayStillRegister,
        mayStay: setup.isFirst,
      }),
    );
    if (errors !== undefined) showSetup(ctx, token, form, errors);
  });

  if (signupOpen) {
    const showSignup = (ctx: RequestContext, next: string, form: Form | undefined, errors: FieldErrors): void => {
      if (form !== undefined) ctx.status = 422;
      sendPage(ctx, pages.signup({ ...pageContext(ctx), next, values: enteredValues(form), errors }), 'client');
    };
    router.get('/accounts/signup', (ctx) => showSignup(ctx, nextFromQuery(ctx), undefined, {}));
    router.post('/accounts/signup', requireCsrfToken, async (ctx) => {
      const form = formOf(ctx);
      const next = safeNext(form.text('next'));
      const [address, { once }] = [addressOf(ctx), ctx.state];
      limits.spend('sign-up-by-address', address, once);
      // The server-wide limit is spent just before the account is created, so invalid forms don't use it up.
      const hasher = hashing.hasherFor(callerFromAddress(address, `sign-up ${address}`), () =>
        limits.spend('sign-up', '', once),
      );
      const errors = await register(ctx, form, { method: 'sign-up', next, hasher });
      if (errors !== undefined) showSignup(ctx, next, form, errors);
    });
  }

  /**
   * Creates the account, logs the user in and redirects to `next`. Returns the form's errors instead, if there are any.
   */
  async function register(ctx: RequestContext, form: Form, registering: NewAccount): Promise<FieldErrors | undefined> {
    const { method, next, roles = [], hasher, mayStillRegister, mayStay } = registering;
    const password = form.input('password');
    const account = { username: form.input('username'), email: form.input('email'), password, roles };
    const weakness = passwordWeakness(password, [account.username, account.email]);
    if (weakness !== undefined) return { ...definedErrors(accounts.validate(account) ?? {}), password: weakness };
    const context: CommandContext = { actor: { kind: 'server' }, ...ctx.state.metadata };
    const result = await accounts.register(account, { ...context, isStillValid: mayStillRegister }, hasher);
    if ('errors' in result) return definedErrors(result.errors);
    const { user } = result;
    if (mayStay?.(user) === false) {
      await accounts.erase(user, context);
      throw invalidSetupLink();
    }
    const check = { method, checkedAsOf: user.registeredPosition };
    if (await beginSession(ctx, { user, check }, parts.mintBrowserId)) ctx.redirect(next);
    else showLogIn(ctx, next, user.username, ACCOUNT_CHANGED);
    return undefined;
  }

  return router.routes;
}

interface NewAccount {
  readonly method: 'set-up-link' | 'sign-up';
  readonly next: string;
  readonly roles?: readonly 'administrator'[];
  /** Hashes the password in the queue of this caller; by default, in that of the server. */
  readonly hasher?: PasswordHasher;
  /** Checked again when the account is recorded: false cancels the registration. */
  readonly mayStillRegister?: () => boolean;
  /** Checked once the account is recorded: false erases it. */
  readonly mayStay?: (user: User) => boolean;
}

/** Undefined if the passkey's answer was sent before. */
function unlessUsed(error: unknown): undefined {
  if (!(error instanceof AuthenticationUsed)) throw error;
}

/** The same error for used, outdated and made-up links, so that it reveals nothing. */
function invalidSetupLink(): PageError {
  return new PageError(
    404,
    'This link doesn’t work',
    'Set-up links work once, and a restart can replace them.',
    'If you have already created your account, log in. Otherwise, open the newest link in the server’s output.',
  );
}

function nextFromQuery(ctx: RequestContext): string {
  return safeNext(queryOf(ctx).text('next') ?? '');
}

/** Suggested by the application; the user may enter another name. */
function hintFromQuery(ctx: RequestContext): string {
  return queryOf(ctx).text('login_hint') ?? '';
}

function enteredValues(form: Form | undefined): { username: string; email: string } {
  return { username: form?.input('username') ?? '', email: form?.input('email') ?? '' };
}
