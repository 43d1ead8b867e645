import type { Login } from '../../domain/events.ts';
import { authorizationRefused, type AuthorizationRequest } from '../endpoints/authorization-request.ts';
import type { RefusalOf } from '../refusals/refusal.ts';
import { sanitizeNames } from '../refusals/sanitize.ts';
import { essentialClasses, requestedSubjects } from './authentication-request.ts';
import { satisfies, type DemandedLogin } from './demanded-login.ts';

/** The facts about the browser's session on which a request can insist. */
export interface SessionFacts {
  readonly sessionHash: string;
  /** When the user authenticated, in seconds since the epoch. */
  readonly authenticatedAt: number;
  /** Undefined if an earlier release started the session. */
  readonly login: Login | undefined;
}

/** Why the user must log in; `prompt` if the request says so. */
export type LoginReason = RefusalOf<'log-in-required'>['why'] | 'prompt';

/** The login to demand; undefined if every login meets the request, so that nothing has to be remembered. */
export function demandedLogin(
  { prompt, maxAgeSeconds, openid }: AuthorizationRequest,
  session: SessionFacts | undefined,
  now: number,
): DemandedLogin | undefined {
  const isDemanding = prompt.has('login') || prompt.has('select_account') || maxAgeSeconds === 0;
  const namesUser = openid !== null && (openid.idTokenHint !== undefined || requestedSubjects(openid).length > 0);
  const namesClass = openid !== null && essentialClasses(openid).length > 0;
  return session !== undefined || isDemanding || namesUser || namesClass
    ? { sessionHash: session?.sessionHash ?? null, at: now }
    : undefined;
}

/**
 * Why the user must log in, or log in again, before the request continues (OpenID Connect Core §3.1.2.1, §5.5.1.1).
 * @param demanded the login that was demanded for this request before
 * @param isNamedUser whether the session's user is the one that the request names, if it names one
 * @throws AuthorizationRefused the user has logged in as demanded, and another login could not help
 * @returns undefined if the session will do
 */
export function reasonToLogIn(
  request: AuthorizationRequest,
  session: SessionFacts | undefined,
  demanded: DemandedLogin | undefined,
  isNamedUser: boolean,
  now: number,
): LoginReason | undefined {
  if (session === undefined) return 'nobody';
  const hasLoggedIn = satisfies(session, demanded);
  if (!isNamedUser) {
    if (hasLoggedIn) throw authorizationRefused({ rule: 'hinted-user-not-logged-in' }, request);
    return 'another-user';
  }
  const { openid, prompt, maxAgeSeconds } = request;
  if (openid !== null && session.login === undefined) return 'not-recorded';
  const classes = openid === null ? [] : essentialClasses(openid);
  const acr = session.login?.acr ?? null;
  if (classes.length > 0 && (acr === null || !classes.includes(acr))) {
    const expected = sanitizeNames(classes);
    if (hasLoggedIn) throw authorizationRefused({ rule: 'login-class-unmet', expected, seen: acr }, request);
    return 'login-class';
  }
  if (hasLoggedIn) return undefined;
  if (prompt.has('login') || prompt.has('select_account')) return 'prompt';
  if (maxAgeSeconds === null) return undefined;
  return maxAgeSeconds === 0 || now - session.authenticatedAt > maxAgeSeconds ? 'too-old' : undefined;
}
