/** One row of RFC 4180: quoted where it has to be, ended as there. */
export function csvRow(cells: readonly (string | number)[]): string {
  return `${cells.map((cell) => quote(escapeFormula(String(cell)))).join(',')}\r\n`;
}

/** A spreadsheet runs what begins like a formula; after an apostrophe it is text. */
function escapeFormula(cell: string): string {
  return /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
}

function quote(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
