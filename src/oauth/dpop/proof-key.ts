import { hash, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { algorithmsOf } from '../../domain/client-authentication.ts';
import type { PublicKey } from '../../domain/public-key.ts';
import type { SigningAlgorithm } from '../../domain/values.ts';
import { PRIVATE_MEMBERS, publicKeyOf } from '../clients/client-keys.ts';
import { oauthError } from '../endpoints/errors.ts';
import { sanitizeMember } from '../refusals/sanitize.ts';
import { unverifiedHeader } from '../signing/jws.ts';
import { publicKeyObject } from '../signing/public-keys.ts';

/** The algorithm names that proofs may use. `Ed25519` is another name for `EdDSA` with that curve (RFC 9864). */
export const PROOF_ALGORITHMS = ['ES256', 'PS256', 'RS256', 'EdDSA', 'Ed25519'] as const;
type ProofAlgorithm = (typeof PROOF_ALGORITHMS)[number];

/** The algorithm and the key in the header of a proof. */
export interface ProofKey {
  readonly algorithm: SigningAlgorithm;
  readonly key: KeyObject;
  /** The thumbprint (RFC 7638 §3). */
  readonly thumbprint: string;
}

/** The `typ` in the header of a proof (RFC 9449 §4.2). */
const PROOF_TYPE = 'dpop+jwt';
const MAX_CACHED_HEADERS = 1_000;

/**
 * Reads the headers of proofs. Recent headers are cached: a client sends the same header with each proof, and parsing a
 * key takes as long as verifying a signature (`npm run bench -- micro`).
 */
export interface ProofKeys {
  /**
   * Returns the algorithm and the key in the proof's header.
   * @throws OAuthError `invalid_dpop_proof` if the proof contains no valid key
   */
  read(proof: string): ProofKey;
}

export function createProofKeys(): ProofKeys {
  // Not `max`, which would allocate memory for all entries at startup.
  const keysByHeader = new LRUCache<string, ProofKey>({ maxSize: MAX_CACHED_HEADERS, sizeCalculation: () => 1 });
  return {
    read(proof) {
      const encodedHeader = proof.slice(0, proof.indexOf('.'));
      const cachedKey = keysByHeader.get(encodedHeader);
      if (cachedKey !== undefined) return cachedKey;
      const proofKey = readHeader(proof);
      keysByHeader.set(encodedHeader, proofKey);
      return proofKey;
    },
  };
}

/** Performs checks 4, 5 and 7 of RFC 9449 §4.3 on the header, and returns the algorithm and the key in it. */
function readHeader(proof: string): ProofKey {
  const header = unverifiedHeader(proof);
  if (header === undefined) throw oauthError({ rule: 'dpop-proof-form', problem: 'malformed' });
  const { typ, alg, jwk, crit } = header;
  if (typ !== PROOF_TYPE) throw oauthError({ rule: 'dpop-proof-form', problem: 'type' });
  if (crit !== undefined) throw oauthError({ rule: 'dpop-proof-form', problem: 'critical' });
  const name = PROOF_ALGORITHMS.find((candidate) => candidate === alg);
  if (name === undefined)
    throw oauthError({ rule: 'dpop-proof-algorithm', seen: sanitizeMember(alg), allowed: PROOF_ALGORITHMS });
  const publicKey = requirePublicKey(jwk);
  const algorithm = signingAlgorithm(name);
  if (!algorithmsOf(publicKey).includes(algorithm)) throw oauthError({ rule: 'dpop-proof-key', problem: 'other-kind' });
  return { algorithm, key: publicKeyObject(publicKey), thumbprint: thumbprintOf(publicKey) };
}

function signingAlgorithm(name: ProofAlgorithm): SigningAlgorithm {
  return name === 'Ed25519' ? 'EdDSA' : name;
}

function requirePublicKey(jwk: unknown): PublicKey {
  if (typeof jwk !== 'object' || jwk === null || Array.isArray(jwk))
    throw oauthError({ rule: 'dpop-proof-key', problem: 'missing' });
  if (PRIVATE_MEMBERS.some((member) => member in jwk)) throw oauthError({ rule: 'dpop-proof-key', problem: 'private' });
  const publicKey = publicKeyOf({ ...jwk });
  if (publicKey === undefined) throw oauthError({ rule: 'dpop-proof-key', problem: 'unsupported' });
  return publicKey;
}

/**
 * Returns the hash of the required members, sorted by name (RFC 7638 §3). Does not use `jose`, whose function is
 * asynchronous.
 */
function thumbprintOf(key: PublicKey): string {
  return hash('sha256', JSON.stringify(requiredMembers(key)), 'base64url');
}

function requiredMembers(key: PublicKey): object {
  if (key.kty === 'RSA') return { e: key.e, kty: key.kty, n: key.n };
  const { crv, kty, x } = key;
  return kty === 'EC' ? { crv, kty, x, y: key.y } : { crv, kty, x };
}
