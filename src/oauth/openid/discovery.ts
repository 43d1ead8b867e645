import { LOGIN_CLASSES } from '../../domain/login.ts';
import { SUBJECT_TYPES } from '../../domain/openid-settings.ts';
import { USER_CLAIMS } from '../../domain/profile.ts';
import { SIGNING_ALGORITHMS } from '../../domain/values.ts';
import { PROMPTS } from '../endpoints/authorization-request.ts';
import type { ServerMetadata } from '../endpoints/metadata.ts';
import { isUrl } from '../../platform/urls.ts';

/** The ID token claims that describe the token itself, the login and the session. */
const PROTOCOL_CLAIMS = ['sub', 'iss', 'aud', 'exp', 'iat', 'nonce', 'at_hash', 'auth_time', 'acr', 'amr', 'sid'];

/**
 * Returns the metadata of this server as an OpenID provider (OpenID Connect Discovery §3), in addition to the metadata
 * of RFC 8414.
 * @param languages the languages of the pages
 */
export function openIdMetadata(metadata: ServerMetadata, languages: readonly string[]) {
  const { issuer } = metadata;
  return {
    ...metadata,
    userinfo_endpoint: `${issuer}/o/userinfo/`,
    end_session_endpoint: `${issuer}/o/logout/`,
    subject_types_supported: SUBJECT_TYPES,
    id_token_signing_alg_values_supported: SIGNING_ALGORITHMS,
    userinfo_signing_alg_values_supported: SIGNING_ALGORITHMS,
    acr_values_supported: LOGIN_CLASSES,
    prompt_values_supported: PROMPTS,
    claim_types_supported: ['normal'],
    claims_supported: [...PROTOCOL_CLAIMS, ...USER_CLAIMS],
    claims_parameter_supported: true,
    ui_locales_supported: languages,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
  };
}

/** The link relation type that identifies the OpenID provider of a user (OpenID Connect Discovery §2). */
const ISSUER_RELATION = 'http://openid.net/specs/connect/1.0/issuer';

/**
 * Returns the response to a WebFinger query (RFC 7033 §4.4). It is the same for every user name, so it does not reveal
 * which accounts exist.
 * @param relations the requested link relation types; empty if all are requested
 * @returns undefined if the resource is not on the issuer's host
 */
export function webFinger(resource: string, relations: readonly string[], issuer: string) {
  if (hostOf(resource) !== new URL(issuer).host) return undefined;
  const isRequested = relations.length === 0 || relations.includes(ISSUER_RELATION);
  return { subject: resource, links: isRequested ? [{ rel: ISSUER_RELATION, href: issuer }] : [] };
}

/**
 * Returns the host, with its port, of a URI such as `acct:ada@host` (RFC 7565) or of a URL, or undefined for any other
 * string.
 */
function hostOf(resource: string): string | undefined {
  const acctMatch = /^acct:[^@]+@([^@/?#\s]+)$/i.exec(resource);
  const url = acctMatch === null ? resource : `https://${acctMatch[1]}`;
  return isUrl(url) ? new URL(url).host : undefined;
}
