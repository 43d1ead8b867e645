import { z } from 'zod';
import { SIGNING_ALGORITHMS } from '../../domain/values.ts';
import { toCandidate, truncate, type Candidate } from './entry.ts';

const text = z.string().nullish();
const flag = z.boolean().default(false);
const texts = z.array(z.string()).default([]);

export const keycloakClient = z.looseObject({
  clientId: z.string(),
  name: text,
  description: text,
  rootUrl: text,
  enabled: z.boolean().default(true),
  protocol: z.string().default('openid-connect'),
  clientAuthenticatorType: z.string().default('client-secret'),
  secret: text,
  redirectUris: texts,
  webOrigins: texts,
  bearerOnly: flag,
  publicClient: flag,
  consentRequired: flag,
  standardFlowEnabled: z.boolean().default(true),
  implicitFlowEnabled: flag,
  directAccessGrantsEnabled: flag,
  serviceAccountsEnabled: flag,
  authorizationServicesEnabled: z.boolean().nullish(),
  attributes: z.record(z.string(), z.unknown()).default({}),
  protocolMappers: z.array(z.unknown()).default([]),
});
export type KeycloakClient = z.output<typeof keycloakClient>;

/** Clients that Keycloak creates in each realm. */
const BUILT_IN_CLIENTS = [
  'account',
  'account-console',
  'admin-cli',
  'broker',
  'realm-management',
  'security-admin-console',
];

export function isBuiltInClient({ clientId }: Pick<KeycloakClient, 'clientId'>): boolean {
  return BUILT_IN_CLIENTS.includes(clientId);
}

/** The fields of an entry that describe one aspect of a client. A client is refused if any aspect has a problem. */
interface Aspect {
  readonly fields: object;
  readonly changes?: readonly string[];
  readonly problem?: string | undefined;
}

export function readKeycloakClient(client: KeycloakClient, location: string): Candidate {
  const { clientId: client_id, description, publicClient, consentRequired } = client;
  // A name such as ${client_account} is a key in Keycloak's translations.
  const name = client.name && !client.name.startsWith('${') ? client.name : client_id;
  const aspects = [readGrants(client), readUris(client), readAuthentication(client), readOpenId(client)];
  const candidate = toCandidate(
    location,
    {
      kind: 'application',
      client_id,
      name,
      client_type: publicClient ? 'public' : 'confidential',
      skip_authorization: !consentRequired,
      description: description || null,
      ...readOtherFields(client),
      ...Object.assign({}, ...aspects.map(({ fields }) => fields)),
    },
    [...aspects.flatMap(({ changes = [] }) => changes), ...otherChanges(client)],
  );
  const problem = aspects.find((aspect) => aspect.problem !== undefined)?.problem ?? candidate.problem;
  return problem === null ? candidate : { ...candidate, entry: null, problem: truncate(problem) };
}

function attribute({ attributes }: KeycloakClient, name: string): string | undefined {
  const value = attributes[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

const isOn = (client: KeycloakClient, name: string): boolean => attribute(client, name) === 'true';

function importedGrantTypes(client: KeycloakClient): readonly string[] {
  return [
    ...(client.standardFlowEnabled ? ['authorization-code'] : []),
    ...(client.serviceAccountsEnabled && !client.publicClient ? ['client-credentials'] : []),
    ...(client.directAccessGrantsEnabled ? ['password'] : []),
    ...(isOn(client, 'oauth2.device.authorization.grant.enabled') ? ['device-code'] : []),
  ];
}

function readGrants(client: KeycloakClient): Aspect {
  const grant_types = importedGrantTypes(client);
  const implicitProblem = 'the implicit grant is not supported (RFC 9700 §2.1.2)';
  if (grant_types.length === 0)
    return {
      fields: {},
      problem: client.implicitFlowEnabled
        ? `${implicitProblem}: switch the client to the standard flow with PKCE on the old server first`
        : 'it has no supported grant type: enable a supported flow on the old server first',
    };
  return {
    fields: { grant_types },
    changes: [
      ...(client.implicitFlowEnabled ? [`implicit flow: not imported, because ${implicitProblem}`] : []),
      ...(isOn(client, 'oidc.ciba.grant.enabled') ? ['CIBA: not imported, because it is not supported'] : []),
      ...(isOn(client, 'standard.token.exchange.enabled')
        ? ['token exchange: not imported; see grantlog exchange-policy set']
        : []),
    ],
  };
}

function readUris(client: KeycloakClient): Aspect {
  const redirects = partitionUris(client.redirectUris, client);
  const logoutUris = attribute(client, 'post.logout.redirect.uris')?.split('##') ?? [];
  const logoutRedirects = partitionUris(
    logoutUris.filter((uri) => uri !== '+' && uri !== '-'),
    client,
  );
  const post_logout_redirect_uris = [...(logoutUris.includes('+') ? redirects.exact : []), ...logoutRedirects.exact];
  const origins = client.webOrigins.filter((origin) => origin !== '+' && origin !== '*');
  const redirectOrigins = client.webOrigins.includes('+') ? redirects.exact.flatMap(extractOrigin) : [];
  const patterns = [...redirects.patterns, ...logoutRedirects.patterns];
  const needsRedirectUri = importedGrantTypes(client).includes('authorization-code') && redirects.exact.length === 0;
  return {
    fields: {
      redirect_uris: redirects.exact,
      post_logout_redirect_uris: [...new Set(post_logout_redirect_uris)],
      allowed_origins: [...new Set([...origins, ...redirectOrigins])],
    },
    changes: [
      ...(patterns.length > 0 ? [`redirect URIs that are not exact: not imported (${patterns.join(', ')})`] : []),
      ...(client.webOrigins.includes('*')
        ? ['web origins: * is not imported, because wildcards are not supported']
        : []),
    ],
    problem:
      needsRedirectUri && patterns.length > 0
        ? `none of its redirect URIs is exact (${patterns.join(', ')}): replace them with exact ones on the old ` +
          'server first'
        : undefined,
  };
}

/**
 * Separates exact redirect URIs from patterns. Keycloak allows a trailing * and paths relative to the root URL. This
 * server compares redirect URIs exactly (RFC 9700 §4.1.3).
 */
function partitionUris(uris: readonly string[], { rootUrl }: KeycloakClient) {
  const absoluteUris = uris.map((uri) =>
    uri.startsWith('/') && rootUrl ? `${rootUrl.replace(/\/$/, '')}${uri}` : uri,
  );
  return { exact: absoluteUris.filter(isExactUri), patterns: absoluteUris.filter((uri) => !isExactUri(uri)) };
}

function isExactUri(uri: string): boolean {
  return !uri.includes('*') && !uri.startsWith('/') && !uri.includes('${');
}

function extractOrigin(uri: string): readonly string[] {
  const [origin] = /^https?:\/\/[^/?#]+/.exec(uri) ?? [];
  return origin === undefined ? [] : [origin];
}

function readAuthentication(client: KeycloakClient): Aspect {
  const { publicClient, clientAuthenticatorType: type, secret, clientId } = client;
  if (publicClient) return { fields: {} };
  const command = `grantlog client rotate-secret ${clientId}`;
  if (type === 'client-secret' || type === 'client-secret-jwt') {
    const changes =
      type === 'client-secret' ? [] : ['client_secret_jwt is not supported, so the client must send its secret'];
    if (!secret) return { fields: {}, changes: [...changes, `no secret in the file: create one with ${command}`] };
    // An export from Keycloak's administration pages hides secrets.
    if (/^\*+$/.test(secret))
      return {
        fields: {},
        changes: [
          ...changes,
          `its secret is hidden in the file: create a new one with ${command}, or export with kc.sh export`,
        ],
      };
    return { fields: { client_secret: secret }, changes: [...changes, 'its plain-text secret is stored as a hash'] };
  }
  const jwks_uri = attribute(client, 'jwks.url');
  if (type === 'client-jwt' && isOn(client, 'use.jwks.url') && jwks_uri !== undefined)
    return { fields: { auth_methods: ['private_key_jwt'], jwks_uri } };
  return {
    fields: {},
    problem:
      type === 'client-jwt'
        ? 'it authenticates with a key that the file contains only as a certificate: configure a JWKS URL for the ' +
          'client on the old server first'
        : `its authentication method cannot be imported (${type}): register the client with grantlog client add`,
  };
}

function readOpenId(client: KeycloakClient): Aspect {
  if (!importedGrantTypes(client).some((grant) => ['authorization-code', 'device-code'].includes(grant)))
    return { fields: {} };
  const algorithm = attribute(client, 'id.token.signed.response.alg') ?? 'RS256';
  const logoutUri = attribute(client, 'backchannel.logout.url');
  return {
    fields: {
      id_token_algorithm: algorithm,
      backchannel_logout_uri: logoutUri ?? null,
      backchannel_logout_session_required:
        logoutUri !== undefined && isOn(client, 'backchannel.logout.session.required'),
    },
    changes: [NEW_SUBJECTS],
    problem: SIGNING_ALGORITHMS.some((supported) => supported === algorithm)
      ? undefined
      : `its ID tokens are signed with ${algorithm}, which is not supported: change the algorithm to RS256 on the ` +
        'old server first',
  };
}

const NEW_SUBJECTS =
  'its ID tokens identify users by new ids (sub), so it must find existing users in another way, such as by e-mail ' +
  'address';

function readOtherFields(client: KeycloakClient): object {
  return {
    policy_uri: attribute(client, 'policyUri') ?? null,
    tos_uri: attribute(client, 'tosUri') ?? null,
    ...(isOn(client, 'dpop.bound.access.tokens') && { dpop_bound_access_tokens: true }),
    ...(isOn(client, 'tls.client.certificate.bound.access.tokens') && {
      tls_client_certificate_bound_access_tokens: true,
    }),
    ...(isOn(client, 'require.pushed.authorization.requests') && { require_pushed_authorization_requests: true }),
  };
}

const LIFETIMES = ['access.token.lifespan', 'client.session.max.lifespan', 'client.session.idle.timeout'];

function otherChanges(client: KeycloakClient): readonly string[] {
  return [
    ...(LIFETIMES.some((name) => attribute(client, name) !== undefined)
      ? ['its own token lifetimes: not imported; those in the settings apply']
      : []),
    ...(client.protocolMappers.length > 0 ? ['protocol mappers: not imported; see the scopeClaims setting'] : []),
    ...(client.authorizationServicesEnabled === true
      ? ['authorization services: not imported, because they have no equivalent']
      : []),
    ...(attribute(client, 'logoUri') === undefined ? [] : ['logo: not imported; see grantlog client logo']),
  ];
}
