import type { Context, Next } from 'koa';
import type { Scope } from '../../domain/scope.ts';
import { IntrospectionUnavailable } from '../../policy/resource-server/introspection-unavailable.ts';
import type { PrincipalState } from './principal-state.ts';
import { headerSafeUrl, type ResourceMetadata } from './resource-metadata.ts';

/** What a live access token is good for. */
export interface LiveToken {
  readonly clientId: string;
  readonly userId: string | null;
  readonly scope: Scope;
  /** The URIs of the resource servers that it is for; none, or left out: all. */
  readonly resource?: readonly string[];
}

/** Live access tokens; an expired or revoked one is not found. */
export interface AccessTokenLookup {
  find(token: string): LiveToken | undefined;
  /**
   * The URI of the resource server that asks (RFC 8707). A token that is for others alone is refused there like a dead
   * one; where this is left out, every token that is restricted to some.
   */
  readonly resource?: string;
}

/** The same, where finding may take a question to somebody else. */
export interface RemoteAccessTokenLookup {
  readonly resource?: string;
  /** @throws IntrospectionUnavailable it cannot be found out */
  find(token: string): LiveToken | undefined | Promise<LiveToken | undefined>;
}

interface BearerContext extends Pick<Context, 'status' | 'body' | 'set'> {
  readonly headers: { readonly authorization?: string | undefined };
  readonly app: { emit(event: 'error', error: Error, ctx: object): unknown };
  state: object;
}

/** RFC 9110 §11.1: the scheme's name in any case, then what it carries. */
const CREDENTIALS = /^([!#$%&'*+.^_`|~0-9a-z-]+)(?: +(.*))?$/i;
/** RFC 6750 §2.1. */
const B64TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;

/**
 * Finds out who is asking from the `Authorization` header alone (RFC 6750 §2.1; never the query or the body), and
 * refuses nobody: whether it suffices is the route's policy to say. Where that cannot be found out, the answer is 503,
 * and the application is told why by its `error` event. The `resourceMetadata` go into the policy's 401s.
 */
export function bearerToken(
  lookup: RemoteAccessTokenLookup,
  { resourceMetadata }: ResourceMetadata = {},
): (ctx: BearerContext, next: Next) => Promise<void> {
  const metadata = resourceMetadata === undefined ? {} : { resourceMetadata: headerSafeUrl(resourceMetadata) };
  return async (ctx, next) => {
    Object.assign(ctx.state, metadata);
    const read = readHeader(ctx.headers.authorization);
    if ('state' in read) {
      Object.assign(ctx.state, read.state);
    } else {
      try {
        const found = lookup.find(read.token);
        Object.assign(ctx.state, stateOf(isPromise(found) ? await found : found, lookup.resource)); // no turn is lost where none is needed
      } catch (error) {
        if (error instanceof IntrospectionUnavailable) return answerUnavailable(ctx, error);
        throw error;
      }
    }
    await next();
  };
}

/** The same for an answer that goes on: whether the token it began with is still good. */
export function identify(header: string | undefined, lookup: AccessTokenLookup): PrincipalState {
  const read = readHeader(header);
  return 'state' in read ? read.state : stateOf(lookup.find(read.token), lookup.resource);
}

/** What can be said without a look-up, or the token to look up. */
function readHeader(header: string | undefined): { readonly state: PrincipalState } | { readonly token: string } {
  if (header === undefined) return { state: { principal: { kind: 'anonymous' }, authorization: 'absent' } };
  const [, scheme = '', token = ''] = CREDENTIALS.exec(header) ?? [];
  if (scheme.toLowerCase() !== 'bearer')
    return { state: { principal: { kind: 'anonymous' }, authorization: 'other-scheme' } };
  return B64TOKEN.test(token) ? { token } : { state: stateOf(undefined, undefined) };
}

function stateOf(found: LiveToken | undefined, here: string | undefined): PrincipalState {
  if (found === undefined || !isMeantFor(here, found))
    return { principal: { kind: 'anonymous' }, authorization: 'dead-token' };
  const { clientId, userId, scope } = found;
  return { principal: { kind: 'bearer', clientId, userId, scope }, authorization: 'live-token' };
}

/**
 * RFC 9068 §4 for any token: one that was not issued for this resource server tells it nothing, so it is
 * `invalid_token` and not `insufficient_scope`; no scope that a client could ask for would help.
 */
function isMeantFor(here: string | undefined, { resource = [] }: LiveToken): boolean {
  return resource.length === 0 || (here !== undefined && resource.includes(here));
}

function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof value === 'object' && value !== null && 'then' in value;
}

/** Neither a pass nor a 401, which would have the client throw away a token that may well be good. */
function answerUnavailable(ctx: BearerContext, error: IntrospectionUnavailable): void {
  ctx.status = 503;
  ctx.set('Retry-After', '5');
  ctx.body = { detail: 'The access token cannot be checked at the moment.' };
  ctx.app.emit('error', error, ctx);
}
