/** Thrown if untrusted bytes or text violate their format. The message names the violation. */
export class Malformed extends Error {
  override readonly name = 'Malformed';
}
