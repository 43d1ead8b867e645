import { SCHEME_NAMES, type SecurityRequirement } from '../../policy/open-api-security.ts';

/** Clients at the endpoints of theirs. OpenAPI has no words for credentials in a form: those are in the form's schema. */
const CLIENT_BASIC = 'clientBasic';

/** HTTP Basic; or `client_id`, with `client_secret` unless the client is a public one, in the form. */
export const CLIENT_AUTHENTICATION: readonly SecurityRequirement[] = [{ [CLIENT_BASIC]: [] }, {}];

export interface SecurityFacts {
  readonly issuer: string;
  /** As `grant_type` has them. */
  readonly grantTypes: readonly string[];
  /** What each lets a token do. */
  readonly scopes: Readonly<Record<string, string>>;
  /** The cookie of a log-in on the pages. */
  readonly sessionCookie: string;
}

export type SecurityScheme =
  | { readonly type: 'oauth2'; readonly description: string; readonly flows: Readonly<Record<string, object>> }
  | { readonly type: 'http'; readonly description: string; readonly scheme: string }
  | { readonly type: 'apiKey'; readonly description: string; readonly in: 'cookie'; readonly name: string };

/** The schemes that are `used`, with the endpoints of this very server. */
export function securitySchemes(
  facts: SecurityFacts,
  used: ReadonlySet<string>,
): Readonly<Record<string, SecurityScheme>> {
  const all: Readonly<Record<string, SecurityScheme>> = {
    [SCHEME_NAMES.token]: {
      type: 'oauth2',
      description: 'An access token in the `Authorization` header (RFC 6750).',
      flows: flows(facts),
    },
    [SCHEME_NAMES.session]: {
      type: 'apiKey',
      in: 'cookie',
      name: facts.sessionCookie,
      description:
        'A person logged in on the pages; what changes something needs the CSRF token of the session in `X-CSRF-Token`, too.',
    },
    [CLIENT_BASIC]: {
      type: 'http',
      scheme: 'basic',
      description:
        'client_id and client_secret, form-encoded (RFC 6749 §2.3.1). They may be in the form instead; a public client sends its client_id there alone.',
    },
  };
  return Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name)));
}

function flows({ issuer, grantTypes, scopes }: SecurityFacts): Readonly<Record<string, object>> {
  const tokenUrl = `${issuer}/o/token/`;
  const refresh = grantTypes.includes('refresh_token') ? { refreshUrl: tokenUrl } : {};
  const all: Readonly<Record<string, readonly [string, object]>> = {
    authorization_code: [
      'authorizationCode',
      { authorizationUrl: `${issuer}/o/authorize/`, tokenUrl, ...refresh, scopes },
    ],
    client_credentials: ['clientCredentials', { tokenUrl, scopes }],
    password: ['password', { tokenUrl, ...refresh, scopes }],
  };
  return Object.fromEntries(grantTypes.flatMap((name) => (all[name] === undefined ? [] : [all[name]])));
}
