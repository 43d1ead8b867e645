import { createPublicKey } from 'node:crypto';
import type { ClientKey } from '../../domain/client-authentication.ts';
import { message, type Message } from '../../language/message.ts';
import { MAX_CLIENT_KEYS, readClientKeys } from './client-keys.ts';

type PastedKeys = { readonly keys: readonly ClientKey[] } | { readonly problem: Message };

const PEM_BLOCK = /-----BEGIN ([A-Z ]{1,40})-----[A-Za-z0-9+/=\s]{1,8192}-----END \1-----/g;
const FORMATS = message('pasted-keys.formats');

/** Returns the public keys in pasted text (JWK, JWK set or PEM), or the problem with them. */
export async function readPastedKeys(text: string): Promise<PastedKeys> {
  if (text.trim() === '') return { problem: message('pasted-keys.none') };
  const set = text.trim().startsWith('-----') ? parsePem(text) : parseJson(text);
  return 'problem' in set ? set : readClientKeys(set);
}

function parseJson(text: string): { readonly keys: unknown } | { readonly problem: Message } {
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

function parsePem(text: string): { readonly keys: unknown } | { readonly problem: Message } {
  const blocks = [...text.matchAll(PEM_BLOCK)];
  if (blocks.some(([, label = '']) => label.includes('PRIVATE'))) return { problem: message('pasted-keys.private') };
  if (blocks.length === 0 || blocks.length > MAX_CLIENT_KEYS) return { problem: FORMATS };
  try {
    return { keys: blocks.map(([block]) => createPublicKey(block).export({ format: 'jwk' })) };
  } catch {
    return { problem: message('pasted-keys.unknown') };
  }
}
