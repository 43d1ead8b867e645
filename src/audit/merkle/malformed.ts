/** Thrown if untrusted bytes or text violate their format. The message describes the violation. */
export class MalformedError extends Error {
  override readonly name = 'MalformedError';
}
