import type { Text } from '../../language/message.ts';

/** Why a request for grant management is refused (FAPI Grant Management). */
export type ManagementRefusal =
  /** `public`: the client is public; `scope`: the client may use neither scope for grant management. */
  | { readonly rule: 'grant-management-not-allowed'; readonly because: 'public' | 'scope' }
  /** The request is from a device (RFC 8628). */
  | { readonly rule: 'grant-management-for-device' }
  | { readonly rule: 'grant-id-misplaced'; readonly beside: 'no action' | 'create' }
  /** `another-user`: the grant belongs to a user other than the one who is logged in. */
  | { readonly rule: 'grant-id-unknown'; readonly problem: 'malformed' | 'not-current' | 'another-user' }
  /** A merge of access to all resource servers with access to some of them. */
  | { readonly rule: 'merge-of-all-resources'; readonly restricted: 'request' | 'grant' }
  /** Together, the authorization details of the grant and the request are too many or too large. */
  | { readonly rule: 'merge-too-large'; readonly limit: Text }
  /** The code's authorization updates a grant that has ended. */
  | { readonly rule: 'updated-grant-ended' };
