/**
 * Whether a token is live could not be found out: no fault of the token or of its bearer. Its text is for the
 * operator of the resource server; no token and no secret is in it.
 */
export class IntrospectionUnavailable extends Error {
  override readonly name = 'IntrospectionUnavailable';
}
