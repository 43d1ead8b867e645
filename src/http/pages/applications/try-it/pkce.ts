import { hash } from 'node:crypto';
import type { Entropy } from '../../../../platform/ports.ts';

/** A code verifier and its challenge (RFC 7636 §4). */
export interface PkcePair {
  readonly verifier: string;
  readonly challenge: string;
  readonly method: 'S256' | 'plain';
}

const VERIFIER_BYTES = 32;

/** Generates a PKCE pair, with `plain` only if the server does not support S256. */
export function mintPkcePair(entropy: Entropy, methods: readonly ('S256' | 'plain')[]): PkcePair {
  const verifier = entropy.bytes(VERIFIER_BYTES).toString('base64url');
  if (!methods.includes('S256')) return { verifier, challenge: verifier, method: 'plain' };
  return { verifier, challenge: hash('sha256', verifier, 'base64url'), method: 'S256' };
}
