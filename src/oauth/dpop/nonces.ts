import { timingSafeEqual, type KeyObject } from 'node:crypto';
import { hmacSha256 } from '../credentials/hmac.ts';

/** A nonce is accepted for one to two of these periods. */
const PERIOD_SECONDS = 60;

/** Values that clients include in proofs, so that proofs cannot be created long before they are used (RFC 9449 §8). */
export interface Nonces {
  current(now: number): string;
  isValid(nonce: string, now: number): boolean;
}

/**
 * Creates nonces that need no storage: each is an HMAC over its period number.
 * @param key random for each run of a node, so that other nodes and later runs refuse its nonces
 */
export function createNonces(key: KeyObject): Nonces {
  const hmac = hmacSha256(key);
  let newest = { period: -1, nonce: '', previous: '' };

  const nonceOf = (period: number): string => hmac(`DPoP nonce ${period}`).slice(0, 22);

  function noncesAt(now: number): typeof newest {
    const period = Math.floor(now / PERIOD_SECONDS);
    if (newest.period !== period) newest = { period, nonce: nonceOf(period), previous: nonceOf(period - 1) };
    return newest;
  }

  return {
    current: (now) => noncesAt(now).nonce,
    isValid(nonce, now) {
      const { nonce: current, previous } = noncesAt(now);
      return isSameNonce(nonce, current) || isSameNonce(nonce, previous);
    },
  };
}

function isSameNonce(presented: string, expected: string): boolean {
  return (
    presented.length === expected.length &&
    timingSafeEqual(Buffer.from(presented, 'latin1'), Buffer.from(expected, 'latin1'))
  );
}
