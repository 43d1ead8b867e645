import { withCertificateMetadata, type CertificateSupport } from '../../../oauth/endpoints/certificate-metadata.ts';
import { fixedResources } from '../../../oauth/resources/known-resources.ts';
import { authorizationServerMetadata } from '../../../oauth/endpoints/metadata.ts';
import { openIdMetadata } from '../../../oauth/openid/discovery.ts';
import type { Client } from '../../../projections/clients.ts';
import { usesCertificate } from './protection-locals.ts';

/** The addresses that the settings of a client need, each with the name that libraries give it. */
export interface EndpointLocals {
  readonly name: string;
  readonly title: string;
  readonly uri: string;
}

const ENDPOINTS = [
  { name: 'authorization_endpoint', title: 'Authorize' },
  { name: 'pushed_authorization_request_endpoint', title: 'Pushed requests' },
  { name: 'device_authorization_endpoint', title: 'Device authorization' },
  { name: 'token_endpoint', title: 'Token' },
  { name: 'userinfo_endpoint', title: 'Userinfo' },
  { name: 'introspection_endpoint', title: 'Introspection' },
  { name: 'revocation_endpoint', title: 'Revocation' },
  { name: 'jwks_uri', title: 'Keys (JWKS)' },
] as const;

/** They affect no address. */
const SETTINGS = {
  pkceMethods: [],
  requirePar: false,
  clientDocuments: 'off',
  dynamicRegistration: 'off',
} as const;

export interface EndpointParts {
  readonly issuer: () => string;
  readonly certificateSupport: CertificateSupport;
}

/** The addresses of this server that an application needs, as the metadata states them. */
export function endpointsFor(
  client: Pick<Client, 'authentication' | 'security'>,
  { issuer, certificateSupport }: EndpointParts,
): { readonly issuer: string; readonly endpoints: readonly EndpointLocals[] } {
  const plain = authorizationServerMetadata(issuer(), [], fixedResources([]), [], SETTINGS);
  const metadata = withCertificateMetadata(openIdMetadata(plain), certificateSupport);
  const aliases = usesCertificate(client) ? Object.entries(metadata.mtls_endpoint_aliases ?? {}) : [];
  const endpoints = [
    { name: 'issuer', title: 'Issuer', uri: metadata.issuer },
    { name: 'discovery', title: 'Discovery', uri: `${metadata.issuer}/.well-known/openid-configuration` },
    ...ENDPOINTS.map(({ name, title }) => ({ name, title, uri: metadata[name] })),
    ...ENDPOINTS.flatMap(({ name, title }) =>
      aliases
        .filter(([alias]) => alias === name)
        .map(([, uri]) => ({ name: `mtls_${name}`, title: `${title}, with a certificate`, uri })),
    ),
  ];
  return { issuer: metadata.issuer, endpoints };
}
