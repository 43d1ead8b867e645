import { createPublicKey, generateKeyPairSync, X509Certificate, type JsonWebKey } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCertificate, type Certificate } from './certificate.ts';
import { clientUris } from './client-uris.ts';
import { usesCertificates, type FapiVariant, type TestPlan } from './test-plan.ts';

/** A registered client, with the members that the suite needs. */
export interface TestClient {
  readonly name: string;
  readonly client_id: string;
  /** Present if the client authenticates with it. */
  readonly client_secret?: string;
  /** The private key that signs assertions and requests; undefined if the plan is not a FAPI plan. */
  readonly signingKey: JsonWebKey | undefined;
  readonly certificate: Certificate | undefined;
}

interface Registration {
  readonly plan: TestPlan;
  readonly suite: string;
  readonly owner: string;
  /** The directory for key files. */
  readonly directory: string;
  /** Runs a command of Grantlog, and returns its output. */
  readonly grantlog: (...args: readonly string[]) => string;
}

/**
 * Registers a client with the settings that the plan needs.
 * @throws Error if the server refuses it
 */
export function addClient(name: string, { plan, suite, owner, directory, grantlog }: Registration): TestClient {
  const signingKey = plan.fapi === null ? undefined : createSigningKey(name);
  const certificate = usesCertificates(plan) ? createCertificate(directory, name, [`/CN=${name}`]) : undefined;
  const uris = clientUris(suite);
  const options = {
    '--name': [name],
    '--type': ['confidential'],
    '--owner': [owner],
    '--grant': ['authorization-code', ...(plan.fapi === null ? [] : ['client-credentials'])],
    '--redirect-uri': uris.redirectUris,
    '--post-logout-redirect-uri': [uris.postLogoutRedirectUri],
    '--backchannel-logout-uri': plan.backChannelLogout ? [uris.backchannelLogoutUri] : [],
  };
  const args = Object.entries(options).flatMap(([option, values]) => values.flatMap((value) => [option, value]));
  if (plan.fapi !== null) {
    const file = join(directory, `${name}-keys.json`);
    writeFileSync(file, JSON.stringify({ keys: publicKeys(signingKey, certificate) }));
    args.push('--jwks', file, ...fapiOptions(plan.fapi));
  }
  const { client_id, client_secret } = JSON.parse(grantlog('client', 'add', '--json', ...args)) as TestClient;
  return { name, client_id, ...(client_secret && { client_secret }), signingKey, certificate };
}

function fapiOptions({ authentication, binding, signsRequests }: FapiVariant): readonly string[] {
  const method = authentication === 'mtls' ? 'self_signed_tls_client_auth' : 'private_key_jwt';
  return [
    '--profile',
    'fapi2',
    '--auth-method',
    method,
    binding === 'mtls' ? '--bind-tokens-to-certificate' : '--require-dpop',
    ...(signsRequests ? ['--require-signed-requests'] : []),
  ];
}

/** Creates an RSA key, because the suite tests that RS256 signatures are refused only if the key is an RSA key. */
function createSigningKey(name: string): JsonWebKey {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: `${name}-signing`, use: 'sig', alg: 'PS256' };
}

/**
 * Returns the public keys that the client registers: its signing key, and the key of its certificate (RFC 8705 §2.2.2).
 */
function publicKeys(signingKey: JsonWebKey | undefined, certificate: Certificate | undefined): readonly JsonWebKey[] {
  const keys: JsonWebKey[] = [];
  if (signingKey !== undefined) {
    const { kid, use, alg } = signingKey;
    keys.push({ ...createPublicKey({ key: signingKey, format: 'jwk' }).export({ format: 'jwk' }), kid, use, alg });
  }
  if (certificate !== undefined) {
    const { publicKey, raw } = new X509Certificate(certificate.cert);
    keys.push({ ...publicKey.export({ format: 'jwk' }), x5c: [raw.toString('base64')] });
  }
  return keys;
}
