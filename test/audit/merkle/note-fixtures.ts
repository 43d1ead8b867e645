import { createPrivateKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

/** Derives an Ed25519 private key (RFC 8032) from a 32-byte seed, for reproducible signatures. */
export function privateKeyFromSeed(seed: Uint8Array): KeyObject {
  const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  return createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
}

/** The note in the documentation of the Go package golang.org/x/mod/sumdb/note, with its keys. */
export const GO_NOTE = {
  name: 'PeterNeumann',
  verifierKey: 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
  privateKey: privateKeyFromSeed(Buffer.from('AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz', 'base64').subarray(1)),
  text: "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n",
  signatureLine:
    '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n',
} as const;
