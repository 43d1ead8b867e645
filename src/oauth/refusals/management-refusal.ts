/** FAPI Grant Management. */
export type ManagementRefusal =
  /** `because` the client is public, or the operator has allowed it neither scope of grant management. */
  | { readonly rule: 'grant-management-not-allowed'; readonly because: 'public' | 'scope' }
  /** The request of a device (RFC 8628). */
  | { readonly rule: 'grant-management-for-device' }
  | { readonly rule: 'grant-id-misplaced'; readonly beside: 'no action' | 'create' }
  /** `another-user`: the grant is not of the user who is logged in. */
  | { readonly rule: 'grant-id-unknown'; readonly problem: 'malformed' | 'not-current' | 'another-user' }
  /** A merge of a grant for all resource servers with one for some. */
  | { readonly rule: 'merge-of-all-resources'; readonly restricted: 'request' | 'grant' }
  /** The authorization details of the grant and of the request are too many or too large together. */
  | { readonly rule: 'merge-too-large'; readonly limit: string }
  /** The grant that the code's authorization updates has ended. */
  | { readonly rule: 'updated-grant-ended' };
