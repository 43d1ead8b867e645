import { createHmac, type KeyObject } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

// TOTP (RFC 6238) with the values that every authenticator app supports.
const ALGORITHM = 'SHA1';
const DIGITS = 6;
const PERIOD_SECONDS = 30;
/** The previous and the next code are accepted as well, because clocks differ (RFC 6238 §5.2). */
const WINDOW_STEPS = 1;
/** RFC 4226 §4 recommends 160 bits. */
const SECRET_BYTES = 20;

/**
 * Returns the secret to offer for a new authenticator app: 160 bits in base32. It stays the same within a session until
 * the account changes, so that reloading the page does not invalidate a scanned code.
 * @param binding the session, the user and the revision of the account
 */
export function deriveAppSecret(key: KeyObject, binding: readonly string[]): string {
  const bytes = createHmac('sha256', key)
    .update(JSON.stringify(['secret of an app', ...binding]))
    .digest();
  return new Secret({ buffer: new Uint8Array(bytes.subarray(0, SECRET_BYTES)).buffer }).base32;
}

/** Returns the URI that an authenticator app reads, from a QR code or a link. */
export function otpauthUri(secret: string, issuer: string, username: string): string {
  return createTotp(secret, issuer, username).toString();
}

/**
 * Returns the time step of a code (RFC 6238 §4.2), or undefined if the code is not current. Compares in constant time.
 * @param now in milliseconds since the epoch
 */
export function findStep(code: string, secret: string, now: number): number | undefined {
  const digits = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(digits)) return undefined;
  const delta = createTotp(secret).validate({ token: digits, timestamp: now, window: WINDOW_STEPS });
  return delta === null ? undefined : Math.floor(now / 1000 / PERIOD_SECONDS) + delta;
}

function createTotp(secret: string, issuer = '', label = ''): TOTP {
  return new TOTP({
    issuer,
    label,
    algorithm: ALGORITHM,
    digits: DIGITS,
    period: PERIOD_SECONDS,
    secret: Secret.fromBase32(secret),
  });
}
