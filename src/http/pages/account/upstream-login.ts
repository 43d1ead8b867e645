import type { LinkedAccounts, LoginFailureReason } from '../../../accounts/upstream-accounts.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import { demandsLogin } from '../../../oauth/openid/demanded-login.ts';
import { STARTED_LOGIN_SECONDS, type StartedLogin } from '../../../oauth/upstream/started-logins.ts';
import type { CompletedLogin, UpstreamLogins, UpstreamResponse } from '../../../oauth/upstream/upstream-logins.ts';
import { UpstreamError } from '../../../oauth/upstream/upstream-error.ts';
import type { UpstreamRefusal } from '../../../oauth/refusals/upstream-refusal.ts';
import type { RateLimits } from '../../../platform/limits/rate-limits.ts';
import type { UpstreamMeter } from '../../../platform/metrics/metrics.ts';
import type { UpstreamProvider, UpstreamProviders } from '../../../projections/upstream-providers.ts';
import { notFound, PageError } from '../../pipeline/page-error.ts';
import { formOf, hasValidCsrfToken, requireCsrfToken } from '../../pipeline/page-form.ts';
import { pathParameter } from '../../pipeline/path-parameter.ts';
import { queryOf } from '../../pipeline/query.ts';
import { redirectToLogin, requireLogin, safeNext } from '../../pipeline/require-login.ts';
import { removeStartedLogin, storeStartedLogin, readStartedLogin } from '../../pipeline/started-login-cookie.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import type { LoggedInUser } from '../../pipeline/web-session.ts';
import type { Route } from '../../route.ts';
import { createPageRouter, WITHOUT_CHANGE_LIMIT } from '../page-router.ts';
import { ACCOUNT_CHANGED, beginSession } from './begin-session.ts';
import { isFresh, WAYS_PATH } from './fresh-login.ts';
import { createLoginPage, type LoginPageDeps } from './login-page.ts';
import { upstreamError } from './upstream-problems.ts';
import { message } from '../../../language/message.ts';

export interface UpstreamLoginDeps extends LoginPageDeps {
  readonly upstreamProviders: Pick<UpstreamProviders, 'allUsable' | 'areRequired' | 'find' | 'findEnabled'>;
  readonly upstreamLogins: UpstreamLogins;
  readonly linkedAccounts: Pick<LinkedAccounts, 'logIn' | 'link'>;
  readonly limits: Pick<RateLimits, 'spend'>;
  readonly upstreamMeter: UpstreamMeter;
  readonly addressOf: (ctx: RequestContext) => string;
  readonly mintBrowserId: () => string;
  readonly now: () => EpochSeconds;
  readonly settings: LoginPageDeps['settings'] & { readonly loginUrl: string };
}

const SESSION_CHANGED = message('login.session-changed');

/**
 * Returns the routes that log users in through providers and link accounts: the redirect to a provider, and the
 * callback.
 */
export function upstreamLoginRoutes(deps: UpstreamLoginDeps): readonly Route[] {
  const { upstreamProviders, upstreamLogins, linkedAccounts, limits, upstreamMeter, addressOf, now, settings } = deps;
  const router = createPageRouter();
  const loginPage = createLoginPage(deps);

  function requireProvider(ctx: RequestContext): UpstreamProvider {
    const provider = upstreamProviders.findEnabled(pathParameter(ctx, 'id'));
    if (provider === undefined) throw notFound();
    return provider;
  }

  function canLogInThrough({ providerId }: UpstreamProvider): boolean {
    return upstreamProviders.allUsable().some((provider) => provider.providerId === providerId);
  }

  /**
   * Throws if users can log in only through required providers, and this provider is not required. Users can still link
   * accounts at this provider.
   */
  function refuseUnlessLoginsAccepted(provider: UpstreamProvider): void {
    if (!canLogInThrough(provider)) throw notFound();
  }

  /** Counts the refusal and returns the error to throw. */
  function refusalError(refusal: UpstreamRefusal): PageError {
    upstreamMeter.observe(refusal.rule);
    const id = 'provider' in refusal ? refusal.provider : '';
    return upstreamError(refusal, upstreamProviders.find(id)?.name ?? id);
  }

  /** Runs the action. If it throws an `UpstreamError`, throws an error with a page for the user instead. */
  async function withRefusalPages<Result>(action: () => Result | Promise<Result>): Promise<Result> {
    try {
      return await action();
    } catch (error) {
      throw error instanceof UpstreamError ? refusalError(error.refusal) : error;
    }
  }

  async function beginLogin(
    ctx: RequestContext,
    provider: UpstreamProvider,
    login: Pick<StartedLogin, 'next' | 'linksTo' | 'asksAgain'>,
  ): Promise<void> {
    const { once, webSession } = ctx.state;
    limits.spend('upstream-logins-by-address', addressOf(ctx), once);
    const redirection = await withRefusalPages(() =>
      upstreamLogins.begin(provider, login, webSession.csrfToken(), now()),
    );
    if (!storeStartedLogin(ctx, provider.providerId, redirection.ticket, STARTED_LOGIN_SECONDS))
      throw tooLongError(provider);
    ctx.redirect(redirection.url);
  }

  router.with(WITHOUT_CHANGE_LIMIT).post('/accounts/login/provider/:id', async (ctx) => {
    const next = safeNext(formOf(ctx).text('next'));
    if (!hasValidCsrfToken(ctx)) return loginPage.show(ctx, next, '', SESSION_CHANGED, 403);
    ctx.state.showFormAgain = (text, status) => loginPage.show(ctx, next, '', text, status);
    const isLoggedIn = ctx.state.webSession.loggedInUser() !== undefined;
    const continuation = new URL(next, 'http://here.invalid').searchParams.get('continuation');
    const asksAgain = isLoggedIn || (continuation !== null && demandsLogin(continuation));
    const provider = requireProvider(ctx);
    refuseUnlessLoginsAccepted(provider);
    return beginLogin(ctx, provider, { next, linksTo: null, asksAgain });
  });

  router.get('/accounts/login/provider/:id', (ctx) => redirectToLogin(ctx, settings.loginUrl, '/'));

  router.with(WITHOUT_CHANGE_LIMIT).post(
    '/accounts/ways/link/:id',
    requireCsrfToken,
    requireLogin(settings.loginUrl, (ctx, caller) => {
      if (!isFresh(caller, now())) return redirectToLogin(ctx, settings.loginUrl, WAYS_PATH);
      const linksTo = { userId: caller.user.userId, sessionHash: caller.sessionHash };
      return beginLogin(ctx, requireProvider(ctx), { next: WAYS_PATH, linksTo, asksAgain: true });
    }),
  );

  router.get('/accounts/login/provider/:id/callback', async (ctx) => {
    const { once, webSession } = ctx.state;
    limits.spend('upstream-logins-by-address', addressOf(ctx), once);
    const query = queryOf(ctx);
    const response: UpstreamResponse = {
      code: query.text('code'),
      state: query.text('state'),
      iss: query.text('iss'),
      error: query.text('error'),
    };
    const id = pathParameter(ctx, 'id');
    const startedLogin = await withRefusalPages(() =>
      upstreamLogins.recognize(id, response, readStartedLogin(ctx), webSession.csrfToken(), now()),
    );
    removeStartedLogin(ctx, startedLogin.providerId);
    const { linksTo } = startedLogin;
    const caller = webSession.loggedInUser();
    if (linksTo !== null && caller?.sessionHash !== linksTo.sessionHash)
      throw refusalError({ rule: 'upstream-login-unknown', why: 'not-of-browser' });
    // The code works only once, so a request that is processed again must not redeem the code a second time.
    const completedLogin = await withRefusalPages(() =>
      once(['login through a provider', startedLogin.state], () =>
        upstreamLogins.complete(startedLogin, response, now()),
      ),
    );
    return linksTo !== null && caller !== undefined ? link(ctx, completedLogin, caller) : logIn(ctx, completedLogin);
  });

  async function link(ctx: RequestContext, { identity, provider }: CompletedLogin, caller: LoggedInUser) {
    const problem = await linkedAccounts.link(identity, provider, caller.user, userCommandContext(ctx, caller));
    if (problem !== undefined) throw refusalError(toRefusal(problem, provider));
    upstreamMeter.observe('linked');
    const { email } = identity;
    const linkedKey = email === '' ? 'upstream.linked-without-address' : 'upstream.linked';
    const key = canLogInThrough(provider) ? linkedKey : 'upstream.linked-unusable';
    ctx.state.webSession.flash(message(key, { email, provider: provider.name }));
    ctx.redirect(WAYS_PATH);
  }

  async function logIn(ctx: RequestContext, { identity, provider, startedLogin }: CompletedLogin): Promise<void> {
    // Another provider may have become required since the login began.
    refuseUnlessLoginsAccepted(provider);
    const { metadata, once } = ctx.state;
    const request = { metadata, once, address: addressOf(ctx) };
    const authentication = await linkedAccounts.logIn(identity, provider, request);
    if (typeof authentication === 'string') throw refusalError(toRefusal(authentication, provider));
    const next = safeNext(startedLogin.next);
    const target = await beginSession(ctx, authentication, deps.mintBrowserId, next);
    if (target === undefined) return loginPage.show(ctx, next, '', ACCOUNT_CHANGED);
    upstreamMeter.observe('logged-in');
    ctx.redirect(target);
  }

  return router.routes;
}

function toRefusal(why: LoginFailureReason, { providerId: provider }: UpstreamProvider): UpstreamRefusal {
  if (why === 'inactive') return { rule: 'upstream-user-inactive', provider };
  if (why === 'linked-elsewhere') return { rule: 'upstream-linked-elsewhere', provider };
  return { rule: 'upstream-user-unknown', provider, why };
}

function tooLongError({ name }: UpstreamProvider): PageError {
  return new PageError(
    422,
    message('upstream.too-long'),
    message('upstream.too-long.text', { provider: name }),
    message('upstream.too-long.advice'),
    undefined,
    [],
    ['login'],
  );
}
