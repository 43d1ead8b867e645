import type { Authentication, Login, SecondFactor } from './events.ts';
import type { Scope } from './scope.ts';
import { unreachable, type EpochSeconds, type PasskeyId } from './values.ts';

/**
 * The login classes (`acr`), from weakest to strongest. `pwd` is a login with a password, or through a provider that
 * reports no accepted second factor. `mfa` adds a second factor. `phr` is phishing-resistant: a login with a passkey,
 * alone or as the second factor.
 */
export const LOGIN_CLASSES = ['pwd', 'mfa', 'phr'] as const;
export type LoginClass = (typeof LOGIN_CLASSES)[number];

/** The method with which the user authenticated. */
export type LoginMethod = 'password' | 'second-factor' | 'passkey' | 'provider';

/**
 * The methods (`amr`, RFC 8176) and class (`acr`) of each kind of login. Signing up and using a set-up link count as
 * `password`, because both set a password. `fed` means a login through a provider; the value is common, but not
 * registered.
 */
const KINDS = {
  password: { amr: ['pwd'], acr: 'pwd' },
  /** A login with a passkey proves possession of a key and requires the authenticator to verify the user. */
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

/** A first factor that a second factor can follow: any method except a passkey. */
export type FirstFactor = FirstFactorMembers<Authentication>;

/** Returns a copy of the first factor without any additional members, such as a second factor. */
export function firstFactorOf(factor: FirstFactor): FirstFactor {
  if (factor.method !== 'upstream') return { method: factor.method };
  const { method, providerId, subjectHash, hasSecondFactor } = factor;
  return { method, providerId, subjectHash, ...(hasSecondFactor === true && { hasSecondFactor }) };
}

/** Returns the login that started a session, or undefined if an earlier release did not record the login. */
export function sessionLogin(sessionHash: string, authentication: Authentication | undefined): Login | undefined {
  if (authentication === undefined) return undefined;
  const { amr, acr } = kindOf(authentication);
  return { sessionHash, authTime: authentication.authenticatedAt, amr, acr };
}

/** Returns the method with which the user authenticated. */
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
 * Reports whether the user presented a second factor, to this server or to a provider. A passkey alone counts as a
 * second factor, because the authenticator also verifies the user.
 */
export function usedSecondFactor(login: Login | undefined): boolean {
  return login !== undefined && isAtLeast(login.acr, 'mfa');
}

/** Returns the passkey that the user presented, alone or as a second factor, or null if the user presented none. */
export function authenticationPasskey(authentication: Authentication): PasskeyId | null {
  if (authentication.method === 'passkey') return authentication.passkeyId;
  const { secondFactor } = authentication;
  return secondFactor?.method === 'passkey' ? secondFactor.passkeyId : null;
}

/** Returns the login of a user whose password a client sent (RFC 6749 §4.3). Such a login starts no session. */
export function passwordLogin(authTime: EpochSeconds): Login {
  const { amr, acr } = KINDS.password;
  return { sessionHash: null, authTime, amr, acr };
}

/**
 * Reports whether a grant ends when its login session ends. An OpenID Connect grant without `offline_access` (OpenID
 * Connect Core §11) does if the user authorized the client in a session.
 */
export function endsWithSession<Grant extends { readonly scope: Scope; readonly login?: Login | undefined }>(
  grant: Grant,
): grant is Grant & { readonly login: Login & { readonly sessionHash: string } } {
  const { scope, login } = grant;
  if (login === undefined || login.sessionHash === null) return false;
  return scope.includes('openid') && !scope.includes('offline_access');
}

type Kind = (typeof KINDS)[keyof typeof KINDS];

function kindOf(authentication: Authentication): Kind {
  switch (authentication.method) {
    case 'password':
    case 'sign-up':
    case 'set-up-link':
      return authentication.secondFactor === undefined ? KINDS.password : passwordWith(authentication.secondFactor);
    case 'passkey':
      return KINDS.passkey;
    case 'upstream': {
      const { secondFactor, hasSecondFactor } = authentication;
      if (secondFactor?.method === 'passkey') return KINDS.providerAndPasskey;
      if (secondFactor !== undefined) return KINDS.providerAndCode;
      return hasSecondFactor === true ? KINDS.providerWithSecondFactor : KINDS.provider;
    }
    default:
      return unreachable(authentication);
  }
}

function passwordWith({ method }: SecondFactor): Kind {
  return method === 'passkey' ? KINDS.passwordAndPasskey : KINDS.passwordAndCode;
}
