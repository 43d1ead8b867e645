/**
 * The bytes of standard base64 (RFC 4648 §4); undefined when a character is foreign, padding is missing
 * or spare bits are set, so that no two texts stand for the same bytes.
 */
export function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}
