/** Thrown if untrusted bytes or text violate their format. The message describes the violation. */
export class Malformed extends Error {
  override readonly name = 'Malformed';
}
