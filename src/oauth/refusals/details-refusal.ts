import type { Text } from '../../language/message.ts';

/**
 * Why authorization details are refused (RFC 9396 §5). Names of types and members come from the request, so they are
 * sanitized. Values are left out, because they may contain personal data.
 */
export type DetailsRefusal =
  | { readonly rule: 'details-malformed'; readonly form: Text; readonly length: number }
  | { readonly rule: 'details-type-unknown'; readonly seen: string; readonly known: readonly string[] }
  | { readonly rule: 'details-type-not-allowed'; readonly seen: string; readonly allowed: readonly string[] }
  /** `member` is the path of the value that violates the schema keyword; empty for the authorization detail itself. */
  | { readonly rule: 'details-schema'; readonly type: string; readonly member: string; readonly keyword: string }
  /** The grant type has no consent page. */
  | { readonly rule: 'details-need-consent'; readonly grant: string }
  | { readonly rule: 'details-not-granted'; readonly type: string; readonly granted: readonly string[] }
  /** The token is not for the resource server that declares the type. */
  | { readonly rule: 'details-of-other-resource'; readonly type: string; readonly resource: readonly string[] }
  | { readonly rule: 'details-none-left' };

/** A parameter with which a token request can ask for less than was granted. */
export type NarrowingParameter = 'scope' | 'resource' | 'authorization_details';
