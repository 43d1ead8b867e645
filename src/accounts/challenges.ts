import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Entropy, Ticks } from '../platform/ports.ts';

/**
 * What an authenticator is given to sign (WebAuthn §13.4.3): made without being kept, so that strangers who ask for
 * many fill no memory, good for the browser that asked, for a few minutes and once.
 */
export interface Challenges {
  /** @param binding what it is for, and in which session */
  issue(binding: string): Uint8Array<ArrayBuffer>;
  /** Whether `challenge`, in base64url, was issued for `binding`, is fresh and was not spent. */
  isValid(challenge: string, binding: string): boolean;
  /** To be called for a good one that was answered rightly; false when somebody was faster. */
  redeem(challenge: string): boolean;
}

/** Somebody looks for the security key in another room. */
export const CHALLENGE_LIFETIME_SECONDS = 300;

/** As many right answers as are remembered. Each is somebody's log-in, so it takes more than strangers to come so far. */
const MAX_REDEEMED = 10_000;

const TIME_BYTES = 6;
const NONCE_BYTES = 16;
const MAC_BYTES = 32;
const KEY_BYTES = 32;

export function createChallenges(ticks: Ticks, entropy: Entropy): Challenges {
  // Of this process alone: what was spent before its start nobody remembers, so nothing issued then is good.
  let key = entropy.bytes(KEY_BYTES);
  const spent = new Set<string>();

  const sign = (payload: Uint8Array, binding: string): Buffer =>
    createHmac('sha256', key).update(payload).update(binding).digest();

  return {
    issue(binding) {
      const time = Buffer.alloc(TIME_BYTES);
      time.writeUIntBE(Math.floor(ticks()) + CHALLENGE_LIFETIME_SECONDS * 1000, 0, TIME_BYTES);
      const payload = Buffer.concat([time, entropy.bytes(NONCE_BYTES)]);
      return Buffer.concat([payload, sign(payload, binding)]);
    },

    isValid(challenge, binding) {
      const bytes = Buffer.from(challenge, 'base64url');
      if (bytes.length !== TIME_BYTES + NONCE_BYTES + MAC_BYTES || bytes.toString('base64url') !== challenge)
        return false;
      const [payload, mac] = [bytes.subarray(0, -MAC_BYTES), bytes.subarray(-MAC_BYTES)];
      const isFresh = ticks() < bytes.readUIntBE(0, TIME_BYTES);
      return timingSafeEqual(mac, sign(payload, binding)) && isFresh && !spent.has(challenge);
    },

    redeem(challenge) {
      if (spent.has(challenge)) return false;
      spent.add(challenge);
      if (spent.size >= MAX_REDEEMED) {
        // What is forgotten must not be good again: whoever holds a challenge now asks for another.
        key = entropy.bytes(KEY_BYTES);
        spent.clear();
      }
      return true;
    },
  };
}
