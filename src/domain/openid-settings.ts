import type { SigningAlgorithm } from './values.ts';

export const SUBJECT_TYPES = ['public', 'pairwise'] as const;
/**
 * The type of a client's subjects (OpenID Connect Core §8). A user has the same subject for all `public` clients, and
 * a different subject in each sector of `pairwise` clients.
 */
export type SubjectType = (typeof SUBJECT_TYPES)[number];

/** A client's settings for OpenID Connect. */
export interface OpenIdSettings {
  readonly idTokenAlgorithm: SigningAlgorithm;
  /** Null if userinfo responses are plain JSON. */
  readonly userinfoAlgorithm: SigningAlgorithm | null;
  readonly subjectType: SubjectType;
  /**
   * The URL of a document that lists the redirect URIs of a sector (OpenID Connect Core §8.1); null if the client has
   * no such document.
   */
  readonly sectorIdentifierUri: string | null;
  readonly postLogoutRedirectUris: readonly string[];
  /** Null if the client gets no logout tokens. */
  readonly backchannelLogoutUri: string | null;
  /** Whether the client's logout tokens must contain `sid`. */
  readonly backchannelLogoutSessionRequired: boolean;
  /** The URL where third parties can start a login at the client (OpenID Connect Core §4). */
  readonly initiateLoginUri: string | null;
  /** The `max_age` of requests that do not specify one; null if such requests accept a login of any age. */
  readonly defaultMaxAgeSeconds: number | null;
  /** Whether the client's ID tokens must contain `auth_time`. */
  readonly requireAuthTime: boolean;
}

/** The JSON form of the settings, in commands, exports and imported files. */
export interface OpenIdJson {
  readonly id_token_algorithm: SigningAlgorithm;
  readonly userinfo_algorithm: SigningAlgorithm | null;
  readonly subject_type: SubjectType;
  readonly sector_identifier_uri: string | null;
  readonly post_logout_redirect_uris: readonly string[];
  readonly backchannel_logout_uri: string | null;
  readonly backchannel_logout_session_required: boolean;
  readonly initiate_login_uri: string | null;
  /** In seconds. */
  readonly default_max_age: number | null;
  readonly require_auth_time: boolean;
}

/** Converts the settings to their JSON form. */
export function openIdJson(openid: OpenIdSettings): OpenIdJson {
  return {
    id_token_algorithm: openid.idTokenAlgorithm,
    userinfo_algorithm: openid.userinfoAlgorithm,
    subject_type: openid.subjectType,
    sector_identifier_uri: openid.sectorIdentifierUri,
    post_logout_redirect_uris: openid.postLogoutRedirectUris,
    backchannel_logout_uri: openid.backchannelLogoutUri,
    backchannel_logout_session_required: openid.backchannelLogoutSessionRequired,
    initiate_login_uri: openid.initiateLoginUri,
    default_max_age: openid.defaultMaxAgeSeconds,
    require_auth_time: openid.requireAuthTime,
  };
}

/** Converts the JSON form to settings. */
export function openIdFromJson(json: OpenIdJson): OpenIdSettings {
  return {
    idTokenAlgorithm: json.id_token_algorithm,
    userinfoAlgorithm: json.userinfo_algorithm,
    subjectType: json.subject_type,
    sectorIdentifierUri: json.sector_identifier_uri,
    postLogoutRedirectUris: json.post_logout_redirect_uris,
    backchannelLogoutUri: json.backchannel_logout_uri,
    backchannelLogoutSessionRequired: json.backchannel_logout_session_required,
    initiateLoginUri: json.initiate_login_uri,
    defaultMaxAgeSeconds: json.default_max_age,
    requireAuthTime: json.require_auth_time,
  };
}

/** The settings of a new client, unless its registration overrides them. */
export const DEFAULT_OPENID: OpenIdSettings = {
  idTokenAlgorithm: 'RS256',
  userinfoAlgorithm: null,
  subjectType: 'public',
  sectorIdentifierUri: null,
  postLogoutRedirectUris: [],
  backchannelLogoutUri: null,
  backchannelLogoutSessionRequired: false,
  initiateLoginUri: null,
  defaultMaxAgeSeconds: null,
  requireAuthTime: false,
};
