import { createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { systemClock, systemEntropy, type Clock, type Entropy } from '../../platform/ports.ts';
import { createSemaphore, OverloadedError } from '../../platform/semaphore.ts';
import { parseIntrospectionResponse, type IntrospectedToken } from './introspection-response.ts';
import { createIntrospectionSender } from './introspection-request.ts';
import { IntrospectionUnavailable } from './introspection-unavailable.ts';

export interface RemoteIntrospectionOptions {
  /** The authorization server's RFC 7662 endpoint: https, or http on a loopback address. */
  readonly endpoint: string;
  /** A confidential client of that server. */
  readonly clientId: string;
  readonly clientSecret: string;
  /**
   * This resource server's URI (RFC 8707). If a token has audiences, this must be one of them. By default, tokens with
   * an audience are refused.
   */
  readonly resource?: string;
  /**
   * Whether to refuse tokens without an audience, so that only tokens for `resource` are accepted, as the MCP
   * authorization specification requires. Default: false.
   */
  readonly requireAudience?: boolean;
  /** The required issuer of tokens. By default, every issuer is accepted. */
  readonly issuer?: string;
  /** How long an active token is cached, even if it is revoked in the meantime. Default: 10; 0 disables the cache. */
  readonly cacheSeconds?: number;
  /** The maximum number of cached tokens. Default: 10,000. */
  readonly cacheEntries?: number;
  /** The time limit for a response. Default: 3. */
  readonly timeoutSeconds?: number;
}

/** Looks up access tokens at a remote authorization server, for `bearerToken`. */
export interface RemoteLookup {
  /**
   * Returns the introspected token, or undefined if it is inactive or not meant for this resource server.
   * @throws IntrospectionUnavailable if the endpoint cannot be reached, refuses the request, or sends an invalid
   * response
   */
  (token: string): IntrospectedToken | undefined | Promise<IntrospectedToken | undefined>;
}

/** A result. Its age is measured from the start of the request, because it may not reflect later revocations. */
interface TimedResult<T> {
  /** In milliseconds, on the monotonic clock. */
  readonly requestedAt: number;
  readonly result: T;
}

interface Ports {
  readonly clock: Clock;
  readonly entropy: Entropy;
}

const MAX_CONCURRENT_REQUESTS = 64;
/** Further requests are refused immediately. The time limit includes the time in the queue. */
const MAX_PENDING_REQUESTS = 1_000;
const KEY_BYTES = 32;

/**
 * Looks up access tokens at an authorization server's RFC 7662 endpoint. Active tokens are cached for `cacheSeconds`,
 * but never beyond their expiry, under a keyed hash. Inactive tokens are not cached, because they could displace active
 * ones. Concurrent lookups of a token share one request.
 * @throws TypeError if an option is invalid, or if tokens would be sent unencrypted over a network
 */
export function remoteIntrospection(
  options: RemoteIntrospectionOptions,
  { clock, entropy }: Ports = { clock: systemClock, entropy: systemEntropy() },
): RemoteLookup {
  const { resource, requireAudience = false, issuer } = options;
  if (requireAudience && resource === undefined)
    throw new TypeError('remoteIntrospection: requireAudience needs a resource, or every token would be refused');
  const maxAgeMilliseconds = 1000 * requireInRange('cacheSeconds', options.cacheSeconds ?? 10, 0, 3600);
  const timeoutMilliseconds = Math.ceil(
    1000 * requireInRange('timeoutSeconds', options.timeoutSeconds ?? 3, 0.001, 60),
  );
  const max = Math.floor(requireInRange('cacheEntries', options.cacheEntries ?? 10_000, 1, 1_000_000));
  const sendRequest = createIntrospectionSender(options);
  const semaphore = createSemaphore(MAX_CONCURRENT_REQUESTS, { maxPending: MAX_PENDING_REQUESTS });
  const key = entropy.bytes(KEY_BYTES);
  const cache = new LRUCache<string, TimedResult<IntrospectedToken>>({ max });
  const pendingLookups = new Map<string, TimedResult<Promise<IntrospectedToken | undefined>>>();

  async function introspect(token: string): Promise<IntrospectedToken | undefined> {
    const signal = AbortSignal.timeout(timeoutMilliseconds);
    const text = await semaphore
      .run(() => sendRequest(token, signal))
      .catch((error: unknown) => {
        throw error instanceof OverloadedError
          ? new IntrospectionUnavailable('too many introspection requests are pending')
          : error;
      });
    return parseIntrospectionResponse(text, { resource, requireAudience, issuer }, clock.now());
  }

  async function introspectAndCache(
    cacheKey: string,
    token: string,
    requestedAt: number,
  ): Promise<IntrospectedToken | undefined> {
    const result = await introspect(token);
    const newerResult = cache.get(cacheKey);
    // A later request may have received its response first.
    if (newerResult !== undefined && newerResult.requestedAt > requestedAt) return result;
    if (result === undefined) cache.delete(cacheKey);
    else if (maxAgeMilliseconds > 0) cache.set(cacheKey, { requestedAt, result });
    return result;
  }

  /**
   * Reports whether a result can be shared: it was requested in the same millisecond, or is no older than the
   * cache allows.
   */
  function isFresh({ requestedAt }: TimedResult<unknown>, now: number): boolean {
    return now === requestedAt || now < requestedAt + maxAgeMilliseconds;
  }

  return (token) => {
    const cacheKey = createHmac('sha256', key).update(token).digest('base64url');
    const now = Math.floor(clock.ticks()); // lookups in the same millisecond count as concurrent
    const cachedResult = cache.get(cacheKey);
    const isUsable =
      cachedResult !== undefined && isFresh(cachedResult, now) && clock.now() < cachedResult.result.expiresAt * 1000;
    if (isUsable) return cachedResult.result;
    const pendingLookup = pendingLookups.get(cacheKey);
    if (pendingLookup !== undefined && isFresh(pendingLookup, now)) return pendingLookup.result;
    const lookup = {
      requestedAt: now,
      result: introspectAndCache(cacheKey, token, now).finally(() => {
        if (pendingLookups.get(cacheKey) === lookup) pendingLookups.delete(cacheKey);
      }),
    };
    pendingLookups.set(cacheKey, lookup);
    return lookup.result;
  };
}

function requireInRange(name: string, value: number, min: number, max: number): number {
  if (typeof value === 'number' && value >= min && value <= max) return value;
  throw new TypeError(`remoteIntrospection: ${name} must be a number from ${min} to ${max}`);
}
