import { ASSERTION_TYPE } from '../../../../oauth/clients/client-assertions.ts';
import type { ExampleRequest } from './example-request.ts';
import type { ExampleClient } from './example.ts';

type Form = NonNullable<ExampleRequest['form']>;

/** The placeholder for the client secret. This server stores only the hash of the secret. */
const SECRET_PLACEHOLDER = 'CLIENT_SECRET';

const ENDPOINTS = {
  token: 'token',
  device: 'device_authorization',
  push: 'par',
  introspect: 'introspect',
  revoke: 'revoke_token',
} as const;

/**
 * Returns a request in which the application authenticates. Only requests to the token endpoint also need the DPoP
 * proof or the certificate that binds the tokens.
 * @param credentials the place for the secret if the application can send it in the header or in the body
 */
export function clientRequest(
  client: ExampleClient,
  endpoint: keyof typeof ENDPOINTS,
  form: Form,
  credentials: 'header' | 'body' = 'body',
): ExampleRequest {
  const { clientId, requirements } = client;
  const { authentication, proof, boundToCertificate } = requirements;
  const isTokenRequest = endpoint === 'token';
  const certificate = authentication === 'certificate' || (isTokenRequest && boundToCertificate);
  const isInHeader = authentication === 'secret-in-header' || (authentication === 'secret' && credentials === 'header');
  return {
    url: `${baseUrl(client, certificate)}/o/${ENDPOINTS[endpoint]}/`,
    form: isInHeader ? form : [...form, ...credentialsInForm(client)],
    basic: isInHeader
      ? { clientId, clientSecret: SECRET_PLACEHOLDER, isRequired: authentication === 'secret-in-header' }
      : null,
    bearer: null,
    proof: isTokenRequest && proof ? 'DPOP_PROOF' : null,
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

/** Returns the base URL, which can be different for requests with a certificate. */
function baseUrl({ issuer, mtlsBase }: ExampleClient, usesCertificate: boolean): string {
  return usesCertificate ? (mtlsBase ?? issuer) : issuer;
}

function credentialsInForm({ clientId, requirements: { authentication } }: ExampleClient): Form {
  const id = ['client_id', clientId] as const;
  if (authentication === 'none' || authentication === 'certificate') return [id];
  if (authentication !== 'assertion') return [id, ['client_secret', SECRET_PLACEHOLDER]];
  return [id, ['client_assertion_type', ASSERTION_TYPE], ['client_assertion', 'CLIENT_ASSERTION']];
}
