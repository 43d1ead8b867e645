import { fixedResources } from '../../../oauth/resources/known-resources.ts';
import { authorizationServerMetadata } from '../../../oauth/endpoints/metadata.ts';
import { openIdMetadata } from '../../../oauth/openid/discovery.ts';

/** The addresses that the settings of a client need, each with the name that libraries give it. */
export interface EndpointLocals {
  readonly name: string;
  readonly title: string;
  readonly uri: string;
}

/** They affect no address. */
const SETTINGS = {
  pkceMethods: [],
  requirePar: false,
  clientDocuments: 'off',
  dynamicRegistration: 'off',
} as const;

/** The addresses of this server, as its metadata states them. */
export function endpointsOf(issuer: string): readonly EndpointLocals[] {
  const plain = authorizationServerMetadata(issuer, [], fixedResources([]), [], SETTINGS);
  const metadata = openIdMetadata(plain);
  return [
    { name: 'issuer', title: 'Issuer', uri: metadata.issuer },
    { name: 'discovery', title: 'Discovery', uri: `${issuer}/.well-known/openid-configuration` },
    { name: 'authorization_endpoint', title: 'Authorize', uri: metadata.authorization_endpoint },
    {
      name: 'pushed_authorization_request_endpoint',
      title: 'Pushed requests',
      uri: metadata.pushed_authorization_request_endpoint,
    },
    {
      name: 'device_authorization_endpoint',
      title: 'Device authorization',
      uri: metadata.device_authorization_endpoint,
    },
    { name: 'token_endpoint', title: 'Token', uri: metadata.token_endpoint },
    { name: 'userinfo_endpoint', title: 'Userinfo', uri: metadata.userinfo_endpoint },
    { name: 'introspection_endpoint', title: 'Introspection', uri: metadata.introspection_endpoint },
    { name: 'revocation_endpoint', title: 'Revocation', uri: metadata.revocation_endpoint },
    { name: 'jwks_uri', title: 'Keys (JWKS)', uri: metadata.jwks_uri },
  ];
}
