import type { LimitName } from '../../platform/limits/limits.ts';
import type { RevocationReason } from '../../domain/events.ts';
import type { ClientType, SigningAlgorithm } from '../../domain/values.ts';
import type { Text } from '../../language/message.ts';
import type { CredentialForm } from './credential-form.ts';
import type { RequestObjectRefusal, RequestUriRefusal } from './signed-request-refusal.ts';
import type { DetailsRefusal, NarrowingParameter } from './details-refusal.ts';
import type { ExchangeRefusal } from './exchange-refusal.ts';
import type { ManagementRefusal } from './management-refusal.ts';
import type { IssuerRefusal } from './issuer-refusal.ts';
import type { PolicyRefusal } from './policy-refusal.ts';
import type { PasswordsOff, UpstreamRefusal } from './upstream-refusal.ts';
import type { UriDifference } from './uri-difference.ts';
import type { ClientRefusal, ClientDocumentRefusal, RegistrationRefusal } from './client-refusal.ts';
import type { RequiredBy } from '../../domain/security-profile.ts';

/**
 * Why a request was refused: the broken rule and the relevant facts. It is stored for a while, for the owner of the
 * application and the operator. The caller gets only the error that `wireError` derives from it. A refusal must not
 * contain a secret, part of a secret, or its hash. Text from the caller must go through `sanitize` or come from a
 * closed list.
 */
export type Refusal =
  | RequestRefusal
  | ClientRefusal
  | ClientDocumentRefusal
  | AuthorizationRefusal
  | RequestObjectRefusal
  | RequestUriRefusal
  | ScopeRefusal
  | DetailsRefusal
  | CredentialRefusal
  | ProofRefusal
  | RegistrationRefusal
  | UpstreamRefusal
  | PolicyRefusal;

/** Why a request is refused because of its format, the request rate or the load on the server. */
type RequestRefusal =
  | {
      readonly rule: 'method-not-allowed';
      readonly allowed: string;
      /** Null in refusals that an earlier release stored. */
      readonly seen: string | null;
    }
  | { readonly rule: 'parameters-in-address' }
  | { readonly rule: 'content-type'; readonly accepted: Text }
  | { readonly rule: 'content-encoding' }
  | { readonly rule: 'charset' }
  | { readonly rule: 'body-too-large'; readonly limitBytes: number }
  | { readonly rule: 'body-in-pieces'; readonly most: number }
  | { readonly rule: 'body-malformed'; readonly problem: Text }
  | { readonly rule: 'too-many-parameters'; readonly most: number }
  /** `parameter` is null if the name is not a protocol parameter, because such a name could be a secret. */
  | { readonly rule: 'parameter-repeated'; readonly parameter: string | null }
  | { readonly rule: 'parameter-not-a-string'; readonly parameter: string | null }
  | { readonly rule: 'parameter-missing'; readonly parameter: string }
  /** The value is not in a closed list. `seen` is null unless the value consists of known protocol keywords. */
  | {
      readonly rule: 'parameter-value';
      readonly parameter: string;
      readonly allowed: readonly Text[];
      readonly seen: string | null;
      readonly length: number;
    }
  | { readonly rule: 'parameter-malformed'; readonly parameter: string; readonly form: Text; readonly length: number }
  | { readonly rule: 'form-not-of-session' }
  | { readonly rule: 'rate-limit'; readonly limit: LimitName; readonly retryAfterSeconds: number }
  | { readonly rule: 'overloaded'; readonly retryAfterSeconds: number };

/** Why an `id_token_hint` is refused. */
export type HintProblem = 'not-of-this-server' | 'of-another-client';

/** Why an authorization or logout request with well-formed parameters is refused (RFC 6749 §4.1.1). */
type AuthorizationRefusal =
  | { readonly rule: 'redirect-uri-missing'; readonly registered: number }
  | {
      readonly rule: 'redirect-uri-not-registered';
      readonly closest: string | null;
      readonly differences: readonly UriDifference[];
      readonly registered: number;
    }
  /** The URI is registered, but the current settings do not allow it. `setting` is null if no setting would. */
  | {
      readonly rule: 'redirect-uri-not-allowed';
      readonly uri: string;
      readonly problem: Text;
      readonly setting: 'plainHttpRedirectUris' | 'redirectUriSchemes' | null;
    }
  /** The client is registered for the FAPI 2.0 Security Profile, which forbids the request. */
  | {
      readonly rule: 'profile-requires';
      readonly what: 'pkce' | 'https-redirect' | 'redirect-uri' | 'signature';
      readonly seen: string | null;
    }
  | { readonly rule: 'code-challenge-missing'; readonly clientType: ClientType; readonly isMethodSent: boolean }
  /** `another-user`: `id_token_hint` or the requested `sub` claim identifies a user other than the one logged in. */
  | {
      readonly rule: 'log-in-required';
      readonly why: 'nobody' | 'too-old' | 'another-user' | 'login-class' | 'second-factor' | 'not-recorded';
      readonly maxAgeSeconds: number | null;
    }
  | { readonly rule: 'consent-required'; readonly missing: readonly string[] }
  /** The client cannot prove its identity, so earlier consent is not enough (RFC 8252 §8.6). */
  | { readonly rule: 'interaction-required'; readonly clientType: ClientType }
  | { readonly rule: 'login-class-unmet'; readonly expected: readonly string[]; readonly seen: string | null }
  | { readonly rule: 'hinted-user-not-logged-in' }
  | { readonly rule: 'post-logout-uri-without-client' }
  | {
      readonly rule: 'post-logout-uri-not-registered';
      readonly closest: string | null;
      readonly differences: readonly UriDifference[];
      readonly registered: number;
    }
  | { readonly rule: 'hint-refused'; readonly problem: HintProblem }
  | {
      readonly rule: 'parameter-not-supported';
      readonly parameter: 'request' | 'request_uri' | 'registration';
    }
  /** The user is neither an owner nor a test user. `what` is the credential or the endpoint. */
  | {
      readonly rule: 'client-in-test-mode';
      readonly what:
        | 'authorization'
        | 'password'
        | 'code'
        | 'device_code'
        | 'refresh_token'
        | 'subject_token'
        | 'assertion';
    }
  | { readonly rule: 'denied'; readonly how: 'refused' | 'every-scope-left-out' }
  | { readonly rule: 'request-aged' }
  | { readonly rule: 'request-answered' };

/** Why a scope or a resource server is refused (RFC 6749 §3.3, RFC 8707). */
type ScopeRefusal =
  | { readonly rule: 'scope-missing'; readonly grant: string }
  | { readonly rule: 'scope-malformed' }
  | { readonly rule: 'scope-unknown'; readonly unknown: readonly string[]; readonly known: readonly string[] }
  | { readonly rule: 'scope-restricted'; readonly restricted: readonly string[] }
  | { readonly rule: 'scope-needs-role'; readonly scope: string }
  | { readonly rule: 'scope-needs-client'; readonly scope: string }
  | { readonly rule: 'scope-needs-login'; readonly scope: string; readonly grant: string }
  | { readonly rule: 'scope-not-granted'; readonly missing: readonly string[]; readonly granted: readonly string[] }
  | { readonly rule: 'scope-not-of-resource'; readonly seen: readonly string[]; readonly defined: readonly string[] }
  | { readonly rule: 'scope-of-several-resources'; readonly scope: readonly string[] }
  | { readonly rule: 'resources-disagree'; readonly seen: readonly string[] }
  /** `resources` require the algorithm `seen`; if the list is empty, the client does. */
  | {
      readonly rule: 'token-algorithm-forbidden';
      readonly seen: SigningAlgorithm;
      readonly allowed: readonly SigningAlgorithm[];
      readonly resources: readonly string[];
    }
  | { readonly rule: 'too-many-resources'; readonly most: number; readonly seen: number }
  | { readonly rule: 'resource-malformed'; readonly seen: string }
  | { readonly rule: 'resource-unknown'; readonly seen: string; readonly known: readonly string[] }
  | { readonly rule: 'resource-not-granted'; readonly missing: readonly string[]; readonly granted: readonly string[] };

/** An event in the log. */
export interface PastEvent {
  readonly position: number;
  readonly secondsAgo: number;
}

export type GrantCredential = 'code' | 'device_code' | 'refresh_token';

/** The key or certificate that a request proved possession of, or `none`. */
export type SeenKey = 'none' | 'another key' | 'a certificate';

/**
 * Why a code, token or password is refused. An event is null if it was not found, or if it was not looked up because
 * too many requests had just been refused.
 */
export type CredentialRefusal =
  | { readonly rule: 'credential-unknown'; readonly parameter: GrantCredential; readonly form: CredentialForm }
  | { readonly rule: 'credential-of-another-client'; readonly parameter: GrantCredential }
  | { readonly rule: 'credential-dead'; readonly parameter: GrantCredential }
  | { readonly rule: 'code-expired'; readonly secondsAgo: number; readonly lifetimeSeconds: number }
  | {
      readonly rule: 'code-redeemed';
      readonly parameter: 'code' | 'device_code';
      readonly redeemed: PastEvent | null;
      readonly endsGrant: boolean;
    }
  | DeviceRefusal
  | ExchangeRefusal
  | ManagementRefusal
  | IssuerRefusal
  | {
      readonly rule: 'grant-revoked';
      readonly parameter: GrantCredential | 'access token';
      readonly reason: RevocationReason | null;
      readonly revoked: PastEvent | null;
    }
  | { readonly rule: 'session-ended'; readonly parameter: GrantCredential | 'access token' }
  | { readonly rule: 'user-inactive'; readonly parameter: GrantCredential | 'access token' }
  | { readonly rule: 'redirect-uri-left-out' }
  | { readonly rule: 'redirect-uri-differs'; readonly expected: string; readonly differences: readonly UriDifference[] }
  | { readonly rule: 'code-verifier-missing' }
  | { readonly rule: 'code-verifier-unexpected' }
  | { readonly rule: 'code-verifier-mismatch'; readonly method: 'S256' | 'plain'; readonly isChallenge: boolean }
  | { readonly rule: 'credential-bound-to-key'; readonly parameter: GrantCredential; readonly seen: SeenKey }
  | { readonly rule: 'retry-key-differs'; readonly seen: SeenKey }
  | { readonly rule: 'password-wrong' }
  | PasswordsOff
  /** `client`: the client requires a second factor; `user`: the user has one, or must have one. */
  | { readonly rule: 'second-factor-needed'; readonly by: 'client' | 'user' }
  | { readonly rule: 'refresh-token-expired'; readonly secondsAgo: number }
  | { readonly rule: 'refresh-token-reused'; readonly rotated: PastEvent | null; readonly windowSeconds: number }
  | { readonly rule: 'retry-differs'; readonly parameter: NarrowingParameter; readonly before: readonly string[] }
  | { readonly rule: 'answer-not-repeatable' };

/** Why a request from a device is refused (RFC 8628 §3.5). */
export type DeviceRefusal =
  | { readonly rule: 'device-pending' }
  | { readonly rule: 'device-polls-too-fast'; readonly intervalSeconds: number; readonly seenSeconds: number }
  | { readonly rule: 'device-code-expired'; readonly secondsAgo: number; readonly lifetimeSeconds: number }
  | { readonly rule: 'device-denied' }
  /** `who` specifies which limit was reached: the one for all requests, for the client, or for the address. */
  | { readonly rule: 'devices-full'; readonly who: 'all' | 'client' | 'address'; readonly most: number };

/** Why a proof of possession is refused (RFC 9449). */
export type ProofRefusal =
  | { readonly rule: 'dpop-proof-missing'; readonly by: RequiredBy }
  | {
      readonly rule: 'dpop-proof-form';
      readonly problem: 'repeated' | 'malformed' | 'type' | 'critical';
    }
  | { readonly rule: 'dpop-proof-algorithm'; readonly seen: Text; readonly allowed: readonly string[] }
  | { readonly rule: 'dpop-proof-key'; readonly problem: 'missing' | 'private' | 'unsupported' | 'other-kind' }
  | { readonly rule: 'dpop-proof-signature' }
  | { readonly rule: 'dpop-proof-method'; readonly expected: string; readonly seen: Text }
  | { readonly rule: 'dpop-proof-address'; readonly expected: Text; readonly seen: Text }
  | {
      readonly rule: 'dpop-proof-time';
      readonly problem: 'missing' | 'old' | 'future';
      readonly seconds: number;
      readonly lifetimeSeconds: number;
      readonly toleranceSeconds: number;
    }
  | { readonly rule: 'dpop-proof-id'; readonly most: number }
  | { readonly rule: 'dpop-proof-token'; readonly seen: 'none' | 'another' }
  | { readonly rule: 'dpop-nonce-needed'; readonly seen: 'none' | 'another' }
  | { readonly rule: 'dpop-proof-replayed' }
  | { readonly rule: 'dpop-proofs-full'; readonly share: 'caller' | 'client' | 'server' }
  | { readonly rule: 'dpop-keys-disagree' };

export type RefusalRule = Refusal['rule'];
export type RefusalOf<Rule extends RefusalRule> = Extract<Refusal, { readonly rule: Rule }>;
