import { createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { systemClock, systemEntropy, type Clock, type Entropy } from '../../platform/ports.ts';
import { createSemaphore, Overloaded } from '../../platform/semaphore.ts';
import { parseIntrospectionResponse, type IntrospectedToken } from './introspection-response.ts';
import { introspectionRequest } from './introspection-request.ts';
import { IntrospectionUnavailable } from './introspection-unavailable.ts';

export interface RemoteIntrospectionOptions {
  /** The authorization server's RFC 7662 endpoint: https, or http on a loopback address. */
  readonly endpoint: string;
  /** A confidential client there. */
  readonly clientId: string;
  readonly clientSecret: string;
  /**
   * This resource server's URI: has to be among a token's audiences, where it names any (RFC 8707). Left out, tokens
   * that name any are refused.
   */
  readonly resource?: string;
  /** Has to be the token's issuer. */
  readonly issuer?: string;
  /** How long a live token is taken for live without asking again: a revocation is seen no later. 10; 0: always ask. */
  readonly cacheSeconds?: number;
  /** How many live tokens are remembered: 10,000. */
  readonly cacheEntries?: number;
  /** How long an answer may take: 3. */
  readonly timeoutSeconds?: number;
}

/** What `bearerToken` asks, of an authorization server elsewhere. */
export interface RemoteLookup {
  /**
   * What the token is good for; undefined when it is dead, or none for here.
   * @throws IntrospectionUnavailable the endpoint was not reached, refused, or answered what says nothing
   */
  (token: string): IntrospectedToken | undefined | Promise<IntrospectedToken | undefined>;
}

/** Its age counts from before the question: an answer may know nothing of what was revoked since then. */
interface TimedResult<T> {
  /** In ticks. */
  readonly askedAt: number;
  readonly answer: T;
}

interface Ports {
  readonly clock: Clock;
  readonly entropy: Entropy;
}

const MAX_CONCURRENT_REQUESTS = 64;
/** Who comes later is told to try again; everybody who waits is answered or given up within the time limit. */
const MAX_WAITING_REQUESTS = 1_000;
const KEY_BYTES = 32;

/**
 * Looks access tokens up at an authorization server's RFC 7662 endpoint. Live ones are remembered for `cacheSeconds`,
 * never past their end, under a keyed hash of the token; dead ones are not remembered, since each would take the place
 * of a live one. Look-ups of one token at once share one request.
 * @throws TypeError an option that cannot work, or that would send tokens in the clear
 */
export function remoteIntrospection(
  options: RemoteIntrospectionOptions,
  { clock, entropy }: Ports = { clock: systemClock, entropy: systemEntropy() },
): RemoteLookup {
  const { resource, issuer } = options;
  const freshMilliseconds = 1000 * requireInRange('cacheSeconds', options.cacheSeconds ?? 10, 0, 3600);
  const timeoutMilliseconds = Math.ceil(
    1000 * requireInRange('timeoutSeconds', options.timeoutSeconds ?? 3, 0.001, 60),
  );
  const max = Math.floor(requireInRange('cacheEntries', options.cacheEntries ?? 10_000, 1, 1_000_000));
  const request = introspectionRequest(options);
  const slots = createSemaphore(MAX_CONCURRENT_REQUESTS, { mayWait: MAX_WAITING_REQUESTS });
  const key = entropy.bytes(KEY_BYTES);
  const live = new LRUCache<string, TimedResult<IntrospectedToken>>({ max });
  const pending = new Map<string, TimedResult<Promise<IntrospectedToken | undefined>>>();

  async function ask(token: string): Promise<IntrospectedToken | undefined> {
    const signal = AbortSignal.timeout(timeoutMilliseconds);
    const text = await slots
      .run(() => request(token, signal))
      .catch((error: unknown) => {
        throw error instanceof Overloaded
          ? new IntrospectionUnavailable('too many introspection requests wait already')
          : error;
      });
    return parseIntrospectionResponse(text, { resource, issuer }, clock.now());
  }

  async function askAndRemember(name: string, token: string, askedAt: number): Promise<IntrospectedToken | undefined> {
    const answer = await ask(token);
    const newer = live.get(name);
    if (newer !== undefined && newer.askedAt > askedAt) return answer; // a later question was answered first
    if (answer === undefined) live.delete(name);
    else if (freshMilliseconds > 0) live.set(name, { askedAt, answer });
    return answer;
  }

  /** One request at the same instant, or as fresh as a remembered answer would be. */
  function isFresh({ askedAt }: TimedResult<unknown>, now: number): boolean {
    return now === askedAt || now < askedAt + freshMilliseconds;
  }

  return (token) => {
    const name = createHmac('sha256', key).update(token).digest('base64url');
    const now = Math.floor(clock.ticks()); // what is asked in one millisecond is asked at once
    const known = live.get(name);
    const isKnown = known !== undefined && isFresh(known, now) && clock.now() < known.answer.expiresAt * 1000;
    if (isKnown) return known.answer;
    const current = pending.get(name);
    if (current !== undefined && isFresh(current, now)) return current.answer;
    const asked = {
      askedAt: now,
      answer: askAndRemember(name, token, now).finally(() => {
        if (pending.get(name) === asked) pending.delete(name);
      }),
    };
    pending.set(name, asked);
    return asked.answer;
  };
}

function requireInRange(name: string, value: number, least: number, most: number): number {
  if (typeof value === 'number' && value >= least && value <= most) return value;
  throw new TypeError(`remoteIntrospection: ${name} must be a number from ${least} to ${most}`);
}
