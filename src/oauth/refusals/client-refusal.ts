import type { TlsSubject } from '../../domain/client-authentication.ts';
import type { ChainProblem } from '../../platform/certificates/chain.ts';
import type { CertificateProblem } from '../../platform/certificates/presented-certificate.ts';
import type { Text } from '../../language/message.ts';
import type { CredentialForm } from './credential-form.ts';

/** Why client authentication fails, or the client's registration does not allow the request. */
export type ClientRefusal =
  | { readonly rule: 'client-credentials-missing' }
  | { readonly rule: 'client-id-missing' }
  | { readonly rule: 'authorization-header'; readonly scheme: 'Basic' | 'Bearer' | 'another' }
  | { readonly rule: 'client-credentials-disagree'; readonly differs: 'client_id' | 'client_secret' }
  | { readonly rule: 'client-disabled' }
  | {
      readonly rule: 'client-unknown';
      readonly form: CredentialForm;
      readonly length: number;
      readonly isSwapped: boolean;
    }
  | { readonly rule: 'client-secret-missing' }
  | { readonly rule: 'client-secret-unexpected' }
  | { readonly rule: 'client-key-missing' }
  | { readonly rule: 'client-secret-wrong'; readonly form: CredentialForm; readonly hasOuterSpace: boolean }
  /** `secondsAgo` is null if the clock was ahead when the secret was rotated, so that its expiry is unknown. */
  | { readonly rule: 'client-secret-ended'; readonly secondsAgo: number | null }
  /** The authentication method is not one of the client's. */
  | { readonly rule: 'client-method-not-allowed'; readonly seen: Text; readonly allowed: readonly string[] }
  | { readonly rule: 'client-methods-mixed' }
  | AssertionRefusal
  | CertificateRefusal
  | {
      readonly rule: 'client-public';
      readonly what: 'introspection' | 'client_credentials' | 'token exchange' | 'jwt-bearer';
    }
  | { readonly rule: 'client-not-registered-for'; readonly grantType: string; readonly registered: readonly string[] };

/** Certificates authenticate clients (RFC 8705 §2) and bind tokens (§3). */
export type CertificateUse = 'authentication' | 'binding';

/** Why a client certificate is refused (RFC 8705, RFC 9440). */
type CertificateRefusal =
  /** `at` is the URL where clients present certificates; null if it is the requested URL. */
  | { readonly rule: 'certificate-missing'; readonly use: CertificateUse; readonly at: string | null }
  | ({ readonly rule: 'certificate-refused'; readonly use: CertificateUse } & CertificateProblem)
  | ({ readonly rule: 'certificate-chain'; readonly hasAuthorities: boolean } & ChainProblem)
  | {
      readonly rule: 'certificate-subject-differs';
      readonly kind: TlsSubject['kind'];
      readonly expected: string;
      readonly seen: readonly string[];
    }
  | { readonly rule: 'certificate-key-unknown'; readonly keys: number };

/** Why a client assertion is refused (RFC 7523 §3). */
export type AssertionRefusal =
  | { readonly rule: 'assertion-type'; readonly seen: 'no assertion' | 'another type' }
  | { readonly rule: 'assertion-malformed' }
  | { readonly rule: 'assertion-too-long'; readonly most: number; readonly length: number }
  | { readonly rule: 'assertion-issuer'; readonly differs: 'sub' | 'client_id' }
  | { readonly rule: 'assertion-client-unknown'; readonly length: number; readonly isAddress: boolean }
  | { readonly rule: 'assertion-algorithm'; readonly seen: Text; readonly allowed: readonly string[] }
  | {
      readonly rule: 'assertion-key-unknown';
      readonly seen: string | null;
      readonly algorithm: string;
      readonly known: readonly string[];
    }
  /**
   * `problem` is the end of a sentence that starts with the URL of the client's keys. It contains no text from the
   * client.
   */
  | { readonly rule: 'client-keys-unreadable'; readonly problem: Text }
  | { readonly rule: 'assertion-signature-wrong'; readonly tried: number }
  | { readonly rule: 'assertion-audience'; readonly expected: string; readonly seen: Text }
  | {
      readonly rule: 'assertion-time';
      readonly problem: 'no-expiry' | 'expired' | 'too-long' | 'not-yet';
      readonly seconds: number;
      readonly mostSeconds: number;
    }
  | { readonly rule: 'assertion-without-id'; readonly most: number }
  | { readonly rule: 'assertion-replayed' };

/**
 * Why a client that describes itself in a document is refused. Each `problem` is the end of a sentence; the problem
 * with an invalid document may also consist of whole sentences about its fields.
 */
export type ClientDocumentRefusal =
  | { readonly rule: 'client-address'; readonly problem: Text }
  | {
      readonly rule: 'client-document-not-accepted';
      readonly why: 'off' | 'not-listed' | 'blocked' | 'removed';
      /** A host name in normal form. */
      readonly host: string;
    }
  | { readonly rule: 'client-document-unreadable'; readonly problem: Text }
  | { readonly rule: 'client-document-invalid'; readonly problem: Text };

/** Why the registration of a client that registers itself is refused (RFC 7591, RFC 7592). */
export type RegistrationRefusal =
  /** `problem` is a sentence about the member. Text from the client is sanitized. */
  | { readonly rule: 'registration-metadata'; readonly member: string; readonly problem: Text }
  | { readonly rule: 'registration-too-long'; readonly most: number }
  | { readonly rule: 'software-statement-untrusted'; readonly issuer: Text; readonly trusted: readonly string[] }
  /** `problem` is the end of a sentence that starts with the statement. */
  | { readonly rule: 'software-statement-invalid'; readonly problem: Text }
  | { readonly rule: 'registration-token-missing' }
  | { readonly rule: 'registration-token-wrong' }
  /** The client is not in the log: no user has authorized it yet. */
  | { readonly rule: 'registration-not-recorded' };
