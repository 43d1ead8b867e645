import type { Next } from 'koa';
import type { Scope } from '../../domain/scope.ts';
import type { PrincipalState } from '../principal-state.ts';

/** Live access tokens; an expired or revoked one is not found. */
export interface AccessTokenLookup {
  find(token: string): { readonly clientId: string; readonly userId: string | null; readonly scope: Scope } | undefined;
}

interface BearerContext {
  readonly headers: { readonly authorization?: string | undefined };
  state: object;
}

/** RFC 9110 §11.1: the scheme's name in any case, then what it carries. */
const CREDENTIALS = /^([!#$%&'*+.^_`|~0-9a-z-]+)(?: +(.*))?$/i;
/** RFC 6750 §2.1. */
const B64TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;

/**
 * Finds out who is asking from the `Authorization` header alone (RFC 6750 §2.1; never the query or the body), and
 * refuses nobody: whether it suffices is the route's policy to say.
 */
export function bearerToken(lookup: AccessTokenLookup): (ctx: BearerContext, next: Next) => Promise<void> {
  return async (ctx, next) => {
    Object.assign(ctx.state, identify(ctx.headers.authorization, lookup));
    await next();
  };
}

/** The same for an answer that goes on: whether the token it began with is still good. */
export function identify(header: string | undefined, lookup: AccessTokenLookup): PrincipalState {
  if (header === undefined) return { principal: { kind: 'anonymous' }, authorization: 'absent' };
  const [, scheme = '', token = ''] = CREDENTIALS.exec(header) ?? [];
  if (scheme.toLowerCase() !== 'bearer') return { principal: { kind: 'anonymous' }, authorization: 'other-scheme' };
  const found = B64TOKEN.test(token) ? lookup.find(token) : undefined;
  if (found === undefined) return { principal: { kind: 'anonymous' }, authorization: 'dead-token' };
  const { clientId, userId, scope } = found;
  return { principal: { kind: 'bearer', clientId, userId, scope }, authorization: 'live-token' };
}
