type Row = Readonly<Record<string, unknown>>;

/** Rows under headings, as wide as their widest value. */
export function table(columns: readonly string[], rows: readonly Row[]): string {
  const lines = [columns.map((column) => column.toUpperCase().replaceAll('_', ' ')), ...rows.map((row) => columns.map((column) => cell(row[column])))];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)));
  return lines.map((line) => `${line.map((text, index) => text.padEnd(widths[index] ?? 0)).join('  ').trimEnd()}\n`).join('');
}

/** One `name: value` a line; what is null is left out. */
export function fields(row: Row): string {
  return Object.entries(row)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name}: ${cell(value)}\n`)
    .join('');
}

export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(cell).join(' ');
  return printable(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Somebody else chose these words: they must not move the cursor or colour the screen. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (control) => `\\u{${control.codePointAt(0)?.toString(16) ?? ''}}`);
}
