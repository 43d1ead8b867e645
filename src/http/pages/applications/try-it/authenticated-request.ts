import { ASSERTION_TYPE } from '../../../../oauth/clients/client-assertions.ts';
import type { ExampleRequest } from './example-request.ts';
import type { ExampleClient } from './example.ts';

type Form = NonNullable<ExampleRequest['form']>;

/** A placeholder, because the server has only the hash of the secret. */
const SECRET = 'CLIENT_SECRET';

const ENDPOINTS = {
  token: 'token',
  device: 'device_authorization',
  push: 'par',
  introspect: 'introspect',
  revoke: 'revoke_token',
} as const;

/**
 * Returns a request in which the application authenticates. Only requests to the token endpoint need the proof, and the
 * certificate that tokens are bound to.
 * @param credentials where the secret is sent if the application may choose
 */
export function clientRequest(
  client: ExampleClient,
  endpoint: keyof typeof ENDPOINTS,
  form: Form,
  credentials: 'header' | 'body' = 'body',
): ExampleRequest {
  const { clientId, requirements } = client;
  const { authentication, proof, boundToCertificate } = requirements;
  const isForToken = endpoint === 'token';
  const certificate = authentication === 'certificate' || (isForToken && boundToCertificate);
  const isInHeader = authentication === 'secret-in-header' || (authentication === 'secret' && credentials === 'header');
  return {
    url: `${baseUrl(client, certificate)}/o/${ENDPOINTS[endpoint]}/`,
    form: isInHeader ? form : [...form, ...credentialsInForm(client)],
    basic: isInHeader ? { clientId, clientSecret: SECRET, isRequired: authentication === 'secret-in-header' } : null,
    bearer: null,
    proof: isForToken && proof ? 'DPOP_PROOF' : null,
    certificate,
  };
}

/** Returns a request with an access token that was issued to the application. */
export function tokenRequest(client: ExampleClient, path: string): ExampleRequest {
  const { proof, boundToCertificate } = client.requirements;
  return {
    url: baseUrl(client, boundToCertificate) + path,
    form: null,
    basic: null,
    bearer: 'ACCESS_TOKEN',
    proof: proof ? 'DPOP_PROOF' : null,
    certificate: boundToCertificate,
  };
}

/** Returns the base URL, which may be a different one for requests with a certificate. */
function baseUrl({ issuer, mtlsBase }: ExampleClient, usesCertificate: boolean): string {
  return usesCertificate ? (mtlsBase ?? issuer) : issuer;
}

function credentialsInForm({ clientId, requirements: { authentication } }: ExampleClient): Form {
  const id = ['client_id', clientId] as const;
  if (authentication === 'none' || authentication === 'certificate') return [id];
  if (authentication !== 'assertion') return [id, ['client_secret', SECRET]];
  return [id, ['client_assertion_type', ASSERTION_TYPE], ['client_assertion', 'CLIENT_ASSERTION']];
}
