import { SignJWT } from 'jose';
import type { TrustedIssuerFields } from '../../src/oauth/issuers/issuer-rules.ts';
import type { TrustedIssuer } from '../../src/projections/trusted-issuers.ts';
import { clientKeys, keyPairFor, type ClientKeyPair } from './assertions.ts';
import type { RunningService, TestClient } from './running-service.ts';
import { englishProblems } from './english-problems.ts';

export const OTHER_ISSUER = 'https://issuer.example';
/** The issuer of the service in most tests. */
const ISSUER = 'http://localhost:8000';

export const issuerKeys = (): ClientKeyPair => keyPairFor('ES256', 'key of another issuer');

/**
 * Makes the service trust an issuer. By default, the issuer signs assertions with `issuerKeys`, which give `client` the
 * `read` scope.
 */
export async function trustIssuer(
  running: Pick<RunningService, 'service'>,
  client: Pick<TestClient, 'id'>,
  fields: Partial<TrustedIssuerFields> = {},
  issuer = OTHER_ISSUER,
): Promise<TrustedIssuer> {
  const result = await running.service().trustedIssuerRegistry.set(
    issuer,
    {
      keys: fields.keysUri === undefined ? await clientKeys(issuerKeys()) : [],
      keysUri: null,
      audience: [],
      uses: ['assertion'],
      claims: [],
      mapping: 'client',
      nameClaim: '',
      users: [],
      clients: [client.id],
      scope: ['read'],
      resources: null,
      maxTokenLifetimeSeconds: 3_600,
      maxAssertionAgeSeconds: 600,
      ...fields,
    },
    { actor: { kind: 'operator' }, requestId: null },
  );
  if ('errors' in result) throw new Error(JSON.stringify(englishProblems(result.errors)));
  return result.trustedIssuer;
}

let tokenCount = 0;

/** Signs a JWT as the other issuer, valid for the next minute and changed by `changes`; undefined removes a claim. */
export async function signForeignToken(
  running: Pick<RunningService, 'clock'>,
  changes: {
    readonly claims?: Readonly<Record<string, unknown>>;
    readonly header?: Readonly<Record<string, unknown>>;
    readonly keys?: ClientKeyPair;
  } = {},
): Promise<string> {
  const now = Math.floor(running.clock.now() / 1000);
  const { privateKey, jwk } = changes.keys ?? issuerKeys();
  const claims = {
    iss: OTHER_ISSUER,
    sub: 'job 7',
    aud: ISSUER,
    jti: `token ${(tokenCount += 1)}`,
    iat: now,
    exp: now + 60,
  };
  const alg = jwk['kty'] === 'RSA' ? 'RS256' : jwk['kty'] === 'EC' ? 'ES256' : 'EdDSA';
  return new SignJWT({ ...claims, ...changes.claims })
    .setProtectedHeader({ alg, kid: String(jwk['kid']), ...changes.header })
    .sign(privateKey);
}
