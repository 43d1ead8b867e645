import { ADDRESS_LENGTH } from '../../../config/input-limits.ts';
import { parameterEntries, type Parameters } from '../../../oauth/endpoints/parameters.ts';
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
export const MAX_ADDRESS = ADDRESS_LENGTH / 2;
