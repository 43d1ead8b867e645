import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import { isIssueTimeValid } from '../../domain/clock.ts';
import type { ParameterName } from '../../config/input-limits.ts';
import type { Entropy } from '../../platform/ports.ts';
import { mintNonce } from './credentials.ts';
import type { Parameters } from '../endpoints/parameters.ts';

/** What a consent form carries: what it asks for, and which form it is. */
export interface OpenedRequest {
  readonly parameters: Parameters;
  /** 256 random bits of this one form, known to the browser that shows it alone: whoever posts it again says the same thing again. */
  readonly nonce: string;
}

/**
 * An authorization request as it was shown, carried by the consent form. Nobody can change it on the
 * way, use it in another session, or after it has aged: what is approved is what was read.
 */
export interface RequestSeal {
  /** @param binding what the form belongs to, such as the session and its user */
  seal(parameters: ReadonlyMap<string, string>, binding: string, now: number): string;
  /** What was sealed; undefined when anything about it is not as it was. `now` in seconds since the epoch. */
  open(sealed: string, binding: string, now: number): OpenedRequest | undefined;
}

const LIFETIME_SECONDS = 3_600;

export function createRequestSeal(key: KeyObject, entropy: Entropy): RequestSeal {
  const sign = (payload: string, binding: string): Buffer =>
    createHmac('sha256', key)
      .update(JSON.stringify(['authorization request', binding, payload]))
      .digest();

  return {
    seal(parameters, binding, now) {
      const form = { until: now + LIFETIME_SECONDS, nonce: mintNonce(entropy), parameters: [...parameters] };
      const payload = Buffer.from(JSON.stringify(form)).toString('base64url');
      return `${payload}.${sign(payload, binding).toString('base64url')}`;
    },

    open(sealed, binding, now) {
      const [payload = '', signature = ''] = sealed.split('.');
      const presented = Buffer.from(signature, 'base64url');
      const expected = sign(payload, binding);
      if (presented.length !== expected.length || !timingSafeEqual(presented, expected)) return undefined;
      const { until, nonce, parameters } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as {
        until: number;
        nonce: string;
        parameters: [ParameterName, string][];
      };
      const isLive = now < until && isIssueTimeValid(until - LIFETIME_SECONDS, now); // not of a clock that was ahead
      return isLive ? { parameters: new Map(parameters), nonce } : undefined;
    },
  };
}
