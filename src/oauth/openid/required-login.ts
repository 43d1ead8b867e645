import type { Login } from '../../domain/events.ts';
import { usedSecondFactor, isAtLeast, LOGIN_CLASSES } from '../../domain/login.ts';
import { authorizationError, type AuthorizationRequest } from '../endpoints/authorization-request.ts';
import type { RefusalOf } from '../refusals/refusal.ts';
import { sanitizeNames } from '../refusals/sanitize.ts';
import { essentialAcrValues, requestedSubjects } from './authentication-request.ts';
import { satisfiesDemand, type DemandedLogin } from './demanded-login.ts';

/** The properties of the browser's session that determine whether the session satisfies a request. */
export interface CurrentSession {
  readonly sessionHash: string;
  /** When the user authenticated, in seconds since the epoch. */
  readonly authenticatedAt: number;
  /** Undefined if an earlier release started the session. */
  readonly login: Login | undefined;
}

/** Why the user must log in; `prompt` if the request demands a login with that parameter. */
export type LoginReason = RefusalOf<'log-in-required'>['why'] | 'prompt';

/** Returns the login to demand, or undefined if any login satisfies the request. */
export function demandedLogin(
  request: AuthorizationRequest,
  session: CurrentSession | undefined,
  now: number,
): DemandedLogin | undefined {
  const { prompt, maxAgeSeconds, openid } = request;
  const requiresNewLogin = prompt.has('login') || prompt.has('select_account') || maxAgeSeconds === 0;
  const identifiesUser = openid !== null && (openid.idTokenHint !== undefined || requestedSubjects(openid).length > 0);
  const requiresClass = requiredClasses(request).length > 0;
  return session !== undefined || requiresNewLogin || identifiesUser || requiresClass
    ? { sessionHash: session?.sessionHash ?? null, at: now }
    : undefined;
}

/**
 * Returns why the user must log in, or log in again, before the request continues (OpenID Connect Core §3.1.2.1,
 * §5.5.1.1).
 * @param demanded the login that was demanded earlier for this request
 * @param isRequestedUser whether the session's user is the user whom the request identifies; true if the request
 * identifies no user
 * @throws AuthorizationError if the user has already logged in as demanded, so another login would not help
 * @returns undefined if the session is sufficient; `second-factor` if the session lacks only a second factor
 */
export function reasonToLogIn(
  request: AuthorizationRequest,
  session: CurrentSession | undefined,
  demanded: DemandedLogin | undefined,
  isRequestedUser: boolean,
  now: number,
): LoginReason | undefined {
  if (session === undefined) return 'nobody';
  const hasLoggedIn = satisfiesDemand(session, demanded);
  if (!isRequestedUser) {
    if (hasLoggedIn) throw authorizationError({ rule: 'hinted-user-not-logged-in' }, request);
    return 'another-user';
  }
  const { openid, prompt, maxAgeSeconds } = request;
  if (openid !== null && session.login === undefined) return 'not-recorded';
  const classes = requiredClasses(request);
  const acr = session.login?.acr ?? null;
  const isClassUnmet = classes.length > 0 && strongestSatisfied(classes, acr) === undefined;
  if (isClassUnmet && !(classes.includes('mfa') && acr === 'pwd')) {
    const expected = sanitizeNames(classes);
    if (hasLoggedIn) throw authorizationError({ rule: 'login-class-unmet', expected, seen: acr }, request);
    return 'login-class';
  }
  if (!hasLoggedIn && (prompt.has('login') || prompt.has('select_account'))) return 'prompt';
  const isTooOld = maxAgeSeconds !== null && (maxAgeSeconds === 0 || now - session.authenticatedAt > maxAgeSeconds);
  if (!hasLoggedIn && isTooOld) return 'too-old';
  const needsSecondFactor = isClassUnmet || request.client.secondFactorRequired;
  if (!needsSecondFactor || usedSecondFactor(session.login)) return undefined;
  return session.login === undefined ? 'not-recorded' : 'second-factor';
}

/**
 * Returns the login classes that satisfy the request: the values of an essential claim (OpenID Connect Core
 * §5.5.1.1), or `acr_values` (RFC 9470 §5). The list is empty if any login does. Unknown `acr_values` are ignored,
 * because clients that also use other servers may send the values of those servers.
 */
function requiredClasses({ openid, acrValues }: AuthorizationRequest): readonly string[] {
  const essentialValues = openid === null ? [] : essentialAcrValues(openid);
  return essentialValues.length > 0
    ? essentialValues
    : acrValues.filter((value) => LOGIN_CLASSES.some((loginClass) => loginClass === value));
}

/**
 * Returns the login with the requested class, or undefined if no login is recorded. A stronger login satisfies a weaker
 * class, and the tokens then contain the class that was requested (OpenID Connect Core §5.5.1.1, RFC 9470 §5).
 */
export function loginForRequest(request: AuthorizationRequest, login: Login | undefined): Login | undefined {
  if (login === undefined) return login;
  const acr = strongestSatisfied(requiredClasses(request), login.acr);
  return acr === undefined ? login : { ...login, acr };
}

/**
 * Returns the class of the login if the list contains it, and otherwise the strongest weaker class in the list, if any.
 */
function strongestSatisfied(classes: readonly string[], acr: string | null): string | undefined {
  if (acr === null) return undefined;
  const satisfiedClasses = classes.filter((candidate) => isAtLeast(acr, candidate));
  return satisfiedClasses.find((candidate) => satisfiedClasses.every((otherClass) => isAtLeast(candidate, otherClass)));
}
