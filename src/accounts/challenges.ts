import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import { isIssueTimeValid } from '../domain/clock.ts';
import type { Entropy } from '../platform/ports.ts';

/**
 * Challenges for authenticators to sign (WebAuthn §13.4.3), each valid for `CHALLENGE_LIFETIME_SECONDS`. They are not
 * stored: a MAC proves that a node with the same key issued them.
 */
export interface Challenges {
  /**
   * Returns a new challenge.
   * @param binding the purpose and the session of the challenge
   */
  issue(binding: string): Uint8Array<ArrayBuffer>;
  /** Reports whether `challenge` (base64url) was issued for `binding` and has not expired. */
  isValid(challenge: string, binding: string): boolean;
  /**
   * Returns the id of the session or passkey that a response to this challenge creates: 128 bits that depend only on
   * the challenge and the key, so that only the nodes can compute them. Because ids in the log are unique, all nodes
   * together accept at most one response to a challenge, even after a restart.
   */
  idFrom(challenge: string): string;
}

/** Long enough to fetch a security key from another room. */
export const CHALLENGE_LIFETIME_SECONDS = 300;

const TIME_BYTES = 6;
const NONCE_BYTES = 16;
const MAC_BYTES = 32;
const ID_BYTES = 16;

/** @param now returns the milliseconds since the epoch */
export function createChallenges(key: KeyObject, now: () => number, entropy: Entropy): Challenges {
  const computeMac = (payload: Uint8Array, binding: string): Buffer =>
    createHmac('sha256', key).update('challenge').update(payload).update(binding).digest();

  function isFresh(issuedAtMilliseconds: number): boolean {
    const [issuedAt, currentTime] = [issuedAtMilliseconds / 1000, now() / 1000];
    return currentTime < issuedAt + CHALLENGE_LIFETIME_SECONDS && isIssueTimeValid(issuedAt, currentTime);
  }

  return {
    issue(binding) {
      const time = Buffer.alloc(TIME_BYTES);
      time.writeUIntBE(Math.floor(now()), 0, TIME_BYTES);
      const payload = Buffer.concat([time, entropy.bytes(NONCE_BYTES)]);
      return Buffer.concat([payload, computeMac(payload, binding)]);
    },

    isValid(challenge, binding) {
      const bytes = Buffer.from(challenge, 'base64url');
      if (bytes.length !== TIME_BYTES + NONCE_BYTES + MAC_BYTES || bytes.toString('base64url') !== challenge)
        return false;
      const [payload, mac] = [bytes.subarray(0, -MAC_BYTES), bytes.subarray(-MAC_BYTES)];
      return timingSafeEqual(mac, computeMac(payload, binding)) && isFresh(bytes.readUIntBE(0, TIME_BYTES));
    },

    idFrom: (challenge) =>
      createHmac('sha256', key).update('id').update(challenge).digest().subarray(0, ID_BYTES).toString('base64url'),
  };
}
