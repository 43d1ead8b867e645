import { checksum } from '../files/checksum.ts';

/**
 * A line of a key file: `<id> <key, base64url> <checksum>`. A key has at least 256 bits. `key` is undefined if the line
 * is damaged.
 */
export interface KeyLine {
  /** The id, percent-encoded, so it contains no whitespace. */
  readonly name: string;
  readonly text: string;
  readonly key: Buffer | undefined;
}

/** Returns the numbers of the damaged lines, starting at 1. */
export function damagedLineNumbers(lines: readonly KeyLine[]): readonly number[] {
  return lines.flatMap(({ key }, index) => (key === undefined ? [index + 1] : []));
}

export const encodeId = (id: string): string => encodeURIComponent(id);

function isName(name: string): boolean {
  try {
    return name !== '' && encodeId(decodeURIComponent(name)) === name;
  } catch {
    return false;
  }
}

export function formatKeyLine(name: string, key: Buffer): string {
  const body = `${name} ${key.toString('base64url')}`;
  return `${body} ${checksum(body)}`;
}

/**
 * Parses a key file. A last line without a newline is treated like the others. A truncated one is treated as damaged:
 * if a crash truncated it, its id was never used, but an incomplete copy can truncate any line.
 * @param text the content of a key file as latin1, so that damaged bytes stay the same
 */
export function parseKeyLines(text: string): KeyLine[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map(parseLine);
}

const LINE = /^(\S+) ([\w-]{43,})(?: [0-9a-f]{8})?$/;

/** The length of 256 bits in base64url. Earlier releases wrote only keys of this length, without a checksum. */
const KEY_CHARACTERS = 43;

function parseLine(text: string): KeyLine {
  const [, name = '', encodedKey = ''] = LINE.exec(text) ?? [];
  const key = Buffer.from(encodedKey, 'base64url');
  const isEarlierFormat = encodedKey.length === KEY_CHARACTERS && text === `${name} ${encodedKey}`;
  const isSound = isName(name) && (isEarlierFormat || text === formatKeyLine(name, key));
  return { name: text.split(' ', 1)[0] ?? '', text, key: isSound ? key : undefined };
}
