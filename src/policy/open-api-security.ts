import type { Policy } from './policy.ts';
import type { Requirement } from './requirements.ts';

/** OpenAPI 3.1 §4.8.30: the names of the required security schemes, with the required scopes. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

/** The names of the security schemes in this server's OpenAPI document. */
export const SCHEME_NAMES = { token: 'accessToken', session: 'webSession' } as const satisfies Record<
  Exclude<Requirement['credential'], 'none'>,
  string
>;

/**
 * The names of the web session cookie. Other hosts cannot set a cookie with the `__Host-` prefix, which requires https.
 */
export const SESSION_COOKIE = { http: 'grantlog', https: '__Host-grantlog' } as const;

/**
 * Returns the requirements of `policy` as OpenAPI security requirements. Returns undefined if the policy allows
 * nobody: the document must then omit the operation, because an empty list would allow everybody.
 */
export function toSecurityRequirements(policy: Policy, method: string): readonly SecurityRequirement[] | undefined {
  const requirements = policy.requirements(method);
  return requirements.length === 0 ? undefined : requirements.map(toSecurityRequirement);
}

function toSecurityRequirement(requirement: Requirement): SecurityRequirement {
  switch (requirement.credential) {
    case 'none':
      return {};
    case 'token':
      return { [SCHEME_NAMES.token]: requirement.scope };
    case 'session':
      return { [SCHEME_NAMES.session]: [] };
  }
}
