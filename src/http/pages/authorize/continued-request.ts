import { MAX_TARGET_LENGTH } from '../../../config/input-limits.ts';
import { parameterEntries, type Parameters } from '../../../oauth/endpoints/parameters.ts';
import { UnusableRequestError } from '../../../oauth/endpoints/authorization-request.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import type { EffectiveRequest } from '../../../oauth/requests/effective-requests.ts';
import { NOT_DEMANDED, type DemandedLogin, type LoginSeal } from '../../../oauth/openid/demanded-login.ts';
import { message } from '../../../language/message.ts';

/** Returns the parameters that the client sent, without the continuation that this server added. */
export function withoutContinuation(parameters: Parameters): Parameters {
  const sentParameters = new Map(parameters);
  sentParameters.delete('continuation');
  return sentParameters;
}

/** Returns the parameters as a query string. Login seals also use the query string to identify the request. */
export function formatQuery(parameters: Parameters): string {
  return new URLSearchParams(parameterEntries(parameters)).toString();
}

/**
 * Returns the URL at which the browser continues the request after a login. If a login is demanded, the demand is
 * sealed into the URL. The URL for a pushed or signed request always has a seal, to show that this server saw the
 * `request_uri` before the `request_uri` expired.
 */
export function urlAfterLogin(
  { continuationParameters, sealedRequest }: Pick<EffectiveRequest, 'continuationParameters' | 'sealedRequest'>,
  demandedLogin: DemandedLogin | undefined,
  loginSeal: Pick<LoginSeal, 'seal'>,
  now: number,
): string {
  const query = formatQuery(continuationParameters);
  const login = demandedLogin ?? (sealedRequest && { sessionHash: NOT_DEMANDED, at: now });
  return `/o/authorize/?${query}${login === undefined ? '' : `&continuation=${loginSeal.seal(login, query)}`}`;
}

/** The maximum length of a URL that continues a request. It leaves room for headers such as cookies. */
const MAX_URL_LENGTH = MAX_TARGET_LENGTH / 2;

/** Reports whether the parameters are short enough for `continueByGet`. */
export function fitsInUrl(path: string, parameters: Parameters): boolean {
  return path.length + 1 + formatQuery(parameters).length <= MAX_URL_LENGTH;
}

/**
 * Redirects the browser, to continue a client's POST request as a GET. Browsers do not send this server's cookies with
 * a POST from another site.
 * @throws UnusableRequestError if the request is too long for a URL
 */
export function continueByGet(ctx: RequestContext, path: string, parameters: Parameters): void {
  if (!fitsInUrl(path, parameters)) throw requestTooLongError();
  ctx.status = 303;
  ctx.set('Cache-Control', 'no-store');
  ctx.redirect(`${path}?${formatQuery(parameters)}`);
}

function requestTooLongError(): UnusableRequestError {
  return new UnusableRequestError(message('unusable.long', { limit: MAX_URL_LENGTH }), {
    rule: 'body-too-large',
    limitBytes: MAX_URL_LENGTH,
  });
}
