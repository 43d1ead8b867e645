import { hash } from 'node:crypto';
import { calculateJwkThumbprint, SignJWT } from 'jose';
import type { SecuritySettings } from '../../src/domain/security-settings.ts';
import type { ClientKeyPair } from './assertions.ts';
import type { TestResponse, RunningService, TestClient } from './running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const ISSUER = 'http://localhost:8000';
/** The token endpoint URL that most tests use. */
export const TOKEN_URL = `${ISSUER}/o/token/`;
/** How long after startup proofs need a nonce. Later proofs cannot have been used in an earlier run. */
export const NONCE_PERIOD_SECONDS = 61;

/** Changes to a valid proof. Undefined removes a claim or a header parameter. */
export interface ProofChanges {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
  /** The proof is for a request with this access token. */
  readonly accessToken?: string;
}

let proofCount = 0;

/** Signs a proof for a request to the token endpoint, valid from now, with these changes. */
export async function signProof(
  running: Pick<RunningService, 'clock'>,
  { privateKey, jwk }: ClientKeyPair,
  { claims, header, accessToken }: ProofChanges = {},
): Promise<string> {
  const iat = Math.floor(running.clock.now() / 1000);
  const { kid: _, ...publicJwk } = jwk;
  const ath = accessToken === undefined ? {} : { ath: hash('sha256', accessToken, 'base64url') };
  return new SignJWT({ jti: `proof ${(proofCount += 1)}`, htm: 'POST', htu: TOKEN_URL, iat, ...ath, ...claims })
    .setProtectedHeader({ typ: 'dpop+jwt', alg: algorithmFor(jwk), jwk: publicJwk, ...header })
    .sign(privateKey);
}

function algorithmFor({ kty }: ClientKeyPair['jwk']): string {
  if (kty === 'RSA') return 'PS256';
  return kty === 'EC' ? 'ES256' : 'EdDSA';
}

/** Returns a proof that a JOSE library would refuse to create. */
export function forgedProof(header: object, claims: object, sign: (input: string) => string = () => ''): string {
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  const input = `${encode(header)}.${encode(claims)}`;
  return `${input}.${sign(input)}`;
}

export function thumbprintOf({ jwk }: ClientKeyPair): Promise<string> {
  return calculateJwkThumbprint(jwk);
}

/** Sends a token request with a proof, using the client's authentication method. */
export async function tokenWithProof(
  running: RunningService,
  client: TestClient,
  parameters: Readonly<Record<string, string>>,
  proof: string,
): Promise<TestResponse> {
  const isPublic = client.secret === '';
  const body = isPublic ? { ...parameters, client_id: client.id } : parameters;
  return running.post('/o/token/', body, { dpop: proof, ...(isPublic ? {} : { authorization: client.basic }) });
}

/** Changes the security settings of the client. */
export async function updateSecuritySettings(
  running: RunningService,
  { id }: Pick<TestClient, 'id'>,
  changes: Partial<SecuritySettings>,
): Promise<void> {
  const { registration, projections } = running.service();
  const storedClient = projections.clients.find(id);
  if (storedClient === undefined) throw new Error('the client is not registered');
  const security = { ...storedClient.security, ...changes };
  const refusal = await registration.update(storedClient.clientId, { ...storedClient, security }, OPERATOR);
  if (refusal !== undefined) throw new Error(JSON.stringify(refusal));
}
