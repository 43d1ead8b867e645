/**
 * Decodes standard base64 (RFC 4648 §4). Returns undefined for characters outside the alphabet, missing padding or
 * nonzero pad bits, so that no two strings decode to the same bytes.
 */
export function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}
