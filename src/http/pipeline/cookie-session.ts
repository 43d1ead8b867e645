import { timingSafeEqual } from 'node:crypto';
import type Koa from 'koa';
import session from 'koa-session';
import type { NotifyOfLogin } from '../../accounts/login-notifier.ts';
import type { AuthenticatedUser } from '../../accounts/authenticated-user.ts';
import type { LoginSessions } from '../../accounts/login-sessions.ts';
import type { PendingLogin, PendingLogins } from '../../accounts/pending-logins.ts';
import type { SecondFactorPolicy } from '../../accounts/second-factor-policy.ts';
import { firstFactorOf, sessionLogin } from '../../domain/login.ts';
import type { EpochSeconds, UserId } from '../../domain/values.ts';
import { SESSION_COOKIE } from '../../policy/open-api-security.ts';
import { isList, message, type MessageValues, type Text } from '../../language/message.ts';
import type { User } from '../../projections/users.ts';
import type { SessionRefusal } from './principal-state.ts';
import { readTrustedBrowser } from './browser-cookie.ts';
import { describeBrowser } from './browser-description.ts';
import { readerLanguage } from './reader-language.ts';
import { header } from './request-head.ts';
import type { Handler, RequestContext } from './state.ts';
import type { Flash, LoggedInUser, LogoutReason, WebSession } from './web-session.ts';
import { english } from '../../language/english.ts';

/** The contents of the signed cookie, which a user can read but not change. */
interface CookieContents {
  csrf?: string;
  sessionId?: string;
  flash?: Flash;
  /** The ticket of a user who has not completed the second step yet. */
  pending?: string;
}

export interface CookieSessionDeps {
  readonly loginSessions: LoginSessions;
  readonly users: { find(userId: UserId): User | undefined };
  /** Called for each new session in a browser that has no device cookie for the user: see `readTrustedBrowser`. */
  readonly notifyOfLogin: NotifyOfLogin;
  readonly secondFactorPolicy: Pick<SecondFactorPolicy, 'nextStep'>;
  readonly pendingLogins: PendingLogins;
  readonly now: () => EpochSeconds;
  readonly mintCsrfToken: () => string;
  /** Whether the server's public URL uses https. */
  readonly secure: boolean;
  readonly settings: { readonly sessionLifetimeSeconds: number };
}

/**
 * Returns the steps that set `ctx.state.webSession`. The session's user becomes the principal if the request has no
 * `Authorization` header and, for an unsafe method, has the CSRF token in `X-CSRF-Token`. Without the correct token,
 * `ctx.state.sessionRefused` tells a policy why the caller is anonymous.
 */
export function cookieSession(app: Koa, deps: CookieSessionDeps): readonly Handler[] {
  return [secureCookies(deps), cookieHandler(app, deps), principalHandler(deps)];
}

/**
 * Returns a step that makes cookies `Secure` if the public URL uses https, even if the connection does not, because a
 * proxy may terminate TLS.
 */
function secureCookies({ secure }: CookieSessionDeps): Handler {
  return async (ctx, next) => {
    ctx.cookies.secure = secure;
    await next();
  };
}

function cookieHandler(app: Koa, { secure, settings }: CookieSessionDeps): Handler {
  const options = {
    httpOnly: true,
    sameSite: 'lax',
    signed: true,
    path: '/',
  } as const;
  const cookie = secure ? { key: SESSION_COOKIE.https, secure } : { key: SESSION_COOKIE.http };
  const saveSession = session({ ...options, ...cookie }, app) as Handler;
  return (ctx, next) => {
    setCookieLifetime(ctx, settings);
    return saveSession(ctx, next);
  };
}

/** Sets the lifetime of a new cookie. An existing cookie keeps its lifetime until the user logs in again. */
function setCookieLifetime(ctx: RequestContext, { sessionLifetimeSeconds }: CookieSessionDeps['settings']): void {
  (ctx['sessionOptions'] as { maxAge: number }).maxAge = sessionLifetimeSeconds * 1000;
}

/** The maximum length of each text in a flash message. Browsers limit the whole cookie to 4 KiB. */
const MAX_FLASH_LENGTH = 300;

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

function principalHandler(deps: CookieSessionDeps): Handler {
  return async (ctx, next) => {
    const webSession = createWebSession(ctx, deps);
    ctx.state.webSession = webSession;
    const loggedInUser = ctx.state.authorization === 'absent' ? webSession.loggedInUser() : undefined;
    if (loggedInUser !== undefined) {
      const refusal = csrfRefusal(ctx, webSession);
      deps.loginSessions.noteUse(loggedInUser.sessionHash, loggedInUser.user, deps.now(), ctx.state.metadata);
      const { user, authenticatedAt: authTime, login } = loggedInUser;
      if (refusal === undefined)
        ctx.state.principal = { kind: 'session', userId: user.userId, login: { authTime, acr: login?.acr } };
      else ctx.state.sessionRefused = refusal;
    }
    await next();
  };
}

function csrfRefusal(ctx: RequestContext, webSession: WebSession): SessionRefusal | undefined {
  if (SAFE_METHODS.includes(ctx.method)) return undefined;
  const token = header(ctx, 'x-csrf-token') ?? '';
  if (token === '') return 'csrf-token-missing';
  return webSession.isCsrfToken(token) ? undefined : 'csrf-token-wrong';
}

function createWebSession(ctx: RequestContext, deps: CookieSessionDeps): WebSession {
  const { loginSessions, users, notifyOfLogin, secondFactorPolicy, pendingLogins, now, mintCsrfToken } = deps;
  /**
   * Returns the cookie's contents. After a logout, the contents are empty and changes to them are lost, because the
   * cookie is removed.
   */
  const contents = (): CookieContents => (ctx['session'] ?? {}) as CookieContents;

  function loggedInUser(): LoggedInUser | undefined {
    const { sessionId } = contents();
    const loginSession = typeof sessionId === 'string' ? loginSessions.find(sessionId, now()) : undefined;
    const user = loginSession === undefined ? undefined : users.find(loginSession.userId);
    if (loginSession === undefined || user?.active !== true) return undefined;
    const { startedAt, authentication, sessionHash } = loginSession;
    const login = sessionLogin(sessionHash, authentication);
    const firstFactor =
      authentication === undefined || authentication.method === 'passkey' ? undefined : firstFactorOf(authentication);
    return { user, authenticatedAt: login?.authTime ?? startedAt, startedAt, sessionHash, login, firstFactor };
  }

  /**
   * Ends the current session. If the same user has logged in again, the new session takes over the grants.
   * @param newLogin the user who has logged in and the new session; undefined for a logout
   */
  async function end(
    newLogin: { readonly userId: UserId; readonly sessionId: string } | undefined,
    logoutReason: LogoutReason = 'logged-out',
  ): Promise<void> {
    const { sessionId } = contents();
    const currentUser = loggedInUser();
    if (sessionId === undefined || currentUser === undefined) return;
    const { userId } = currentUser.user;
    if (newLogin?.userId === userId)
      await loginSessions.continue(sessionId, newLogin.sessionId, userId, ctx.state.metadata);
    else {
      const reason = newLogin === undefined ? logoutReason : 'another-login';
      await loginSessions.end(sessionId, userId, reason, ctx.state.metadata);
    }
  }

  const csrfToken = (): string => (contents().csrf ??= mintCsrfToken());

  /** Returns the pending login, or undefined if the user needs no second step or has completed it. */
  function pendingLogin({ user, check }: AuthenticatedUser): PendingLogin | undefined {
    if (check.method === 'passkey' || check.secondFactor !== undefined) return undefined;
    if (check.method === 'upstream' && check.hasSecondFactor === true) return undefined;
    if (secondFactorPolicy.nextStep(user) === 'none') return undefined;
    return { ...firstFactorOf(check), userId: user.userId, checkedAsOf: check.checkedAsOf, at: now() };
  }

  return {
    loggedInUser,
    csrfToken,

    isCsrfToken(token) {
      const expectedToken = Buffer.from(contents().csrf ?? '');
      const actualToken = Buffer.from(token);
      return (
        expectedToken.length > 0 &&
        expectedToken.length === actualToken.length &&
        timingSafeEqual(expectedToken, actualToken)
      );
    },

    pendingUser() {
      const { pending: ticket, csrf = '' } = contents();
      const pending = ticket === undefined ? undefined : pendingLogins.open(ticket, csrf, now());
      const user = pending && users.find(pending.userId);
      if (pending === undefined || user?.active !== true) return undefined;
      if (loginSessions.haveEndedSince(user.userId, pending.checkedAsOf)) return undefined;
      return { ...firstFactorOf(pending), user, at: pending.at };
    },

    async logIn(authenticatedUser) {
      const pending = pendingLogin(authenticatedUser);
      if (pending !== undefined) {
        contents().pending = pendingLogins.seal(pending, csrfToken());
        return 'second-step';
      }
      const browser = describeBrowser(header(ctx, 'user-agent'));
      const sessionId = await loginSessions.start(authenticatedUser, now(), ctx.state.metadata, browser);
      if (sessionId === undefined) return 'account-changed';
      const { user } = authenticatedUser;
      const isTrustedBrowser = readTrustedBrowser(ctx)?.userId === user.userId;
      const login = { browser, at: now(), language: readerLanguage(ctx) };
      if (!isTrustedBrowser) ctx.state.once(['login-mail', user.userId], () => notifyOfLogin(user, login));
      await end({ userId: authenticatedUser.user.userId, sessionId });
      ctx['session'] = { sessionId, csrf: mintCsrfToken() } satisfies CookieContents;
      setCookieLifetime(ctx, deps.settings);
      return 'logged-in';
    },

    async logOut(reason) {
      await end(undefined, reason);
      ctx['session'] = null;
    },

    flash(text, tone = 'good') {
      ctx['session'] ??= {} satisfies CookieContents; // a logout removes the contents
      contents().flash = { text: truncateText(text), tone };
    },

    takeFlash() {
      const { flash } = contents();
      if (flash === undefined) return null;
      delete contents().flash;
      // Another release may have stored a plain string, or a message that is not in this release's catalog.
      return typeof flash === 'object' && isShowable(flash.text) ? flash : null;
    },
  };
}

/** Reports whether the text can be shown. A message must be in the catalog and have values for all its arguments. */
function isShowable(text: Text): boolean {
  try {
    english.text(text);
    return true;
  } catch {
    return false;
  }
}

function truncateText(text: Text): Text {
  if (typeof text === 'string') return text.slice(0, MAX_FLASH_LENGTH);
  const values = Object.entries(text.values ?? {}).map(([name, value]) => [name, truncateValue(value)]);
  return message(text.key, Object.fromEntries(values) as MessageValues);
}

function truncateValue(value: MessageValues[string]): MessageValues[string] {
  if (typeof value === 'number' || (typeof value === 'object' && 'at' in value)) return value;
  if (isList(value)) return value.map(truncateText);
  return typeof value === 'object' && 'names' in value ? value : truncateText(value);
}
