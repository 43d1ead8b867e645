import { checksum } from '../files/checksum.ts';

/**
 * A line of a key file: `<id> <key, base64url> <checksum>`. A key has at least 256 bits. `key` is undefined if the line
 * is damaged.
 */
export interface KeyLine {
  /** The id, percent-encoded, so it contains no whitespace. */
  readonly encodedId: string;
  readonly text: string;
  readonly key: Buffer | undefined;
}

/** Returns the numbers of the damaged lines, starting at 1. */
export function damagedLineNumbers(lines: readonly KeyLine[]): readonly number[] {
  return lines.flatMap(({ key }, index) => (key === undefined ? [index + 1] : []));
}

export const encodeId = (id: string): string => encodeURIComponent(id);

function isEncodedId(text: string): boolean {
  try {
    return text !== '' && encodeId(decodeURIComponent(text)) === text;
  } catch {
    return false;
  }
}

export function formatKeyLine(encodedId: string, key: Buffer): string {
  const body = `${encodedId} ${key.toString('base64url')}`;
  return `${body} ${checksum(body)}`;
}

/**
 * Parses a key file. A final line without a newline is parsed like any other. If it is truncated, it counts as damaged.
 * After a crash, it could be ignored, because its id was never used. In an incomplete copy of the file, however, the
 * truncated line may contain a key that is in use.
 * @param text the content of a key file, decoded as latin1 so that damaged bytes are preserved
 */
export function parseKeyLines(text: string): KeyLine[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map(parseLine);
}

const LINE = /^(\S+) ([\w-]{43,})(?: [0-9a-f]{8})?$/;

/** The length of 256 bits in base64url. Earlier releases wrote only keys of this length, without a checksum. */
const ENCODED_KEY_LENGTH = 43;

function parseLine(text: string): KeyLine {
  const [, encodedId = '', encodedKey = ''] = LINE.exec(text) ?? [];
  const key = Buffer.from(encodedKey, 'base64url');
  const isEarlierFormat = encodedKey.length === ENCODED_KEY_LENGTH && text === `${encodedId} ${encodedKey}`;
  const isIntact = isEncodedId(encodedId) && (isEarlierFormat || text === formatKeyLine(encodedId, key));
  return { encodedId: text.split(' ', 1)[0] ?? '', text, key: isIntact ? key : undefined };
}
