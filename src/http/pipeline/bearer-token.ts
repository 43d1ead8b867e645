import type { Context, Next } from 'koa';
import type { AuthorizationDetail } from '../../domain/authorization-details.ts';
import type { Confirmation } from '../../domain/confirmation.ts';
import type { Mutable } from '../../domain/mutable.ts';
import type { Scope } from '../../domain/scope.ts';
import { OAuthError } from '../../oauth/endpoints/errors.ts';
import { IntrospectionUnavailable } from '../../policy/resource-server/introspection-unavailable.ts';
import type { BearerPrincipal, PrincipalLogin } from '../../policy/policy.ts';
import type { PrincipalState, SenderRefusal, TokenScheme } from './principal-state.ts';
import { headerSafeUrl, type ResourceMetadata } from './resource-metadata.ts';
import { checkSender, type ProofVerifier, type SenderContext } from './sender-check.ts';

/** The properties of a live access token. */
export interface LiveToken {
  readonly clientId: string;
  readonly userId: string | null;
  readonly scope: Scope;
  /** The URIs of the resource servers that the token is restricted to; absent or empty if the token is unrestricted. */
  readonly resource?: readonly string[];
  /** The time and method of the user's login; absent if unknown. */
  readonly login?: PrincipalLogin | undefined;
  /** The token's authorization details (RFC 9396); absent if the token has none. */
  readonly details?: readonly AuthorizationDetail[] | undefined;
  /** The key or certificate that the token's sender must possess; absent for a bearer token. */
  readonly confirmation?: Confirmation | undefined;
}

/** Finds access tokens that are neither expired nor revoked. */
export interface AccessTokenLookup {
  find(token: string): LiveToken | undefined;
  /**
   * The URI of the resource server that checks the token (RFC 8707). The server refuses tokens that are restricted to
   * other resource servers, as if they were invalid. A server without a URI refuses every restricted token.
   */
  readonly resource?: string;
}

/** Like `AccessTokenLookup`, but may need to ask another server. */
export interface RemoteAccessTokenLookup {
  readonly resource?: string;
  /**
   * Returns the token if it is live, after asking the other server if necessary.
   * @throws IntrospectionUnavailable if the other server did not respond
   */
  find(token: string): LiveToken | undefined | Promise<LiveToken | undefined>;
}

interface BearerContext extends Pick<Context, 'status' | 'body'>, SenderContext {
  readonly app: { emit(event: 'error', error: Error, ctx: object): unknown };
}

/** Matches the case-insensitive name of a scheme and the credentials after it (RFC 9110 §11.1). */
const CREDENTIALS = /^([!#$%&'*+.^_`|~0-9a-z-]+)(?: +(.*))?$/i;
/** Matches a syntactically valid token (RFC 6750 §2.1). */
const B64TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;

export interface BearerTokenOptions extends ResourceMetadata {
  /** If absent, the API accepts no DPoP proofs and refuses tokens that need one. */
  readonly proofs?: ProofVerifier | undefined;
}

/**
 * Returns a step that identifies the caller by the `Authorization` header alone (RFC 6750 §2.1, RFC 9449 §7.1), never
 * by the query or the body. A token that is bound to a key or certificate needs proof that the sender possesses it. The
 * step refuses no caller: the route's policy decides. If a token cannot be checked, the response is 503, and the
 * application emits `error` with the reason. The policy's challenges contain the `resourceMetadata`, unless the route
 * has its own.
 */
export function bearerToken(
  lookup: RemoteAccessTokenLookup,
  { resourceMetadata, proofs }: BearerTokenOptions = {},
): (ctx: BearerContext, next: Next) => Promise<void> {
  const apiState: Partial<PrincipalState> = proofs === undefined ? {} : { acceptsProofs: true };
  if (resourceMetadata !== undefined) apiState.resourceMetadata = headerSafeUrl(resourceMetadata);
  return async (ctx, next) => {
    Object.assign(ctx.state, apiState);
    try {
      const state = identifyCaller(ctx, authorizationHeader(ctx), lookup, proofs);
      Object.assign(ctx.state, isPromise(state) ? await state : state);
    } catch (error) {
      if (error instanceof IntrospectionUnavailable || isOverload(error)) return respondUnavailable(ctx, error);
      throw error;
    }
    await next();
  };
}

/**
 * Returns the caller that the `Authorization` header identifies, after checking the token and its sender.
 * @throws IntrospectionUnavailable if `lookup` throws it
 * @throws OAuthError 503 if the proof cannot be checked now
 */
export function identifyCaller(
  ctx: SenderContext,
  header: string | undefined,
  lookup: RemoteAccessTokenLookup,
  proofs: ProofVerifier | undefined,
): PrincipalState | Promise<PrincipalState> {
  const result = readHeader(header);
  if ('state' in result) return result.state;
  if (result.scheme === 'DPoP' && proofs === undefined) return OTHER_SCHEME;
  const check = (token: LiveToken | undefined): PrincipalState | Promise<PrincipalState> => {
    const state = principalState(token, lookup.resource);
    if (token === undefined || state.principal.kind === 'anonymous')
      return result.scheme === 'DPoP' ? { ...state, scheme: 'DPoP' } : state;
    const refusal = checkSender(ctx, result, token, proofs);
    return isPromise(refusal)
      ? refusal.then((outcome) => (outcome === undefined ? state : refusedSenderState(outcome)))
      : refusal === undefined
        ? state
        : refusedSenderState(refusal);
  };
  const liveToken = lookup.find(result.token);
  return isPromise(liveToken) ? liveToken.then(check) : check(liveToken);
}

function refusedSenderState(refusal: SenderRefusal): PrincipalState {
  return { principal: { kind: 'anonymous' }, authorization: 'invalid-token', senderRefused: refusal };
}

function authorizationHeader({ headers }: SenderContext): string | undefined {
  const { authorization } = headers;
  return typeof authorization === 'string' ? authorization : undefined; // Node discards repeated headers
}

/**
 * Returns the caller after checking the token again, for example while a long response is being sent. The sender was
 * verified when the request arrived.
 */
export function recheckToken(header: string | undefined, lookup: AccessTokenLookup): PrincipalState {
  const result = readHeader(header);
  return 'state' in result ? result.state : principalState(lookup.find(result.token), lookup.resource);
}

const OTHER_SCHEME: PrincipalState = { principal: { kind: 'anonymous' }, authorization: 'other-scheme' };

/** Returns the scheme and token of an `Authorization` header, or undefined if its scheme is not in `SCHEMES`. */
export function presentedToken(header: string): PresentedToken | undefined {
  const [, name = '', token = ''] = CREDENTIALS.exec(header) ?? [];
  const scheme = SCHEMES.find((candidate) => candidate.toLowerCase() === name.toLowerCase());
  return scheme && { scheme, token };
}

export interface PresentedToken {
  readonly scheme: TokenScheme;
  readonly token: string;
}

const SCHEMES = ['Bearer', 'DPoP'] as const;

/** Returns the token to look up, or the resulting state if no lookup is needed. */
function readHeader(header: string | undefined): { readonly state: PrincipalState } | PresentedToken {
  if (header === undefined) return { state: { principal: { kind: 'anonymous' }, authorization: 'absent' } };
  const credential = presentedToken(header);
  if (credential === undefined) return { state: OTHER_SCHEME };
  return B64TOKEN.test(credential.token) ? credential : { state: principalState(undefined, undefined) };
}

function principalState(token: LiveToken | undefined, ownResource: string | undefined): PrincipalState {
  if (token === undefined || !isMeantFor(ownResource, token))
    return { principal: { kind: 'anonymous' }, authorization: 'invalid-token' };
  const { clientId, userId, scope, login, details, confirmation } = token;
  const principal: Mutable<BearerPrincipal> = { kind: 'bearer', clientId, userId, scope };
  if (login !== undefined) principal.login = { authTime: login.authTime, acr: login.acr };
  if (details !== undefined) principal.details = details;
  if (confirmation !== undefined) principal.confirmation = confirmation;
  return { principal, authorization: 'valid-token' };
}

/**
 * Reports whether the token is for this resource server (RFC 9068 §4, applied to opaque tokens as well). Any other
 * token gets the error `invalid_token`, because `insufficient_scope` would suggest that requesting more scopes helps.
 */
function isMeantFor(ownResource: string | undefined, { resource = [] }: LiveToken): boolean {
  return resource.length === 0 || (ownResource !== undefined && resource.includes(ownResource));
}

function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof value === 'object' && value !== null && 'then' in value;
}

/** Reports whether the error means that the server's memory for proofs is full, so the proof cannot be checked. */
function isOverload(error: unknown): error is OAuthError {
  return error instanceof OAuthError && error.status === 503;
}

/** Responds with 503, because a 401 would make the client discard a token that may be valid. */
function respondUnavailable(ctx: BearerContext, error: Error): void {
  ctx.status = 503;
  ctx.set('Retry-After', '5');
  ctx.body = { detail: 'The access token cannot be checked at the moment.' };
  ctx.app.emit('error', error, ctx);
}
