import { DEFAULT_OPENID, openIdJson } from '../domain/openid-settings.ts';
import { DEFAULT_SECURITY, securityJson } from '../domain/security-settings.ts';
import type { ClientRow } from '../operations/clients.ts';
import { printSections, type CliContext } from './context.ts';
import { formatJson } from './print.ts';

type Row = Readonly<Record<string, unknown>>;

type Sections = readonly (readonly [heading: string, labels: Readonly<Record<string, string>>])[];

/** The members of a client with their labels, by topic. Other members, such as a newer server's, are printed last. */
const SECTIONS: Sections = [
  [
    'Registration',
    {
      client_id: 'client id',
      name: 'name',
      owner: 'first owner',
      client_type: 'type',
      application_type: 'application type',
      mode: 'mode',
      disabled_at: 'disabled since',
      owners: 'owners',
      test_users: 'test users',
      self_registered: 'registered itself',
      registered_at: 'registered',
      last_used_at: 'last used',
      last_used_position: 'position of the last use',
    },
  ],
  [
    'Requests',
    {
      grant_types: 'grant types',
      redirect_uris: 'redirect URIs',
      forbidden_redirect_uris: 'redirect URIs that are refused',
      allowed_origins: 'allowed origins',
      skip_authorization: 'skips the consent page',
      second_factor_required: 'requires a second factor',
      allowed_scopes: 'restricted scopes',
      authorization_details_types: 'authorization detail types',
    },
  ],
  [
    'Authentication',
    {
      auth_methods: 'methods',
      keys: 'public keys',
      jwks_uri: 'publishes its keys at',
      tls_client_auth_subject_dn: 'certificate with the distinguished name',
      tls_client_auth_san_dns: 'certificate with the host name',
      tls_client_auth_san_uri: 'certificate with the URI',
      tls_client_auth_san_ip: 'certificate with the IP address',
      tls_client_auth_san_email: 'certificate with the e-mail address',
      previous_secret_ends_at: 'previous secret works until',
      previous_secret_last_used_at: 'previous secret last used',
      previous_secret_last_used_position: 'position of the last use of the previous secret',
      secret_unsealed: 'secret hash in the log is unencrypted',
    },
  ],
  [
    'Access tokens',
    {
      access_token_format: 'format',
      access_token_algorithm: 'JWT signature',
      dpop_bound_access_tokens: 'bound to a key (DPoP)',
      tls_client_certificate_bound_access_tokens: 'bound to its TLS client certificate',
    },
  ],
  [
    'OpenID Connect',
    {
      id_token_algorithm: 'ID token signature',
      userinfo_algorithm: 'userinfo response signature',
      subject_type: 'user ids',
      sector_identifier_uri: 'sector identifier URI',
      post_logout_redirect_uris: 'post-logout redirect URIs',
      backchannel_logout_uri: 'back-channel logout URI',
      backchannel_logout_session_required: 'logout tokens contain the session id',
      initiate_login_uri: 'login page',
      default_max_age: 'users log in again after (seconds)',
      require_auth_time: 'ID tokens contain the time of the login',
    },
  ],
  [
    'Security',
    {
      profile: 'security profile',
      require_pushed_authorization_requests: 'requests must be pushed (PAR)',
      require_signed_request_object: 'requests must be signed (JAR)',
      request_object_signing_alg: 'request signature',
      request_uris: 'request URIs',
      authorization_signed_response_alg: 'authorization response signature',
      introspection_signed_response_alg: 'introspection response signature',
    },
  ],
  [
    'Presentation',
    {
      description: 'description',
      client_uri: 'website',
      policy_uri: 'privacy policy',
      tos_uri: 'terms of service',
      logo_media_type: 'logo format',
    },
  ],
];

/** The label of each member, for printing individual changes. */
export const CLIENT_LABELS: Readonly<Record<string, string>> = Object.assign(
  {},
  ...SECTIONS.map(([, labels]) => labels),
) as Readonly<Record<string, string>>;

/** The sections with member names as labels, for programs that read the output. */
const UNLABELED_SECTIONS: Sections = SECTIONS.map(([heading, labels]) => [
  heading,
  Object.fromEntries(Object.keys(labels).map((member) => [member, member])),
]);

/** Prints a client, grouped by topic. At a terminal, prints labels, and omits unset members unless `all` is true. */
export async function printClient(
  context: CliContext,
  client: Row,
  { all = false, json }: { readonly json?: true; readonly all?: boolean },
): Promise<void> {
  if (json) return context.terminal.out(formatJson(client));
  const lastUse = { last_used_at: client['last_used_at'] ?? 'never' };
  if (context.terminal.tableWidth === undefined)
    return printSections(context, { ...client, ...lastUse }, UNLABELED_SECTIONS);
  // `owners` includes the first owner.
  const text = { ...client, owner: null, ...formatObjects(client), ...lastUse };
  await printSections(context, all ? text : omitUnset(text), SECTIONS);
  if (!all) context.terminal.err('--all also prints unset fields\n');
}

/** Converts members that are lists of objects to lists of short strings. */
function formatObjects({ keys = [], forbidden_redirect_uris: forbidden = [] }: Partial<ClientRow>) {
  return {
    keys: keys.map(({ kid, thumbprint }) => kid ?? thumbprint),
    forbidden_redirect_uris: forbidden.map(({ redirect_uri: uri, problem }) => `${uri} (${problem})`),
  };
}

const DEFAULTS: Row = { ...openIdJson(DEFAULT_OPENID), ...securityJson(DEFAULT_SECURITY) };

const isUnset = (member: string, value: unknown): boolean =>
  value === false || value === DEFAULTS[member] || (Array.isArray(value) && value.length === 0);

function omitUnset(client: Row): Row {
  const isOpaque = client['access_token_format'] === 'opaque';
  return Object.fromEntries(
    Object.entries(client).filter(
      ([member, value]) => !isUnset(member, value) && !(isOpaque && member === 'access_token_algorithm'),
    ),
  );
}
