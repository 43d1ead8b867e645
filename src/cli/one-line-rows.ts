import { formatCell, headingOf } from './print.ts';

type Row = Readonly<Record<string, unknown>>;

const GAP = '  ';

/**
 * Yields the lines of a table: one for the headings and one for each row. Columns with long texts are cut at a
 * terminal. For programs, they are complete and not padded, because padding would make every line as long as the
 * longest text.
 * @param width the width of the terminal; undefined if a program reads the output
 */
export function* oneLineRows(
  columns: readonly string[],
  longColumns: readonly string[],
  rows: readonly Row[],
  width: number | undefined,
): Generator<string, void, void> {
  const isLong = columns.map((column) => longColumns.includes(column));
  const headings = columns.map(headingOf);
  const cells = rows.map((row) => columns.map((column) => formatCell(row[column])));
  const lines = [headings, ...cells];
  const natural = headings.map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)));
  const widths = width === undefined ? natural.map((each, index) => (isLong[index] ? 0 : each)) : fit(natural, width);

  function fit(wanted: readonly number[], available: number): readonly number[] {
    const fixed = wanted.map((each) => Math.min(each, Math.floor(available / 2)));
    const taken = fixed.reduce((sum, each, index) => sum + (isLong[index] ? 0 : each + GAP.length), 0);
    const longCount = isLong.filter(Boolean).length;
    const share = Math.floor((available - taken + GAP.length) / Math.max(longCount, 1)) - GAP.length;
    return wanted.map((each, index) => (isLong[index] ? Math.min(each, Math.max(share, 0)) : (fixed[index] ?? 0)));
  }

  for (const line of lines) {
    const padded = line.map((cell, index) => {
      const columnWidth = widths[index] ?? 0;
      return (width !== undefined && isLong[index] ? cut(cell, columnWidth) : cell).padEnd(columnWidth);
    });
    const text = padded.join(GAP).trimEnd();
    yield `${width === undefined ? text : cut(text, width)}\n`;
  }
}

function cut(text: string, width: number): string {
  if (text.length <= width) return text;
  const start = text.slice(0, Math.max(width - 1, 0));
  return `${start.replace(HALF_CHARACTER, '')}…`;
}

/** The first half of a surrogate pair, whose second half was cut off. */
const HALF_CHARACTER = /[\ud800-\udbff]$/;
