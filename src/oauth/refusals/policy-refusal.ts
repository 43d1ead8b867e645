import type { CredentialForm } from './credential-form.ts';

/** Why a request does not meet a policy, or why a bearer token does not allow introspection. */
export type PolicyRefusal =
  | {
      readonly rule: 'credentials-missing';
      readonly accepts: readonly ('token' | 'session')[];
      readonly seen: 'nothing' | 'another scheme' | 'a web session';
    }
  | { readonly rule: 'csrf-token-missing' }
  | { readonly rule: 'csrf-token-wrong' }
  | { readonly rule: 'token-sent-twice' }
  | { readonly rule: 'token-unknown'; readonly form: CredentialForm }
  | { readonly rule: 'token-expired'; readonly secondsAgo: number }
  | { readonly rule: 'token-key-retired'; readonly kid: string }
  /** A refresh at this position superseded the token, and the retry window has closed. */
  | { readonly rule: 'token-superseded'; readonly secondsAgo: number; readonly position: number }
  | { readonly rule: 'token-client-removed' }
  | { readonly rule: 'token-client-disabled' }
  | { readonly rule: 'token-for-other-resource'; readonly resource: readonly string[]; readonly here: string | null }
  | {
      readonly rule: 'token-lacks-scope';
      readonly alternatives: readonly (readonly string[])[];
      readonly held: readonly string[];
    }
  /** The token is bound to a key or certificate, and the request does not prove possession of it. */
  | {
      readonly rule: 'sender-not-proven';
      readonly problem:
        | 'sent-as-bearer'
        | 'proof-missing'
        | 'another-key'
        | 'certificate-missing'
        | 'certificate-refused'
        | 'another-certificate';
    }
  /** The token is not bound, but its scheme or the policy requires a bound token. */
  | { readonly rule: 'token-unbound'; readonly needed: 'scheme' | 'policy' }
  /** The operation requires a newer or stronger login (RFC 9470). `maxAgeSeconds` is null if any age is accepted. */
  | {
      readonly rule: 'login-insufficient';
      readonly problem: 'no-user' | 'not-recorded' | 'too-old' | 'too-weak';
      readonly maxAgeSeconds: number | null;
      readonly acr: readonly string[];
      readonly ageSeconds: number | null;
      readonly seenAcr: string | null;
    }
  | { readonly rule: 'policy-forbids'; readonly method: string };
