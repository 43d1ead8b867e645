import { MAX_LENGTH } from '../domain/lengths.ts';
import { MAX_DECOMPOSED_LENGTH } from '../domain/normal-form.ts';
import { PROFILE_FIELDS, type ProfileField } from '../domain/profile.ts';

// The maximum lengths of all values that callers send, in UTF-16 code units of the decoded value.
//
// Decoding, normalizing, matching and hashing can take quadratic time, so the readers of parameters, forms, queries,
// paths and headers check the length first. Each reader accepts only the names in its table, so reading a field without
// a limit is a compile error.

/** The OAuth error code for a parameter that is too long. */
type RefusalCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_grant_id'
  | 'invalid_scope'
  | 'invalid_target'
  | 'invalid_authorization_details'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'invalid_request_object'
  | 'invalid_request_uri'
  | 'registration_not_supported';

export interface ParameterLimit {
  readonly max: number;
  /**
   * Null for a value that is looked up or compared. A longer value is cut to one character more than `max`, so it
   * matches nothing. The value then gets the same response, costs the same work and counts toward the same rate limits
   * as any other incorrect value.
   */
  readonly refusal: RefusalCode | null;
}

function refuseLonger(max: number, refusal: RefusalCode = 'invalid_request'): ParameterLimit {
  return { max, refusal };
}

function truncateLonger(max: number): ParameterLimit {
  return { max, refusal: null };
}

/** A user name in decomposed form, before it is normalized. */
const ENTERED_USER_NAME = MAX_LENGTH.userName * MAX_DECOMPOSED_LENGTH;

/** Enough for a JWT with the longest scope. A longer token would not fit in the head of a request. */
const TOKEN = 16_384;

/** The codes of this server have 75 characters, and the refresh tokens have 97. */
const CREDENTIAL = 512;

/** The sealed request of a device. */
const DEVICE_CODE = 16_384;

/** One or more protocol keywords. The URIs of grant types have about 50 characters. */
const KEYWORD = 128;

/** Providers such as Entra put encrypted data into their codes. */
const UPSTREAM_CODE = 4_096;

/** The secret of an invitation link: a client id and other values as JSON, in base64url, with a signature. */
const INVITATION = 4_096;

/** Language tags, separated by spaces. */
const LOCALES = 256;

/** The parameters of the endpoints of OAuth and OpenID Connect. */
export const PARAMETERS = {
  grant_type: refuseLonger(KEYWORD, 'unsupported_grant_type'),
  response_type: refuseLonger(KEYWORD, 'unsupported_response_type'),
  response_mode: refuseLonger(KEYWORD),
  client_id: truncateLonger(MAX_LENGTH.clientId),
  client_secret: truncateLonger(MAX_LENGTH.clientSecret),
  /** An assertion with an RSA signature of 4,096 bits has about 1,200 characters. */
  client_assertion: refuseLonger(8_192, 'invalid_client'),
  client_assertion_type: refuseLonger(KEYWORD),
  /** A JWT from another issuer, with more claims than a client assertion. */
  assertion: refuseLonger(8_192, 'invalid_grant'),
  /** A registered URI, with the port that RFC 8252 lets a client add to a loopback address. */
  redirect_uri: truncateLonger(MAX_LENGTH.redirectUri + ':65535'.length),
  /** Several hundred scope names. */
  scope: refuseLonger(8_192, 'invalid_scope'),
  /** Returned in the URL of the redirect. Browsers and proxies limit the length of a URL. */
  state: refuseLonger(4_096),
  /** With the `plain` method, the challenge is the verifier, which RFC 7636 §4.1 limits to 128 characters. */
  code_challenge: refuseLonger(128),
  code_challenge_method: refuseLonger(KEYWORD),
  /** A thumbprint: 43 characters (RFC 9449 §10). */
  dpop_jkt: refuseLonger(128),
  /** RFC 7636 §4.1 allows 128 characters. Existing clients send up to 256. */
  code_verifier: refuseLonger(256),
  prompt: refuseLonger(KEYWORD),
  /** Ten digits are enough for more than three hundred years. */
  max_age: refuseLonger(16),
  approval_prompt: refuseLonger(KEYWORD),
  /** Recorded with the code, and returned in the ID token. Libraries send 43 characters. */
  nonce: refuseLonger(512),
  /** `CLAIMS_BOUNDS` also limits the depth and the number of members. */
  claims: refuseLonger(4_096),
  /** `requestedDetails` also limits the depth and the number of members (RFC 9396 §2). */
  authorization_details: refuseLonger(4_096, 'invalid_authorization_details'),
  id_token_hint: refuseLonger(TOKEN),
  post_logout_redirect_uri: refuseLonger(MAX_LENGTH.redirectUri),
  logout_hint: refuseLonger(ENTERED_USER_NAME),
  /** A user name, or an e-mail address. */
  login_hint: refuseLonger(ENTERED_USER_NAME),
  acr_values: refuseLonger(KEYWORD),
  ui_locales: refuseLonger(LOCALES),
  claims_locales: refuseLonger(LOCALES),
  display: refuseLonger(KEYWORD),
  /** A signed request object. */
  request: refuseLonger(TOKEN, 'invalid_request_object'),
  /** A URI from this server contains the sealed request: see `MAX_REQUEST_URI_LENGTH`. */
  request_uri: refuseLonger(6_144, 'invalid_request_uri'),
  /** Always refused. */
  registration: refuseLonger(TOKEN, 'registration_not_supported'),
  /** The seal of the login that the request required: see `LoginSeal`. */
  continuation: refuseLonger(CREDENTIAL),
  /** Twice the length that the `resources` setting allows. */
  resource: refuseLonger(512, 'invalid_target'),
  grant_management_action: refuseLonger(KEYWORD),
  /** This server's grant ids have 22 characters. */
  grant_id: refuseLonger(128, 'invalid_grant_id'),
  audience: refuseLonger(512, 'invalid_target'),
  username: truncateLonger(ENTERED_USER_NAME),
  password: truncateLonger(MAX_LENGTH.password),
  code: truncateLonger(CREDENTIAL),
  device_code: truncateLonger(DEVICE_CODE),
  refresh_token: truncateLonger(CREDENTIAL),
  token: truncateLonger(TOKEN),
  subject_token: truncateLonger(TOKEN),
  subject_token_type: refuseLonger(KEYWORD),
  actor_token: truncateLonger(TOKEN),
  actor_token_type: refuseLonger(KEYWORD),
  requested_token_type: refuseLonger(KEYWORD),
  access_token: truncateLonger(TOKEN),
} as const satisfies Readonly<Record<string, ParameterLimit>>;

export type ParameterName = keyof typeof PARAMETERS;

/** Separate checks give some of these fields lower limits. */
const PROFILE = Object.fromEntries(PROFILE_FIELDS.map((name) => [name, MAX_LENGTH.profileText])) as Readonly<
  Record<ProfileField, number>
>;

/** The form fields of the pages and of the sample API. */
export const FORM_FIELDS = {
  /** 43 characters of base64url. */
  csrf_token: 64,
  domain: 253,
  language: KEYWORD,
  group_name: MAX_LENGTH.groupName * MAX_DECOMPOSED_LENGTH,
  group_title: MAX_LENGTH.groupName * MAX_DECOMPOSED_LENGTH,
  rule: KEYWORD,
  /** The token of the set-up link, or of a link in an e-mail, which may contain an e-mail address. */
  token: 2_048,
  /** The URL at which the browser continues, such as an authorization request. It must fit in the head of a request. */
  next: 16_384,
  username: ENTERED_USER_NAME,
  password: MAX_LENGTH.password,
  current_password: MAX_LENGTH.password,
  new_password: MAX_LENGTH.password,
  email: MAX_LENGTH.email,
  first_name: MAX_LENGTH.personName,
  last_name: MAX_LENGTH.personName,
  ...PROFILE,
  /** The name of an application or of a passkey. */
  name: MAX_LENGTH.applicationName,
  /** A WebAuthn response as JSON: a credential id, a key and a signature in base64url. */
  answer: 16_384,
  /** Six digits or a recovery code of 19 characters, and possibly spaces. */
  code: 64,
  recovery_code: 64,
  /** A sealed authorization request: its parameters as JSON, in base64url. */
  request: 49_152,
  allow: 64,
  /** A scope that the user allows; `leave_out` contains one that the user does not allow. Both can be repeated. */
  scope: 1_024,
  leave_out: 1_024,
  application_kind: 64,
  presentation: 64,
  description: MAX_LENGTH.applicationDescription,
  homepage_uri: MAX_LENGTH.redirectUri,
  policy_uri: MAX_LENGTH.redirectUri,
  tos_uri: MAX_LENGTH.redirectUri,
  client_type: 64,
  authorization_grant_type: 64,
  access_token_format: 64,
  access_token_algorithm: 64,
  access_token_lifetime: 16,
  resource_uri: MAX_LENGTH.resourceUri,
  /** One line for each scope, with its description. */
  resource_scopes: 50 * (MAX_LENGTH.scopeName + MAX_LENGTH.scopeDescription + 3),
  publish_metadata: 64,
  /** The types of authorization details, as JSON. */
  detail_types: MAX_LENGTH.detailTypes,
  introspection_client: MAX_LENGTH.clientId,
  /** The leaked token or code, or the id of another leaked source. */
  source: TOKEN,
  source_kind: 64,
  /** A past moment: a time with its time zone, or a log position. */
  time: 256,
  time_zone: 64,
  position: 16,
  exchange_client: MAX_LENGTH.clientId,
  exchange_subject: MAX_LENGTH.clientId,
  exchange_mode: 64,
  /** One scope or resource server per line. */
  exchange_scope: 50 * (MAX_LENGTH.scopeName + 2),
  exchange_resources: 50 * (MAX_LENGTH.resourceUri + 2),
  trust_issuer: MAX_LENGTH.issuer,
  /** One audience per line. The other lists of a trusted issuer also have one entry per line. */
  trust_audience: 50 * (MAX_LENGTH.issuer + 2),
  trust_use: 64,
  trust_claims: 50 * (2 * MAX_LENGTH.claim + 3),
  trust_mapping: 64,
  trust_name_claim: MAX_LENGTH.claim,
  trust_users: 200 * (MAX_LENGTH.foreignSubject + ENTERED_USER_NAME + 3),
  trust_clients: 50 * (MAX_LENGTH.clientId + 2 * MAX_LENGTH.claim + 4),
  trust_scope: 50 * (MAX_LENGTH.scopeName + 2),
  trust_resources: 50 * (MAX_LENGTH.resourceUri + 2),
  trust_token_lifetime: 16,
  trust_assertion_age: 16,
  provider_id: 64,
  provider_preset: 64,
  provider_name: 255,
  provider_issuer: MAX_LENGTH.redirectUri,
  /** One tenant per line. The other lists of a provider also have one entry per line. */
  provider_tenants: 4_096,
  provider_client_id: 512,
  provider_authentication: 64,
  provider_secret: 1_024,
  provider_scopes: 8_192,
  provider_linking: 64,
  provider_option: 64,
  provider_state: 16,
  provider_domains: 16_384,
  setting_value: 65_536,
  setting_unit: 64,
  /** The algorithm of a new signing key. `key_start` determines when new keys start signing. */
  key_algorithm: 64,
  key_start: 64,
  /** The hash of a session to end: 43 characters of base64url. */
  session_hash: 64,
  brand_name: MAX_LENGTH.brandName,
  brand_color: 64,
  brand_color_dark: 64,
  brand_support: MAX_LENGTH.brandLink,
  brand_privacy: MAX_LENGTH.brandLink,
  brand_terms: MAX_LENGTH.brandLink,
  brand_scheme: 64,
  /** One custom text in one language. */
  own_text_en: MAX_LENGTH.customText,
  own_text_de: MAX_LENGTH.customText,
  scope_name: MAX_LENGTH.scopeName,
  scope_description: 1_024,
  scope_icon: 64,
  scope_sensitivity: 64,
  provider_groups_claim: 512,
  provider_roles: 16_384,
  provider_groups: 16_384,
  provider_second_factor: 16_384,
  second_factor: 64,
  /** Marks a form that has the fields for OpenID Connect. */
  openid: 64,
  id_token_algorithm: 64,
  userinfo_algorithm: 64,
  subject_type: 64,
  sector_identifier_uri: MAX_LENGTH.redirectUri,
  backchannel_logout_uri: MAX_LENGTH.redirectUri,
  initiate_login_uri: MAX_LENGTH.redirectUri,
  /** In seconds. */
  default_max_age: 16,
  openid_requirement: 64,
  /** Marks a form that has the fields for the protection of tokens and messages. */
  security: 64,
  security_profile: 64,
  token_binding: 64,
  request_requirement: 64,
  request_object_algorithm: 64,
  request_uris: MAX_LENGTH.uris + 2_000,
  authorization_response_algorithm: 64,
  introspection_algorithm: 64,
  auth_method: 64,
  tls_subject_kind: 64,
  /** A distinguished name, or a name of another kind: see `tls_subject_kind`. */
  tls_subject: 1_024,
  /** Public keys as JWKs or in PEM format: ten RSA keys of 8,192 bits have 14,000 characters. */
  client_keys: 32_768,
  jwks_uri: MAX_LENGTH.redirectUri,
  /** The URIs, with line ends and blank lines between them. */
  redirect_uris: MAX_LENGTH.uris + 2_000,
  builtin_callback: 64,
  allowed_origins: MAX_LENGTH.uris + 2_000,
  /** Whether an application may request only certain types of authorization details: `allowed_detail_types`. */
  detail_type_limit: 64,
  allowed_detail_types: 20 * (MAX_LENGTH.detailType + 2),
  post_logout_redirect_uris: MAX_LENGTH.uris + 2_000,
  /** Identifies a form, so that resubmissions are recognized: one or two parts of 22 characters of base64url. */
  form_id: 64,
  /** Whether the administrator has confirmed the change on the confirmation page. */
  confirmed: KEYWORD,
  /** A keyword for the remaining lifetime of the old client secret. */
  old_secret: 64,
  restricted_scope: 64,
  skip_authorization: 64,
  role: 64,
  member_role: 64,
  /** The id of a user to add to a group. */
  new_member: 64,
  mode: 64,
  invitation: INVITATION,
} as const satisfies Readonly<Record<string, number>>;

export type FieldName = keyof typeof FORM_FIELDS;

/** A log position or a count, which has at most fifteen digits. */
const NUMBER = 16;
/** A time, an event type or a format. An invalid value of up to this length gets an error next to its field. */
const SHORT_TEXT = 256;

/** The query fields of the pages, the sample API and the event log. */
export const QUERY_FIELDS = {
  token: FORM_FIELDS.token,
  invitation: INVITATION,
  next: FORM_FIELDS.next,
  login_hint: ENTERED_USER_NAME,
  /** A search term: part of a name. */
  q: 150,
  page: NUMBER,
  limit: NUMBER,
  retired: 16,
  /** Whether to list only settings that differ from their defaults. */
  changed: 16,
  /** Whether to list only the texts that the operator has replaced. */
  own: 16,
  after: NUMBER,
  from: NUMBER,
  position: NUMBER,
  time: SHORT_TEXT,
  /** The time zone of the times in a form. */
  time_zone: 64,
  since: SHORT_TEXT,
  until: SHORT_TEXT,
  type: SHORT_TEXT,
  user: ENTERED_USER_NAME,
  client: MAX_LENGTH.clientId,
  /** The thumbprint of a key. */
  key: SHORT_TEXT,
  /** The hash of a session. */
  session: SHORT_TEXT,
  /** The id of a grant, or the name of its stream. */
  grant: SHORT_TEXT,
  /** A scope name. */
  scope: FORM_FIELDS.scope,
  format: SHORT_TEXT,
  view: 64,
  /** Determines the initial values of a form. */
  preset: 64,
  /** The column by which a list is sorted. */
  sort: 64,
  /** A position in a list: the sort key and the id of an item as JSON, in base64url. */
  cursor: 4_096,
  /** Filters of lists. */
  status: 64,
  role: 64,
  two_step: 64,
  client_type: 64,
  mode: 64,
  owner: 64,
  requested_by: 64,
  /** The version of a logo: a log position. */
  v: NUMBER,
  /** The accent colors of a brand preview. */
  light: SHORT_TEXT,
  dark: SHORT_TEXT,
  /** Eight letters, with separators. */
  user_code: 64,
  /** The language of the example requests or of the example e-mail. */
  language: SHORT_TEXT,
  /** The name of an example e-mail. */
  mail: 64,
  /** The response to an authorization request, on the built-in callback page, or from a provider. */
  code: UPSTREAM_CODE,
  error: SHORT_TEXT,
  /** The state that this server sent to a provider: 43 characters. */
  state: 512,
  /** The issuer of a provider. */
  iss: MAX_LENGTH.redirectUri,
  /** The response to an authorization request as a JWT (JARM). */
  response: 8_192,
  /** The URI of a user (RFC 7033). */
  resource: 1_024,
  /** A link relation (RFC 7033). */
  rel: SHORT_TEXT,
} as const satisfies Readonly<Record<string, number>>;

export type QueryName = keyof typeof QUERY_FIELDS;

/** The parameters in the paths of routes. */
export const PATH_PARAMETERS = {
  /** The id of a client, a passkey, a grant or a session. */
  id: MAX_LENGTH.clientId,
  /** The id of a user. */
  pk: NUMBER,
  /** The id of a group. */
  group: NUMBER,
  username: ENTERED_USER_NAME,
  /** The name of a group. */
  name: SHORT_TEXT,
  /** The URI of a resource server, or of a trusted issuer. */
  uri: MAX_LENGTH.redirectUri,
  domain: FORM_FIELDS.domain,
  provider: 64,
  grant: 64,
  /** The id of a client below the URL of a user. */
  client: MAX_LENGTH.clientId,
  /** The thumbprint of a key: 43 characters of base64url. */
  key: 64,
  /** Identifies the page that shows a secret once: 22 characters of base64url. */
  page: 64,
  position: NUMBER,
  /** The id of a request: 22 characters of base64url. */
  request: 64,
  setting: 64,
  /** The key of a text in the catalog. */
  text: MAX_LENGTH.textKey,
  /** The language of the text. */
  language: 64,
} as const satisfies Readonly<Record<string, number>>;

export type PathParameter = keyof typeof PATH_PARAMETERS;

/** For an encoded path. The longest paths contain a URL of 512 characters with every character percent-encoded. */
export const MAX_PATH_LENGTH = 2_048;
/** For an encoded path with its query. Node's default limit for the whole head of a request is the same. */
export const MAX_TARGET_LENGTH = 16_384;

/**
 * The headers that the server or one of its libraries reads. These limits are needed because an application that embeds
 * the server can raise Node's own limit.
 */
export const HEADERS = {
  authorization: TOKEN,
  /** Includes the cookies of other applications on the same host. */
  cookie: 16_384,
  accept: 4_096,
  'accept-encoding': 1_024,
  'access-control-request-method': 64,
  'cache-control': 1_024,
  /** Leaves room for RSA keys of 8,192 bits and many names, in the encoding of RFC 9440. */
  'client-cert': 8_192,
  'client-cert-chain': 16_384,
  'content-encoding': 256,
  /** A proof with an RSA key of 8,192 bits has about 4,000 characters. */
  dpop: 8_192,
  'content-length': 32,
  'content-type': 1_024,
  'if-match': 1_024,
  'if-modified-since': 64,
  'if-none-match': 4_096,
  'last-event-id': 64,
  origin: 1_024,
  'sec-fetch-site': 64,
  'transfer-encoding': 256,
  'user-agent': 4_096,
  /** One entry for each proxy. */
  forwarded: 4_096,
  via: 4_096,
  'x-forwarded-for': 4_096,
  'x-real-ip': 256,
  'x-csrf-token': FORM_FIELDS.csrf_token,
} as const satisfies Readonly<Record<string, number>>;

export type HeaderName = keyof typeof HEADERS;

/** Strings in the input of operations: from the command line, the control socket, the management API and files. */
export const OPERATION_TEXTS = {
  userName: ENTERED_USER_NAME,
  /** Text that a separate check limits more strictly, with a better error message. */
  checkedText: 16_384,
  clientId: MAX_LENGTH.clientId,
  /** A scope name. */
  scope: FORM_FIELDS.scope,
  /** An `X-Request-Id` has 22 characters. */
  requestId: 64,
  /** A log position, a token or a code. */
  subject: TOKEN,
  settingName: 64,
  textKey: MAX_LENGTH.textKey,
  ownText: MAX_LENGTH.customText,
  /** A list of scopes or resource servers as JSON. */
  setting: 65_536,
  detailTypes: MAX_LENGTH.detailTypes,
  /** A JWK set: ten RSA keys of 8,192 bits have 14,000 characters, not counting certificates, which are ignored. */
  jwks: 65_536,
  passwordHash: 1_024,
  /** Text from a file to import that is only displayed, not imported. */
  displayedText: 1_024,
} as const satisfies Readonly<Record<string, number>>;

/** Cuts a text that is longer than `max` to one character more than `max`, which is still too long to be valid. */
export function truncate(text: string, max: number): string {
  return text.length > max ? text.slice(0, max + 1) : text;
}
