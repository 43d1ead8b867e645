import type { Context, Next } from 'koa';
import type { Scope } from '../../domain/scope.ts';
import { IntrospectionUnavailable } from '../../policy/resource-server/introspection-unavailable.ts';
import type { PrincipalState } from './principal-state.ts';
import { headerSafeUrl, type ResourceMetadata } from './resource-metadata.ts';

/** The client, user and scope of a live access token. */
export interface LiveToken {
  readonly clientId: string;
  readonly userId: string | null;
  readonly scope: Scope;
  /** The URIs of the resource servers that the token is restricted to; if missing or empty, it is not restricted. */
  readonly resource?: readonly string[];
}

/** Finds access tokens that are neither expired nor revoked. */
export interface AccessTokenLookup {
  find(token: string): LiveToken | undefined;
  /**
   * The URI of the resource server that checks the token (RFC 8707). It refuses tokens that are restricted to other
   * resource servers, as if they were invalid. Without a URI, it refuses every restricted token.
   */
  readonly resource?: string;
}

/** Like `AccessTokenLookup`, but may have to ask another server. */
export interface RemoteAccessTokenLookup {
  readonly resource?: string;
  /** @throws IntrospectionUnavailable the other server did not respond */
  find(token: string): LiveToken | undefined | Promise<LiveToken | undefined>;
}

interface BearerContext extends Pick<Context, 'status' | 'body' | 'set'> {
  readonly headers: { readonly authorization?: string | undefined };
  readonly app: { emit(event: 'error', error: Error, ctx: object): unknown };
  state: object;
}

/** RFC 9110 §11.1: the name of the scheme, in any case, and its credentials. */
const CREDENTIALS = /^([!#$%&'*+.^_`|~0-9a-z-]+)(?: +(.*))?$/i;
/** RFC 6750 §2.1. */
const B64TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;

/**
 * Identifies the caller by the `Authorization` header alone (RFC 6750 §2.1), never by the query or the body. It refuses
 * nobody: the route's policy decides. If a token cannot be checked, the response is 503, and the application emits
 * `error` with the reason. The policy's 401s name the `resourceMetadata`.
 */
export function bearerToken(
  lookup: RemoteAccessTokenLookup,
  { resourceMetadata }: ResourceMetadata = {},
): (ctx: BearerContext, next: Next) => Promise<void> {
  const metadata = resourceMetadata === undefined ? {} : { resourceMetadata: headerSafeUrl(resourceMetadata) };
  return async (ctx, next) => {
    Object.assign(ctx.state, metadata);
    try {
      const state = identifyCaller(ctx.headers.authorization, lookup);
      Object.assign(ctx.state, isPromise(state) ? await state : state);
    } catch (error) {
      if (error instanceof IntrospectionUnavailable) return answerUnavailable(ctx, error);
      throw error;
    }
    await next();
  };
}

/**
 * Checks the token of a request.
 * @throws IntrospectionUnavailable see `lookup`
 */
export function identifyCaller(
  header: string | undefined,
  lookup: RemoteAccessTokenLookup,
): PrincipalState | Promise<PrincipalState> {
  const read = readHeader(header);
  if ('state' in read) return read.state;
  const found = lookup.find(read.token);
  return isPromise(found) ? found.then((token) => stateOf(token, lookup.resource)) : stateOf(found, lookup.resource);
}

/** Checks the token again while a long response is sent. */
export function identify(header: string | undefined, lookup: AccessTokenLookup): PrincipalState {
  const read = readHeader(header);
  return 'state' in read ? read.state : stateOf(lookup.find(read.token), lookup.resource);
}

/** The result, if it needs no lookup, or the token to look up. */
function readHeader(header: string | undefined): { readonly state: PrincipalState } | { readonly token: string } {
  if (header === undefined) return { state: { principal: { kind: 'anonymous' }, authorization: 'absent' } };
  const [, scheme = '', token = ''] = CREDENTIALS.exec(header) ?? [];
  if (scheme.toLowerCase() !== 'bearer')
    return { state: { principal: { kind: 'anonymous' }, authorization: 'other-scheme' } };
  return B64TOKEN.test(token) ? { token } : { state: stateOf(undefined, undefined) };
}

function stateOf(found: LiveToken | undefined, here: string | undefined): PrincipalState {
  if (found === undefined || !isMeantFor(here, found))
    return { principal: { kind: 'anonymous' }, authorization: 'invalid-token' };
  const { clientId, userId, scope } = found;
  return { principal: { kind: 'bearer', clientId, userId, scope }, authorization: 'valid-token' };
}

/**
 * RFC 9068 §4, for opaque tokens too: a token for another resource server is `invalid_token`. `insufficient_scope`
 * would be wrong, because no scope that the client could request would help.
 */
function isMeantFor(here: string | undefined, { resource = [] }: LiveToken): boolean {
  return resource.length === 0 || (here !== undefined && resource.includes(here));
}

function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof value === 'object' && value !== null && 'then' in value;
}

/** Not a 401: a client would then discard a token that may be valid. */
function answerUnavailable(ctx: BearerContext, error: IntrospectionUnavailable): void {
  ctx.status = 503;
  ctx.set('Retry-After', '5');
  ctx.body = { detail: 'The access token cannot be checked at the moment.' };
  ctx.app.emit('error', error, ctx);
}
