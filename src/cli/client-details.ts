import { printSections, type CliContext } from './context.ts';

/** The members of a client, by subject. Members that only a newer server knows are printed last. */
const SECTIONS = [
  [
    'Registration',
    [
      'client_id',
      'name',
      'client_type',
      'application_type',
      'mode',
      'disabled_at',
      'owner',
      'owners',
      'test_users',
      'self_registered',
      'registered_at',
      'last_used_at',
      'last_used_position',
    ],
  ],
  [
    'Requests',
    [
      'grant_types',
      'redirect_uris',
      'forbidden_redirect_uris',
      'allowed_origins',
      'skip_authorization',
      'second_factor_required',
      'allowed_scopes',
      'authorization_details_types',
    ],
  ],
  [
    'Authentication',
    [
      'auth_methods',
      'keys',
      'jwks_uri',
      'tls_client_auth_subject_dn',
      'tls_client_auth_san_dns',
      'tls_client_auth_san_uri',
      'tls_client_auth_san_ip',
      'tls_client_auth_san_email',
      'previous_secret_ends_at',
      'previous_secret_last_used_at',
      'previous_secret_last_used_position',
      'secret_unsealed',
    ],
  ],
  [
    'Access tokens',
    [
      'access_token_format',
      'access_token_algorithm',
      'dpop_bound_access_tokens',
      'tls_client_certificate_bound_access_tokens',
    ],
  ],
  [
    'OpenID Connect',
    [
      'id_token_algorithm',
      'userinfo_algorithm',
      'subject_type',
      'sector_identifier_uri',
      'post_logout_redirect_uris',
      'backchannel_logout_uri',
      'backchannel_logout_session_required',
      'initiate_login_uri',
      'default_max_age',
      'require_auth_time',
    ],
  ],
  [
    'Security',
    [
      'profile',
      'require_pushed_authorization_requests',
      'require_signed_request_object',
      'request_object_signing_alg',
      'request_uris',
      'authorization_signed_response_alg',
      'introspection_signed_response_alg',
    ],
  ],
  ['Presentation', ['description', 'client_uri', 'policy_uri', 'tos_uri', 'logo_media_type']],
] as const;

/** Prints a client, grouped by subject. At a terminal, only what is set, unless `all` is true. */
export async function printClient(
  context: CliContext,
  client: Readonly<Record<string, unknown>>,
  { all = context.terminal.tableWidth === undefined, ...options }: { readonly json?: true; readonly all?: boolean },
): Promise<void> {
  if (options.json) return printSections(context, client, SECTIONS, options);
  const text = { ...client, last_used_at: client['last_used_at'] ?? 'never' };
  await printSections(context, all ? text : withoutUnset(text), SECTIONS, options);
  if (!all) context.terminal.err('--all also prints what is not set\n');
}

const isUnset = (value: unknown): boolean => value === false || (Array.isArray(value) && value.length === 0);

function withoutUnset(client: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(client).filter(([, value]) => !isUnset(value)));
}
