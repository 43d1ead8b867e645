import type { KeyObject } from 'node:crypto';
import Keygrip from 'keygrip';
import type { RotatingKey } from '../../platform/keys/rotating-key.ts';

/** Creates a signer that signs cookies with the current key and verifies them with any accepted key. */
export function createCookieSigner(key: RotatingKey): Keygrip {
  const signers = new WeakMap<KeyObject, Keygrip>();

  /** Returns the key's signer, which is created on first use. */
  function signerFor(secret: KeyObject): Keygrip {
    const signer = signers.get(secret) ?? new Keygrip([secret.export().toString('base64url')], 'sha256');
    signers.set(secret, signer);
    return signer;
  }

  /** Returns the index of the key that signed the data, or -1. If the index is above 0, Koa signs the cookie again. */
  function index(data: string, digest: string): number {
    return key.accepted().findIndex((secret) => signerFor(secret).verify(data, digest));
  }

  return {
    sign: (data) => signerFor(key.current()).sign(data),
    verify: (data, digest) => index(data, digest) >= 0,
    index,
  };
}
