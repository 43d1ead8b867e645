import type { Authentication, Login } from './events.ts';
import type { Scope } from './scope.ts';
import { unreachable, type EpochSeconds } from './values.ts';

/** The classes of logins (`acr`), from weaker to stronger. `phr` is phishing-resistant: a passkey. */
export const LOGIN_CLASSES = ['pwd', 'phr'] as const;
export type LoginClass = (typeof LOGIN_CLASSES)[number];

/** How the user authenticated, in one word. */
export type LoginMethod = 'password' | 'passkey';

/** How a user authenticated, in the terms of RFC 8176. Signing up and the set-up link set a password. */
const METHODS = {
  password: { amr: ['pwd'], acr: 'pwd' },
  /** Passkeys prove possession of a key, and require that the authenticator verifies the user. */
  passkey: { amr: ['pop', 'user'], acr: 'phr' },
} as const satisfies Readonly<Record<string, { readonly amr: readonly string[]; readonly acr: LoginClass }>>;

/** The login that started a session; undefined if an earlier release started it and did not record how. */
export function sessionLogin(sessionHash: string, authentication: Authentication | undefined): Login | undefined {
  if (authentication === undefined) return undefined;
  const { amr, acr } = methodOf(authentication);
  return { sessionHash, authTime: authentication.authenticatedAt, amr, acr };
}

/** How the user authenticated. */
export function loginMethod({ amr }: Login): LoginMethod {
  return amr.includes('pwd') ? 'password' : 'passkey';
}

/** The login of a user whose password a client sent (RFC 6749 §4.3), which starts no session. */
export function passwordLogin(authTime: EpochSeconds): Login {
  const { amr, acr } = METHODS.password;
  return { sessionHash: null, authTime, amr, acr };
}

/**
 * Whether a grant ends with the session of its login: one for OpenID Connect without `offline_access` (OpenID Connect
 * Core §11), which the user gave in a session.
 */
export function endsWithSession<Grant extends { readonly scope: Scope; readonly login?: Login | undefined }>(
  grant: Grant,
): grant is Grant & { readonly login: Login & { readonly sessionHash: string } } {
  const { scope, login } = grant;
  if (login === undefined || login.sessionHash === null) return false;
  return scope.includes('openid') && !scope.includes('offline_access');
}

function methodOf({ method }: Authentication): (typeof METHODS)[keyof typeof METHODS] {
  switch (method) {
    case 'password':
    case 'sign-up':
    case 'set-up-link':
      return METHODS.password;
    case 'passkey':
      return METHODS.passkey;
    default:
      return unreachable(method);
  }
}
