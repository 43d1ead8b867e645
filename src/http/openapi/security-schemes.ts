import { needsLogin } from '../../domain/scope.ts';
import { SCHEME_NAMES, type SecurityRequirement } from '../../policy/open-api-security.ts';

/** HTTP Basic. Security schemes cannot describe client credentials in a form, so the form's schema contains them. */
const CLIENT_BASIC = 'clientBasic';
/** A TLS client certificate (RFC 8705 §2). */
export const CLIENT_CERTIFICATE = 'clientCertificate';

/**
 * HTTP Basic, a certificate, or the form. The empty requirement stands for the form, which contains `client_id` and,
 * unless the client is public, a secret or an assertion.
 */
export const CLIENT_AUTHENTICATION: readonly SecurityRequirement[] = [
  { [CLIENT_BASIC]: [] },
  { [CLIENT_CERTIFICATE]: [] },
  {},
];

export interface ServerProperties {
  readonly issuer: string;
  /** The supported values of `grant_type`. */
  readonly grantTypes: readonly string[];
  /** The descriptions of the scopes, by name. */
  readonly scopes: Readonly<Record<string, string>>;
  /** The name of the session cookie that the pages use. */
  readonly sessionCookie: string;
}

export type SecurityScheme =
  | { readonly type: 'oauth2'; readonly description: string; readonly flows: Readonly<Record<string, object>> }
  | { readonly type: 'http'; readonly description: string; readonly scheme: string }
  | { readonly type: 'mutualTLS'; readonly description: string }
  | { readonly type: 'apiKey'; readonly description: string; readonly in: 'cookie'; readonly name: string };

/** Returns this server's security schemes with these names. */
export function securitySchemes(
  server: ServerProperties,
  names: ReadonlySet<string>,
): Readonly<Record<string, SecurityScheme>> {
  const allSchemes: Readonly<Record<string, SecurityScheme>> = {
    [SCHEME_NAMES.token]: {
      type: 'oauth2',
      description: 'An access token in the `Authorization` header (RFC 6750, or RFC 9449 if it is bound to a key).',
      flows: oauthFlows(server),
    },
    [SCHEME_NAMES.session]: {
      type: 'apiKey',
      in: 'cookie',
      name: server.sessionCookie,
      description:
        'A user who is logged in to this server’s pages. Requests that change anything also need the session’s ' +
        'CSRF token, in the `X-CSRF-Token` header.',
    },
    [CLIENT_BASIC]: {
      type: 'http',
      scheme: 'basic',
      description:
        'client_id and client_secret, form-encoded (RFC 6749 §2.3.1). Both may be sent in the form instead. ' +
        'A public client sends only its client_id, in the form. A client with registered keys sends a ' +
        'client_assertion in the form (RFC 7523 §2.2).',
    },
    [CLIENT_CERTIFICATE]: {
      type: 'mutualTLS',
      description:
        'A TLS client certificate, with client_id in the form (RFC 8705 §2): issued by an authority ' +
        '(tls_client_auth), or for a registered key (self_signed_tls_client_auth). If the server accepts ' +
        'certificates at different URLs, the metadata lists these URLs in mtls_endpoint_aliases.',
    },
  };
  return Object.fromEntries(Object.entries(allSchemes).filter(([name]) => names.has(name)));
}

/** Returns the flows of the enabled grant types. OpenAPI 3.1 has no flow for the device grant; 3.2 adds one. */
function oauthFlows({ issuer, grantTypes, scopes }: ServerProperties): Readonly<Record<string, object>> {
  const tokenUrl = `${issuer}/o/token/`;
  const scopesWithoutLogin = Object.fromEntries(Object.entries(scopes).filter(([name]) => !needsLogin(name)));
  const refresh = grantTypes.includes('refresh_token') ? { refreshUrl: tokenUrl } : {};
  const allFlows: Readonly<Record<string, readonly [string, object]>> = {
    authorization_code: [
      'authorizationCode',
      { authorizationUrl: `${issuer}/o/authorize/`, tokenUrl, ...refresh, scopes },
    ],
    client_credentials: ['clientCredentials', { tokenUrl, scopes: scopesWithoutLogin }],
    password: ['password', { tokenUrl, ...refresh, scopes: scopesWithoutLogin }],
  };
  return Object.fromEntries(grantTypes.flatMap((name) => (allFlows[name] === undefined ? [] : [allFlows[name]])));
}
