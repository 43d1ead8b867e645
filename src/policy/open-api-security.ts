import type { Policy } from './policy.ts';
import type { Requirement } from './requirements.ts';

/** OpenAPI 3.1 §4.8.30: by the name of each security scheme that is needed, the scopes it has to have. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

/** The names under which a document of ours has the credentials that policies know. */
export const SCHEME_NAMES = { token: 'accessToken', session: 'webSession' } as const satisfies Record<
  Exclude<Requirement['credential'], 'none'>,
  string
>;

/** The cookie of a web session; browsers let nobody else set the one that begins with `__Host-`, which needs https. */
export const SESSION_COOKIE = { http: 'grantlog', https: '__Host-grantlog' } as const;

/**
 * What `policy` asks for, in OpenAPI's words. Undefined where it admits nobody: an empty list says that everybody may,
 * so such an operation has to be left out of the document.
 */
export function toSecurityRequirements(policy: Policy, method: string): readonly SecurityRequirement[] | undefined {
  const ways = policy.requirements(method);
  return ways.length === 0 ? undefined : ways.map(toSecurityRequirement);
}

function toSecurityRequirement(way: Requirement): SecurityRequirement {
  switch (way.credential) {
    case 'none':
      return {};
    case 'token':
      return { [SCHEME_NAMES.token]: way.scope };
    case 'session':
    default:
      return { [SCHEME_NAMES.session]: [] };
  }
}
