/** One row of CSV (RFC 4180), line end included. */
export function csvRow(cells: readonly (string | number)[]): string {
  return `${cells.map((cell) => quote(escapeFormula(String(cell)))).join(',')}\r\n`;
}

/** Spreadsheets run cells that look like formulas. A leading apostrophe makes them text. */
function escapeFormula(cell: string): string {
  return /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
}

function quote(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
