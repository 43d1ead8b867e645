/** Formats one row of CSV (RFC 4180), including the line end. */
export function csvRow(cells: readonly (string | number)[]): string {
  return `${cells.map((cell) => quote(escapeFormula(String(cell)))).join(',')}\r\n`;
}

/**
 * Escapes a cell that looks like a formula, because spreadsheets would run it. In some languages, formulas may begin
 * with full-width characters. A leading apostrophe turns the cell into text. A cell that looks escaped gets another
 * apostrophe, so that a reader can restore every cell.
 */
function escapeFormula(cell: string): string {
  return /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(cell) ? `'${cell}` : cell;
}

/** Quotes a cell if necessary, even one with a semicolon or a tab, because some spreadsheets split cells at them. */
function quote(cell: string): string {
  return /[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
