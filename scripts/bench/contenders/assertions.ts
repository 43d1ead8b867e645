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

/** A client that redeems the JWTs of a trusted issuer. */
export interface TrustedClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly issuer: string;
  /** The key of the issuer. */
  readonly privateKey: JsonWebKey;
}

const KID = 'bench';
/** Longer than an interval, and accepted by every server. */
const LIFETIME_SECONDS = 300;

const FORM =
  'grant_type=client_credentials&client_assertion_type=' +
  `${encodeURIComponent('urn:ietf:params:oauth:client-assertion-type:jwt-bearer')}&client_assertion=`;

export function generateClientKey(algorithm: AssertionAlgorithm = 'ES256'): JsonWebKey {
  const { privateKey } =
    algorithm === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 2048 });
  return privateKey.export({ format: 'jwk' });
}

/** Returns the key set that the client registers. */
export function publicKeySet(privateKey: JsonWebKey): object {
  const { kty, crv, x, y, n, e } = privateKey;
  return { keys: [{ kty, crv, x, y, n, e, kid: KID, alg: algorithmFor(privateKey), use: 'sig' }] };
}

function algorithmFor({ kty }: JsonWebKey): AssertionAlgorithm {
  return kty === 'RSA' ? 'RS256' : 'ES256';
}

const JWT_BEARER = encodeURIComponent('urn:ietf:params:oauth:grant-type:jwt-bearer');
const BEARER_FORM = `grant_type=${JWT_BEARER}&scope=read&assertion=`;

/**
 * Prepares requests that send each of `count` new assertions once. All assertions have the same length.
 * @param audience the issuer of the server
 */
export function assertionRequest(
  { clientId, privateKey }: AssertionClient,
  audience: string,
  count: number,
): Promise<LoadRequest> {
  return signedRequest(
    privateKey,
    { iss: clientId, sub: clientId, aud: audience },
    { authorization: null, form: FORM },
    count,
  );
}

/** Prepares requests that redeem each of `count` new JWTs of the trusted issuer once. */
export function jwtBearerRequest(
  { clientId, clientSecret, issuer, privateKey }: TrustedClient,
  audience: string,
  count: number,
): Promise<LoadRequest> {
  const authorization = basicAuthHeader(clientId, clientSecret);
  return signedRequest(
    privateKey,
    { iss: issuer, sub: 'job', aud: audience },
    { authorization, form: BEARER_FORM },
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
    before: formPost('/o/token/', authorization, form, form.length + (list[0] ?? '').length),
    after: '',
    values: { use: 'each', list },
    expects: '"token_type":"Bearer"',
    returnsToken: true,
  };
}
