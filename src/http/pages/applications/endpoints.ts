import { withCertificateMetadata, type CertificateSupport } from '../../../oauth/endpoints/certificate-metadata.ts';
import { plainResources } from '../../../oauth/resources/known-resources.ts';
import { authorizationServerMetadata } from '../../../oauth/endpoints/metadata.ts';
import { openIdMetadata } from '../../../oauth/openid/discovery.ts';
import { message, type Text } from '../../../language/message.ts';
import type { Client } from '../../../projections/clients.ts';
import { usesCertificate } from './protection-locals.ts';

/** A URL that a client library needs. Its name is used in `.env` files. */
export interface EndpointLocals {
  readonly name: string;
  readonly title: Text;
  readonly uri: string;
}

const ENDPOINTS = [
  ['authorization_endpoint', 'endpoint.authorize'],
  ['pushed_authorization_request_endpoint', 'endpoint.pushed'],
  ['device_authorization_endpoint', 'endpoint.device'],
  ['token_endpoint', 'endpoint.token'],
  ['userinfo_endpoint', 'endpoint.userinfo'],
  ['introspection_endpoint', 'endpoint.introspection'],
  ['revocation_endpoint', 'endpoint.revocation'],
  ['jwks_uri', 'endpoint.keys'],
] as const;

/** Settings that the metadata requires, but that do not affect the endpoint URLs. */
const SETTINGS = {
  pkceMethods: [],
  requirePar: false,
  clientDocuments: 'off',
  dynamicRegistration: 'off',
  brandLinks: {},
} as const;

export interface EndpointDeps {
  readonly issuer: () => string;
  readonly certificateSupport: CertificateSupport;
}

/** Returns the URLs of this server that an application needs, as published in the metadata. */
export function endpointsFor(
  client: Pick<Client, 'authentication' | 'security'>,
  { issuer, certificateSupport }: EndpointDeps,
): { readonly issuer: string; readonly endpoints: readonly EndpointLocals[] } {
  const oauthMetadata = authorizationServerMetadata(issuer(), [], plainResources([]), [], SETTINGS);
  const metadata = withCertificateMetadata(openIdMetadata(oauthMetadata, []), certificateSupport);
  const aliases = usesCertificate(client) ? Object.entries(metadata.mtls_endpoint_aliases ?? {}) : [];
  const endpoints = [
    { name: 'issuer', title: message('endpoint.issuer'), uri: metadata.issuer },
    {
      name: 'discovery',
      title: message('endpoint.discovery'),
      uri: `${metadata.issuer}/.well-known/openid-configuration`,
    },
    ...ENDPOINTS.map(([name, key]) => ({ name, title: message(key), uri: metadata[name] })),
    ...ENDPOINTS.flatMap(([name, key]) =>
      aliases
        .filter(([alias]) => alias === name)
        .map(([, uri]) => ({
          name: `mtls_${name}`,
          title: message('endpoint.with-certificate', { endpoint: message(key) }),
          uri,
        })),
    ),
  ];
  return { issuer: metadata.issuer, endpoints };
}
