/** Bytes or text from outside that are not what their format asks for; the message says what is wrong with them. */
export class Malformed extends Error {
  override readonly name = 'Malformed';
}
