/** Thrown if untrusted bytes or text are malformed. The message describes the problem. */
export class MalformedError extends Error {
  override readonly name = 'MalformedError';
}
