import type { Authentication, Login, SecondFactor } from './events.ts';
import type { Scope } from './scope.ts';
import { unreachable, type EpochSeconds, type PasskeyId } from './values.ts';

/**
 * The login classes (`acr`), from weakest to strongest. `pwd` is a password, or a login through a provider, whose
 * strength is not known here. `mfa` adds a second factor. `phr` is phishing-resistant: a passkey, with or without a
 * password.
 */
export const LOGIN_CLASSES = ['pwd', 'mfa', 'phr'] as const;
export type LoginClass = (typeof LOGIN_CLASSES)[number];

/** How the user authenticated. */
export type LoginMethod = 'password' | 'second-factor' | 'passkey' | 'provider';

/**
 * The methods and class of each kind of login, in RFC 8176 terms. Signing up and using a set-up link count as
 * `password`, because both set a password. `fed`, which is common but not registered, is a login through a provider.
 */
const METHODS = {
  password: { amr: ['pwd'], acr: 'pwd' },
  /** Passkeys prove possession of a key, and require the authenticator to verify the user. */
  passkey: { amr: ['pop', 'user'], acr: 'phr' },
  passwordAndCode: { amr: ['pwd', 'otp', 'mfa'], acr: 'mfa' },
  passwordAndPasskey: { amr: ['pwd', 'pop', 'user', 'mfa'], acr: 'phr' },
  provider: { amr: ['fed'], acr: 'pwd' },
  providerWithSecondFactor: { amr: ['fed', 'mfa'], acr: 'mfa' },
  providerAndCode: { amr: ['fed', 'otp', 'mfa'], acr: 'mfa' },
  providerAndPasskey: { amr: ['fed', 'pop', 'user', 'mfa'], acr: 'phr' },
} as const satisfies Readonly<Record<string, { readonly amr: readonly string[]; readonly acr: LoginClass }>>;

type FirstFactorMembers<Factor extends Authentication> = Factor extends { readonly method: 'passkey' }
  ? never
  : Omit<Factor, 'authenticatedAt' | 'checkedAsOf' | 'secondFactor'>;

/** The first step of a login that a second step can follow: any method except a passkey. */
export type FirstFactor = FirstFactorMembers<Authentication>;

/** Copies the members of a first factor from an object that may have more. */
export function firstFactorOf(presented: FirstFactor): FirstFactor {
  if (presented.method !== 'upstream') return { method: presented.method };
  const { method, providerId, subjectHash, hasSecondFactor } = presented;
  return { method, providerId, subjectHash, ...(hasSecondFactor === true && { hasSecondFactor }) };
}

/** Returns the login that started a session, or undefined if an earlier release started it without recording how. */
export function sessionLogin(sessionHash: string, authentication: Authentication | undefined): Login | undefined {
  if (authentication === undefined) return undefined;
  const { amr, acr } = methodOf(authentication);
  return { sessionHash, authTime: authentication.authenticatedAt, amr, acr };
}

/** Returns how the user authenticated. */
export function loginMethod({ amr }: Login): LoginMethod {
  if (amr.includes('fed')) return 'provider';
  if (amr.includes('mfa')) return 'second-factor';
  return amr.includes('pwd') ? 'password' : 'passkey';
}

/**
 * Reports whether a login of the class `acr` is at least as strong as the class `minimum`. Returns false for unknown
 * classes.
 */
export function isAtLeast(acr: string, minimum: string): boolean {
  const classes: readonly string[] = LOGIN_CLASSES;
  return classes.includes(minimum) && classes.indexOf(acr) >= classes.indexOf(minimum);
}

/**
 * Reports whether the user presented a second factor. A passkey counts as one, because it also verifies the user.
 */
export function usedSecondFactor(login: Login | undefined): boolean {
  return login !== undefined && isAtLeast(login.acr, 'mfa');
}

/** Returns the passkey that the user authenticated with, alone or as a second factor, if any. */
export function usedPasskey(authentication: Authentication): PasskeyId | null {
  if (authentication.method === 'passkey') return authentication.passkeyId;
  const { secondFactor } = authentication;
  return secondFactor?.method === 'passkey' ? secondFactor.passkeyId : null;
}

/** Returns the login of a user whose password a client sent (RFC 6749 §4.3), which starts no session. */
export function passwordLogin(authTime: EpochSeconds): Login {
  const { amr, acr } = METHODS.password;
  return { sessionHash: null, authTime, amr, acr };
}

/**
 * Reports whether a grant ends when its login session ends. This applies to OpenID Connect grants without
 * `offline_access` (OpenID Connect Core §11) that the user gave in a session.
 */
export function endsWithSession<Grant extends { readonly scope: Scope; readonly login?: Login | undefined }>(
  grant: Grant,
): grant is Grant & { readonly login: Login & { readonly sessionHash: string } } {
  const { scope, login } = grant;
  if (login === undefined || login.sessionHash === null) return false;
  return scope.includes('openid') && !scope.includes('offline_access');
}

type Method = (typeof METHODS)[keyof typeof METHODS];

function methodOf(authentication: Authentication): Method {
  switch (authentication.method) {
    case 'password':
    case 'sign-up':
    case 'set-up-link':
      return authentication.secondFactor === undefined ? METHODS.password : passwordWith(authentication.secondFactor);
    case 'passkey':
      return METHODS.passkey;
    case 'upstream': {
      const { secondFactor, hasSecondFactor } = authentication;
      if (secondFactor?.method === 'passkey') return METHODS.providerAndPasskey;
      if (secondFactor !== undefined) return METHODS.providerAndCode;
      return hasSecondFactor === true ? METHODS.providerWithSecondFactor : METHODS.provider;
    }
    default:
      return unreachable(authentication);
  }
}

function passwordWith({ method }: SecondFactor): Method {
  return method === 'passkey' ? METHODS.passwordAndPasskey : METHODS.passwordAndCode;
}
