import { presentedToken } from './bearer-token.ts';
import { header } from './request-head.ts';
import type { RequestContext } from './state.ts';

/**
 * Returns the access token in the `Authorization` header or, without one, in the form (RFC 6750 §2.2). It is empty
 * if the request has no token.
 */
export function readAccessToken(ctx: RequestContext): string {
  const { token = '' } = presentedToken(header(ctx, 'authorization') ?? '') ?? {};
  return token === '' ? (ctx.state.parameters?.get('access_token') ?? '') : token;
}
