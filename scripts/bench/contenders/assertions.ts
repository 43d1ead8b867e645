import { createPrivateKey, generateKeyPairSync, randomBytes, type JsonWebKey } from 'node:crypto';
import { signJws } from '../../../src/oauth/signing/jws.ts';
import type { LoadRequest } from '../load/protocol.ts';
import { basicAuthHeader, formPost } from './http-text.ts';
import { signValues } from './signed-values.ts';

export type AssertionAlgorithm = 'ES256' | 'RS256';

/** A client that authenticates with assertions (private_key_jwt). */
export interface AssertionClient {
  readonly clientId: string;
  readonly privateKey: JsonWebKey;
}

/** A client that redeems JWTs from a trusted issuer. */
export interface JwtBearerClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly issuer: string;
  /** The issuer's private key. */
  readonly privateKey: JsonWebKey;
}

const KID = 'bench';
/** Longer than a normal measurement interval, and short enough for every server under test. */
const LIFETIME_SECONDS = 300;

const CLIENT_ASSERTION_FORM =
  'grant_type=client_credentials&client_assertion_type=' +
  `${encodeURIComponent('urn:ietf:params:oauth:client-assertion-type:jwt-bearer')}&client_assertion=`;

export function generatePrivateKey(algorithm: AssertionAlgorithm = 'ES256'): JsonWebKey {
  const { privateKey } =
    algorithm === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 2048 });
  return privateKey.export({ format: 'jwk' });
}

/** Returns the key set with the public half of the key. */
export function publicKeySet(privateKey: JsonWebKey): object {
  const { kty, crv, x, y, n, e } = privateKey;
  return { keys: [{ kty, crv, x, y, n, e, kid: KID, alg: algorithmFor(privateKey), use: 'sig' }] };
}

function algorithmFor({ kty }: JsonWebKey): AssertionAlgorithm {
  return kty === 'RSA' ? 'RS256' : 'ES256';
}

const JWT_BEARER = encodeURIComponent('urn:ietf:params:oauth:grant-type:jwt-bearer');
const JWT_BEARER_FORM = `grant_type=${JWT_BEARER}&scope=read&assertion=`;

/**
 * Prepares requests that each send a new client assertion. All assertions have the same length.
 * @param audience the server's issuer identifier
 * @param count the number of assertions, which `signValues` limits
 */
export function assertionRequest(
  { clientId, privateKey }: AssertionClient,
  audience: string,
  count: number,
): Promise<LoadRequest> {
  return signedRequest(
    privateKey,
    { iss: clientId, sub: clientId, aud: audience },
    { authorization: null, form: CLIENT_ASSERTION_FORM },
    count,
  );
}

/** Prepares requests that each redeem a new JWT from the trusted issuer. `signValues` limits their number. */
export function jwtBearerRequest(
  { clientId, clientSecret, issuer, privateKey }: JwtBearerClient,
  audience: string,
  count: number,
): Promise<LoadRequest> {
  const authorization = basicAuthHeader(clientId, clientSecret);
  return signedRequest(
    privateKey,
    { iss: issuer, sub: 'job', aud: audience },
    { authorization, form: JWT_BEARER_FORM },
    count,
  );
}

async function signedRequest(
  privateKey: JsonWebKey,
  parties: Readonly<Record<'iss' | 'sub' | 'aud', string>>,
  { authorization, form }: { readonly authorization: string | null; readonly form: string },
  count: number,
): Promise<LoadRequest> {
  const key = createPrivateKey({ key: privateKey, format: 'jwk' });
  const iat = Math.floor(Date.now() / 1000);
  const alg = algorithmFor(privateKey);
  const signOne = (): Promise<string> => {
    const claims = { ...parties, iat, exp: iat + LIFETIME_SECONDS };
    const jti = randomBytes(16).toString('base64url');
    return signJws(key, { alg, typ: 'JWT', kid: KID }, { ...claims, jti });
  };
  const list = await signValues(count, signOne);
  return {
    prefix: formPost('/o/token/', authorization, form, form.length + (list[0] ?? '').length),
    suffix: '',
    values: { use: 'each', list },
    expects: '"token_type":"Bearer"',
    returnsToken: true,
  };
}
