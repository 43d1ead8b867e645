import type { Text } from '../../language/message.ts';
import type { RequiredBy } from '../../domain/security-profile.ts';

/** Why a request object is refused (RFC 9101, OpenID Connect Core §6). */
export type RequestObjectRefusal =
  | { readonly rule: 'request-objects-mixed' }
  | { readonly rule: 'request-object-missing' }
  | {
      readonly rule: 'request-object-malformed';
      readonly problem: 'not-a-jwt' | 'encrypted' | 'nested' | 'critical';
    }
  | { readonly rule: 'request-object-type'; readonly seen: Text }
  | { readonly rule: 'request-object-algorithm'; readonly seen: Text; readonly allowed: readonly string[] }
  | {
      readonly rule: 'request-object-key-unknown';
      readonly seen: string | null;
      readonly algorithm: string;
      readonly known: readonly string[];
    }
  | { readonly rule: 'request-object-keys-unreadable'; readonly problem: Text }
  | { readonly rule: 'request-object-signature-wrong'; readonly tried: number }
  | {
      readonly rule: 'request-object-claim';
      readonly claim: 'iss' | 'aud' | 'client_id' | 'sub';
      readonly expected: Text;
      readonly seen: Text;
    }
  | {
      readonly rule: 'request-object-time';
      readonly problem: 'no-expiry' | 'no-start' | 'expired' | 'too-long' | 'not-yet' | 'too-old';
      readonly seconds: number;
      readonly mostSeconds: number;
    }
  | { readonly rule: 'request-object-parameter'; readonly parameter: string; readonly expected: Text }
  | { readonly rule: 'request-object-contradicted'; readonly parameter: 'response_type' };

/**
 * Why a request is refused because of its `request_uri`, which may be from this server (RFC 9126) or the URL of a
 * request object (RFC 9101 §5.2), or because it has none.
 */
export type RequestUriRefusal =
  | { readonly rule: 'push-required'; readonly by: RequiredBy }
  | { readonly rule: 'request-uri-pushed' }
  | { readonly rule: 'request-too-long'; readonly most: number }
  | { readonly rule: 'request-uri-unknown'; readonly length: number }
  | { readonly rule: 'request-uri-of-another-client' }
  | { readonly rule: 'request-uri-expired'; readonly secondsAgo: number; readonly lifetimeSeconds: number }
  | { readonly rule: 'request-uri-used' }
  | { readonly rule: 'request-uri-not-registered'; readonly registered: number; readonly length: number }
  | { readonly rule: 'request-uri-unreadable'; readonly problem: Text };
