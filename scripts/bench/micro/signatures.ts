import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { CompactSign } from 'jose';
import type { SigningAlgorithm } from '../../../src/domain/values.ts';
import { signJws } from '../../../src/oauth/signing/jws.ts';
import type { AsyncPair } from './pair.ts';

const PAYLOAD = {
  iss: 'https://auth.example',
  aud: 'https://auth.example',
  sub: 's'.repeat(22),
  client_id: 'c'.repeat(22),
  iat: 1_700_000_000,
  exp: 1_700_036_000,
  jti: 'j'.repeat(43),
  scope: 'read write',
};

/** Returns comparisons of JWT signing: node:crypto and jose. */
export function signaturePairs(): readonly AsyncPair[] {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const ed25519 = generateKeyPairSync('ed25519').privateKey;
  return [pair('RS256', rsa), pair('ES256', ec), pair('PS256', rsa), pair('EdDSA', ed25519)];
}

function pair(alg: SigningAlgorithm, key: KeyObject): AsyncPair {
  const header = { alg, typ: 'at+jwt', kid: 'k'.repeat(43) };
  return {
    name: `JWS with ${alg}: node:crypto vs. jose`,
    file: 'oauth/signing/jws.ts',
    optimized: () => signJws(key, header, PAYLOAD),
    baseline: () => new CompactSign(Buffer.from(JSON.stringify(PAYLOAD))).setProtectedHeader(header).sign(key),
  };
}
