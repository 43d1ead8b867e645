import { generateKeyPairSync, type KeyObject, type webcrypto } from 'node:crypto';
import { importJWK, SignJWT } from 'jose';
import type { ClientKey } from '../../src/domain/client-authentication.ts';
import type { SigningAlgorithm } from '../../src/domain/values.ts';
import { readClientKeys } from '../../src/oauth/clients/client-keys.ts';
import type { RunningService, TestClient } from './running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
/** The issuer of the service in most tests. */
const ISSUER = 'http://localhost:8000';

export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** A client's key pair. */
export interface ClientKeyPair {
  readonly privateKey: KeyObject;
  /** The public key, as a client would publish it. */
  readonly jwk: Readonly<Record<string, unknown>>;
}

/** The key pairs by key id. Generating an RSA key takes a long time, so each is generated once. */
const keyPairs = new Map<string, ClientKeyPair>();

/** Returns the key pair with this key id. The first call generates it, for the algorithm. */
export function keyPairFor(algorithm: SigningAlgorithm, kid = `${algorithm} key`): ClientKeyPair {
  const pair = keyPairs.get(kid) ?? generate(algorithm, kid);
  keyPairs.set(kid, pair);
  return pair;
}

function generate(algorithm: SigningAlgorithm, kid: string): ClientKeyPair {
  const { privateKey, publicKey } =
    algorithm === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : algorithm === 'EdDSA'
        ? generateKeyPairSync('ed25519')
        : generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid } };
}

/** Returns the public keys as they appear in a registration. */
export async function clientKeys(...pairs: readonly ClientKeyPair[]): Promise<readonly ClientKey[]> {
  const result = await readClientKeys({ keys: pairs.map(({ jwk }) => jwk) });
  if ('problem' in result) throw new Error(result.problem.key);
  return result.keys;
}

/** Lets the client authenticate only with these keys. */
export async function registerKeys(
  running: RunningService,
  { id }: Pick<TestClient, 'id'>,
  ...pairs: readonly ClientKeyPair[]
): Promise<void> {
  await authenticateWith(running, id, { keys: await clientKeys(...pairs), keysUri: null });
}

/** Lets the client authenticate only with the keys that it publishes at this URL. */
export async function registerKeysUri(
  running: RunningService,
  { id }: Pick<TestClient, 'id'>,
  keysUri: string,
): Promise<void> {
  await authenticateWith(running, id, { keys: [], keysUri });
}

async function authenticateWith(
  running: RunningService,
  id: string,
  keys: { readonly keys: readonly ClientKey[]; readonly keysUri: string | null },
): Promise<void> {
  const { registration, projections } = running.service();
  const storedClient = projections.clients.find(id);
  if (storedClient === undefined) throw new Error('the client is not registered');
  const authentication = { methods: ['private_key_jwt'], ...keys };
  const refusal = await registration.update(storedClient.clientId, { ...storedClient, authentication }, OPERATOR);
  if (refusal !== undefined) throw new Error(JSON.stringify(refusal));
}

let assertionCount = 0;

/** Signs an assertion that is valid for the next minute, with `changes`. An undefined claim is removed. */
export async function signAssertion(
  running: RunningService,
  { id }: Pick<TestClient, 'id'>,
  { privateKey, jwk }: ClientKeyPair,
  changes: {
    readonly claims?: Readonly<Record<string, unknown>>;
    readonly header?: Readonly<Record<string, unknown>>;
  } = {},
): Promise<string> {
  const now = Math.floor(running.clock.now() / 1000);
  const claims = { iss: id, sub: id, aud: ISSUER, jti: `assertion ${(assertionCount += 1)}`, iat: now, exp: now + 60 };
  const alg = jwk['kty'] === 'RSA' ? 'PS256' : jwk['kty'] === 'EC' ? 'ES256' : 'EdDSA';
  return new SignJWT({ ...claims, ...changes.claims })
    .setProtectedHeader({ alg, kid: String(jwk['kid']), ...changes.header })
    .sign(privateKey);
}

/** Returns the parameters that authenticate a token request with the assertion. */
export function withAssertion(assertion: string): Readonly<Record<string, string>> {
  return { client_assertion_type: ASSERTION_TYPE, client_assertion: assertion };
}

/** Imports the private key as a CryptoKey, which client libraries expect. */
export async function importKey({ privateKey, jwk }: ClientKeyPair): Promise<webcrypto.CryptoKey> {
  const alg = jwk['kty'] === 'EC' ? 'ES256' : 'Ed25519';
  return (await importJWK({ ...privateKey.export({ format: 'jwk' }) }, alg)) as webcrypto.CryptoKey;
}
