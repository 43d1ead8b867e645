/** Rows with the same number of cells; the first is the header. */
export type Cells = readonly (readonly string[])[];

const NUMBER = /^[\d–]/;

/** Formats a table for the terminal, with aligned columns and right-aligned numbers. */
export function textTable(cells: Cells): string {
  const widths = columnWidths(cells);
  return cells
    .map((row) =>
      row
        .map((cell, column) => padCell(cell, widths[column] ?? 0, cells, column))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Formats a Markdown table, for docs/performance.md. */
export function markdownTable(cells: Cells): string {
  const [header = [], ...rows] = cells;
  const separator = header.map((_, column) => (isNumeric(cells, column) ? '--:' : '---'));
  return [header, separator, ...rows]
    .map((row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
}

function columnWidths(cells: Cells): readonly number[] {
  return (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
}

function padCell(cell: string, width: number, cells: Cells, column: number): string {
  return isNumeric(cells, column) ? cell.padStart(width) : cell.padEnd(width);
}

function isNumeric(cells: Cells, column: number): boolean {
  return cells.slice(1).every((row) => NUMBER.test(row[column] ?? '') || row[column] === '');
}
