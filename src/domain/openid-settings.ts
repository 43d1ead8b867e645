import type { SigningAlgorithm } from './values.ts';

export const SUBJECT_TYPES = ['public', 'pairwise'] as const;
/** OpenID Connect Core §8: whether all clients see the same subject of a user, or each sector its own. */
export type SubjectType = (typeof SUBJECT_TYPES)[number];

/** A client's settings for OpenID Connect. */
export interface OpenIdSettings {
  readonly idTokenAlgorithm: SigningAlgorithm;
  /** Null for userinfo as plain JSON. */
  readonly userinfoAlgorithm: SigningAlgorithm | null;
  readonly subjectType: SubjectType;
  /** Names the redirect URIs that share pairwise subjects (Core §8.1). */
  readonly sectorIdentifierUri: string | null;
  readonly postLogoutRedirectUris: readonly string[];
  /** Null if the client gets no logout tokens. */
  readonly backchannelLogoutUri: string | null;
  /** Whether its logout tokens must contain `sid`. */
  readonly backchannelLogoutSessionRequired: boolean;
  /** Where others can start a login at the client (Core §4). */
  readonly initiateLoginUri: string | null;
  /** The `max_age` of requests that have none. */
  readonly defaultMaxAgeSeconds: number | null;
  /** Whether its ID tokens must contain `auth_time`. */
  readonly requireAuthTime: boolean;
}

/** What a new client gets unless its registration says otherwise. */
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
