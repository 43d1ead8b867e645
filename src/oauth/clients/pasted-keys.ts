import { createPublicKey } from 'node:crypto';
import type { ClientKey } from '../../domain/client-authentication.ts';
import { MAX_CLIENT_KEYS, readClientKeys } from './client-keys.ts';

type Read = { readonly keys: readonly ClientKey[] } | { readonly problem: string };

const PEM_BLOCK = /-----BEGIN ([A-Z ]{1,40})-----[A-Za-z0-9+/=\s]{1,8192}-----END \1-----/g;
const FORMATS = 'Paste public keys as a JWK, as a JWK set, or in PEM format (-----BEGIN PUBLIC KEY-----).';

/** The public keys in a text that somebody pasted, or the problem with them, as a sentence. */
export async function readPastedKeys(text: string): Promise<Read> {
  if (text.trim() === '') return { problem: 'Paste at least one public key.' };
  const set = text.trim().startsWith('-----') ? setOfPem(text) : setOfJson(text);
  return 'problem' in set ? set : readClientKeys(set);
}

function setOfJson(text: string): { readonly keys: unknown } | { readonly problem: string } {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return { problem: FORMATS };
  }
  if (typeof parsed !== 'object' || parsed === null) return { problem: FORMATS };
  if ('keys' in parsed) return { keys: parsed.keys };
  return 'kty' in parsed ? { keys: [parsed] } : { problem: FORMATS };
}

function setOfPem(text: string): { readonly keys: unknown } | { readonly problem: string } {
  const blocks = [...text.matchAll(PEM_BLOCK)];
  if (blocks.some(([, label = '']) => label.includes('PRIVATE')))
    return { problem: 'This is a private key. Replace it, because it was sent here, and paste only its public half.' };
  if (blocks.length === 0 || blocks.length > MAX_CLIENT_KEYS) return { problem: FORMATS };
  try {
    return { keys: blocks.map(([block]) => createPublicKey(block).export({ format: 'jwk' })) };
  } catch {
    return { problem: 'A block in PEM format is no public key that this server knows: RSA, P-256 or Ed25519.' };
  }
}
