import type { Text } from '../../language/message.ts';

/** A response that was requested from a provider. */
export type ProviderDocument = 'metadata' | 'keys' | 'tokens' | 'userinfo';

/** A check on a provider's ID token or userinfo response. */
export type UpstreamCheck =
  | 'form'
  | 'algorithm'
  | 'signature'
  | 'issuer'
  | 'tenant'
  | 'audience'
  | 'authorized-party'
  | 'nonce'
  | 'expiry'
  | 'issue-time'
  | 'subject'
  | 'userinfo-subject';

/** Why a login at a provider does not lead to an account here. */
export type NoUserReason =
  | 'not-linked'
  | 'address-unverified'
  | 'domain-not-allowed'
  | 'address-taken'
  | 'name-unusable';

/**
 * Why a login through a provider failed. `provider` is the provider's id on this server. Text from the provider is
 * sanitized.
 */
export type UpstreamRefusal =
  /** `problem` completes a sentence that starts with the URL. */
  | {
      readonly rule: 'upstream-unavailable';
      readonly provider: string;
      readonly what: ProviderDocument;
      readonly problem: Text;
    }
  | { readonly rule: 'upstream-login-unknown'; readonly why: 'not-of-browser' | 'expired' | 'other-state' }
  | { readonly rule: 'upstream-provider-changed'; readonly provider: string; readonly isRemoved: boolean }
  /** The response is from a different issuer (RFC 9207). `seen` is null if the response does not name an issuer. */
  | {
      readonly rule: 'upstream-issuer-differs';
      readonly provider: string;
      readonly expected: string;
      readonly seen: string | null;
    }
  | { readonly rule: 'upstream-denied'; readonly provider: string; readonly error: string }
  | { readonly rule: 'upstream-code-refused'; readonly provider: string; readonly error: Text }
  | {
      readonly rule: 'upstream-token-invalid';
      readonly provider: string;
      readonly check: UpstreamCheck;
      readonly expected: Text;
      readonly seen: Text;
    }
  /** The provider was asked to authenticate the user again, but reports an earlier login. */
  | { readonly rule: 'upstream-login-too-old'; readonly provider: string; readonly secondsAgo: number }
  | { readonly rule: 'upstream-user-unknown'; readonly provider: string; readonly why: NoUserReason }
  | { readonly rule: 'upstream-user-inactive'; readonly provider: string }
  | { readonly rule: 'upstream-linked-elsewhere'; readonly provider: string };

/** Passwords are refused because the operator requires users to log in through a provider. */
export interface PasswordsOff {
  readonly rule: 'passwords-off';
}
