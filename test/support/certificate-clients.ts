import type { AuthenticationSettings } from '../../src/domain/client-authentication.ts';
import { readCertificate, type Certificate } from '../../src/platform/certificates/certificate.ts';
import { readClientKeys } from '../../src/oauth/clients/client-keys.ts';
import type { IssuedCertificate } from './certificates.ts';
import { englishProblems } from './english-problems.ts';
import type { RunningService, TestClient } from './running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

/** The settings of a server that trusts the tests as a proxy. */
export const TRUSTED_PROXY = { trustedProxies: 1, clientCertificateProxies: ['127.0.0.1'] } as const;

/** Returns the certificate as parsed by the server. */
export function parseCertificate({ der }: Pick<IssuedCertificate, 'der'>): Certificate {
  const certificate = readCertificate(der);
  if (certificate === undefined) throw new Error('the certificate cannot be read');
  return certificate;
}

/** Changes how the client authenticates, and whether its tokens are bound to its certificate. */
export async function setClientAuthentication(
  running: RunningService,
  { id }: Pick<TestClient, 'id'>,
  authentication: Partial<AuthenticationSettings>,
  tlsBoundAccessTokens = false,
): Promise<void> {
  const { registration, projections } = running.service();
  const storedClient = projections.clients.find(id);
  if (storedClient === undefined) throw new Error('the client is not registered');
  const changedClient = {
    ...storedClient,
    authentication: { ...storedClient.authentication, ...authentication },
    security: { ...storedClient.security, tlsBoundAccessTokens },
  };
  const refusal = await registration.update(storedClient.clientId, changedClient, OPERATOR);
  if (refusal === undefined) return;
  throw new Error(JSON.stringify('errors' in refusal ? englishProblems(refusal.errors) : refusal));
}

/** Returns the settings of a client that authenticates with a self-signed certificate. */
export async function selfSignedSettings(
  ...certificates: readonly Pick<IssuedCertificate, 'publicKey'>[]
): Promise<AuthenticationSettings> {
  const result = await readClientKeys({
    keys: certificates.map(({ publicKey }) => publicKey.export({ format: 'jwk' })),
  });
  if ('problem' in result) throw new Error(result.problem.key);
  return { methods: ['self_signed_tls_client_auth'], keys: result.keys, keysUri: null, tls: null };
}

/** Returns the settings of a client whose certificate is issued by an authority. */
export function authorityIssuedSettings(kind: NonNullable<AuthenticationSettings['tls']>['kind'], value: string) {
  return { methods: ['tls_client_auth'], tls: { kind, value } } as const;
}
