import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Entropy, Ticks } from '../platform/ports.ts';

/**
 * Challenges for authenticators to sign (WebAuthn §13.4.3). They are not stored, so issuing many uses no memory. Each
 * is valid once, in one session, for `CHALLENGE_LIFETIME_SECONDS`.
 */
export interface Challenges {
  /** @param binding what the challenge is for, and in which session */
  issue(binding: string): Uint8Array<ArrayBuffer>;
  /** Whether `challenge` (base64url) was issued for `binding`, has not expired and was not redeemed. */
  isValid(challenge: string, binding: string): boolean;
  /**
   * Call this for a valid challenge with a correct signature.
   * @returns false if another request redeemed it first
   */
  redeem(challenge: string): boolean;
}

/** Long enough to fetch a security key from another room. */
export const CHALLENGE_LIFETIME_SECONDS = 300;

/** How many redeemed challenges are remembered. Redeeming one requires a passkey, so strangers cannot exhaust this. */
const MAX_REDEEMED = 10_000;

const TIME_BYTES = 6;
const NONCE_BYTES = 16;
const MAC_BYTES = 32;
const KEY_BYTES = 32;

export function createChallenges(ticks: Ticks, entropy: Entropy): Challenges {
  // A new key per process: redeemed challenges are not remembered across restarts, so older ones must be invalid.
  let key = entropy.bytes(KEY_BYTES);
  const redeemed = new Set<string>();

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
      return timingSafeEqual(mac, sign(payload, binding)) && isFresh && !redeemed.has(challenge);
    },

    redeem(challenge) {
      if (redeemed.has(challenge)) return false;
      redeemed.add(challenge);
      if (redeemed.size >= MAX_REDEEMED) {
        // Forgotten challenges must not become valid again, so a new key invalidates all that are outstanding.
        key = entropy.bytes(KEY_BYTES);
        redeemed.clear();
      }
      return true;
    },
  };
}
