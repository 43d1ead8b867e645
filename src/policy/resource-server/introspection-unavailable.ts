/**
 * The resource server could not find out whether a token is active, which is not the caller's fault. The message is for
 * the operator of the resource server and contains no token or secret.
 */
export class IntrospectionUnavailable extends Error {
  override readonly name = 'IntrospectionUnavailable';
}
