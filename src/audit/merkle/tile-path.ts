import { TILE_WIDTH } from './tile.ts';

/** The components of the path of a tile or an entry bundle, relative to the log's prefix. */
export interface TilePath {
  readonly level: number | 'entries';
  readonly index: number;
  /** The number of hashes or entries: 256 in a full tile, fewer in a partial one. */
  readonly width: number;
}

const MAX_LEVEL = 63;
const GROUP_DIGITS = 3;
const TILE_PATH = /^tile\/(entries|\d{1,2})\/((?:x\d{3}\/)*\d{3})(?:\.p\/(\d{1,3}))?$/;

/** Formats a path like `tile/0/x001/x234/067.p/12` (C2SP tlog-tiles). */
export function formatTilePath({ level, index, width }: TilePath): string {
  return `tile/${level}/${formatIndex(index)}${width === TILE_WIDTH ? '' : `.p/${width}`}`;
}

/** Parses a path. Accepts only paths that `formatTilePath` produces, so that each tile has exactly one path. */
export function parseTilePath(path: string): TilePath | undefined {
  const [, kind, groups, partialWidth] = TILE_PATH.exec(path) ?? [];
  if (groups === undefined) return undefined;
  const parsed: TilePath = {
    level: kind === 'entries' ? kind : Number(kind),
    index: Number(groups.replaceAll(/\D/g, '')),
    width: partialWidth === undefined ? TILE_WIDTH : Number(partialWidth),
  };
  return isValidTilePath(parsed) && formatTilePath(parsed) === path ? parsed : undefined;
}

function isValidTilePath({ level, index, width }: TilePath): boolean {
  return (
    (level === 'entries' || level <= MAX_LEVEL) && Number.isSafeInteger(index) && width >= 1 && width <= TILE_WIDTH
  );
}

/**
 * Formats an index: 1234067 becomes `x001/x234/067`. Every group except the last starts with an x, so no file has the
 * same name as a directory.
 */
function formatIndex(index: number): string {
  const digits = String(index);
  const paddedDigits = digits.padStart(Math.ceil(digits.length / GROUP_DIGITS) * GROUP_DIGITS, '0');
  return paddedDigits.replaceAll(/\d{3}(?=\d)/g, 'x$&/');
}
