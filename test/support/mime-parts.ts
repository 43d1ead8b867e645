/** A part of an e-mail that contains no other parts. */
export interface MimePart {
  /** Unfolded, keyed by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly content: Buffer;
}

/** Returns the decoded leaf parts of an e-mail in order (RFC 2045 and RFC 2046). */
export function parseMimeParts(mail: string): readonly MimePart[] {
  const end = mail.indexOf('\r\n\r\n');
  const body = mail.slice(end + 4);
  const lines = mail
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = new Map(lines.map((line) => [headerName(line), line.slice(line.indexOf(':') + 1).trim()]));
  const [, boundary] = /^multipart\/.*boundary="([^"]+)"/.exec(headers.get('content-type') ?? '') ?? [];
  if (boundary === undefined) return [{ headers, content: decode(body, headers.get('content-transfer-encoding')) }];
  const parts = `\r\n${body}`.split(`\r\n--${boundary}`).slice(1, -1);
  return parts.flatMap((part) => parseMimeParts(part.slice(2)));
}

function headerName(line: string): string {
  return line.slice(0, line.indexOf(':')).toLowerCase();
}

function decode(body: string, encoding: string | undefined): Buffer {
  if (encoding === 'base64') return Buffer.from(body, 'base64');
  if (encoding !== 'quoted-printable') return Buffer.from(body);
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1');
}
