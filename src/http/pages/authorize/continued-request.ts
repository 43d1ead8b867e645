import { ADDRESS_LENGTH } from '../../../config/input-limits.ts';
import { parameterEntries, type Parameters } from '../../../oauth/endpoints/parameters.ts';
import { UnusableAuthorizationRequest } from '../../../oauth/endpoints/authorization-request.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import type { DemandedLogin, LoginSeal } from '../../../oauth/openid/demanded-login.ts';

/** The parameters that the client sent. */
export function withoutContinuation(parameters: Parameters): Parameters {
  const sent = new Map(parameters);
  sent.delete('continuation');
  return sent;
}

/** The parameters as a query. It also identifies the request. */
export function queryOf(parameters: Parameters): string {
  return new URLSearchParams(parameterEntries(parameters)).toString();
}

/** @param query as from `queryOf` */
export function authorizeAddress(query: string): string {
  return `/o/authorize/?${query}`;
}

/** The address of the same request, with the seal of the login that it demands. */
export function addressAfterLogin(
  parameters: Parameters,
  demanded: DemandedLogin | undefined,
  seal: Pick<LoginSeal, 'seal'>,
): string {
  const query = queryOf(parameters);
  if (demanded === undefined) return authorizeAddress(query);
  return authorizeAddress(`${query}&continuation=${seal.seal(demanded, query)}`);
}

/** Leaves space for the rest of the request's head, such as cookies. */
const MAX_ADDRESS = ADDRESS_LENGTH / 2;

/**
 * Continues a request that a client sent by POST as a GET, because browsers send no cookies with a POST from another
 * site.
 * @throws UnusableAuthorizationRequest it is too long for an address
 */
export function continueByGet(ctx: RequestContext, path: string, parameters: Parameters): void {
  const address = `${path}?${queryOf(parameters)}`;
  if (address.length > MAX_ADDRESS) throw requestTooLong();
  ctx.status = 303;
  ctx.set('Cache-Control', 'no-store');
  ctx.redirect(address);
}

function requestTooLong(): UnusableAuthorizationRequest {
  return new UnusableAuthorizationRequest(`The request has more than ${MAX_ADDRESS} characters.`, {
    rule: 'body-too-large',
    limitBytes: MAX_ADDRESS,
  });
}
