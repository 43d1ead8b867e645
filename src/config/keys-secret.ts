const HEX = /^[0-9a-f]{64}$/i;
const BASE64URL = /^[\w-]{43}=?$/;

function splitKeysSecret(text: string): readonly string[] {
  return text.split(',').map((secret) => secret.trim());
}

/** Reports whether the text is a comma-separated list of 32-byte secrets, each in hexadecimal or base64url. */
export function isKeysSecret(text: string): boolean {
  return splitKeysSecret(text).every((secret) => HEX.test(secret) || BASE64URL.test(secret));
}

/**
 * Returns the bytes of each secret, in order.
 * @param text a string that `isKeysSecret` accepts
 */
export function parseKeysSecret(text: string): readonly Buffer[] {
  return splitKeysSecret(text).map((secret) => Buffer.from(secret, HEX.test(secret) ? 'hex' : 'base64url'));
}
