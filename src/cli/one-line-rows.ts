import { formatCell, columnHeading } from './print.ts';

type Row = Readonly<Record<string, unknown>>;

const GAP = '  ';

/**
 * Yields the lines of a table: one for the headings and one for each row. Long columns are truncated at a terminal. For
 * programs, they are complete and not padded, because padding would make every line as long as the longest value.
 * @param width the width of the terminal; undefined if a program reads the output
 */
export function* oneLineRows(
  columns: readonly string[],
  longColumns: readonly string[],
  rows: readonly Row[],
  width: number | undefined,
): Generator<string, void, void> {
  const isLongColumn = columns.map((column) => longColumns.includes(column));
  const headings = columns.map(columnHeading);
  const cells = rows.map((row) => columns.map((column) => formatCell(row[column])));
  const lines = [headings, ...cells];
  const naturalWidths = headings.map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)));
  const widths =
    width === undefined
      ? naturalWidths.map((naturalWidth, index) => (isLongColumn[index] ? 0 : naturalWidth))
      : fitWidths(naturalWidths, width);

  function fitWidths(fullWidths: readonly number[], available: number): readonly number[] {
    const shortWidths = fullWidths.map((fullWidth) => Math.min(fullWidth, Math.floor(available / 2)));
    const usedWidth = shortWidths.reduce(
      (sum, shortWidth, index) => sum + (isLongColumn[index] ? 0 : shortWidth + GAP.length),
      0,
    );
    const longCount = isLongColumn.filter(Boolean).length;
    const share = Math.floor((available - usedWidth + GAP.length) / Math.max(longCount, 1)) - GAP.length;
    return fullWidths.map((fullWidth, index) =>
      isLongColumn[index] ? Math.min(fullWidth, Math.max(share, 0)) : (shortWidths[index] ?? 0),
    );
  }

  for (const line of lines) {
    const padded = line.map((cell, index) => {
      const columnWidth = widths[index] ?? 0;
      return (width !== undefined && isLongColumn[index] ? truncate(cell, columnWidth) : cell).padEnd(columnWidth);
    });
    const text = padded.join(GAP).trimEnd();
    yield `${width === undefined ? text : truncate(text, width)}\n`;
  }
}

function truncate(text: string, width: number): string {
  if (text.length <= width) return text;
  const start = text.slice(0, Math.max(width - 1, 0));
  return `${start.replace(HALF_CHARACTER, '')}…`;
}

/** Matches the first half of a surrogate pair whose second half was cut off. */
const HALF_CHARACTER = /[\ud800-\udbff]$/;
