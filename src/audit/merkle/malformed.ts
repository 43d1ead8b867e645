/** Untrusted bytes or text that violate their format. The message names the violation. */
export class Malformed extends Error {
  override readonly name = 'Malformed';
}
