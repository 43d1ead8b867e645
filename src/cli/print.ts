type Row = Readonly<Record<string, unknown>>;

/** A table with headings. Rows are buffered until the column widths are known. */
export interface Table {
  add(row: Row): void;
  lines(): Generator<string, void, void>;
}

export function createTable(columns: readonly string[]): Table {
  const headings = columns.map((column) => column.toUpperCase().replaceAll('_', ' '));
  const widths = headings.map(({ length }) => length);
  const rows: (readonly string[])[] = [headings];

  return {
    add(row) {
      const cells = columns.map((column) => formatCell(row[column]));
      for (const [index, { length }] of cells.entries()) widths[index] = Math.max(widths[index] ?? 0, length);
      rows.push(cells);
    },

    *lines() {
      for (const cells of rows) {
        const padded = cells.map((text, index) => text.padEnd(widths[index] ?? 0));
        yield `${padded.join('  ').trimEnd()}\n`;
      }
    },
  };
}

export function formatTable(columns: readonly string[], rows: readonly Row[]): string {
  const table = createTable(columns);
  rows.forEach(table.add);
  return [...table.lines()].join('');
}

/** One `name: value` per line; null values are omitted. */
export function formatFields(row: Row): string {
  return Object.entries(row)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name}: ${formatCell(value)}\n`)
    .join('');
}

export function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Formats the items as one JSON array, as they arrive. */
export async function* formatJsonList(items: AsyncIterable<unknown>): AsyncGenerator<string, void, void> {
  let isEmpty = true;
  for await (const item of items) {
    yield `${isEmpty ? '[' : ','}\n  ${JSON.stringify(item, null, 2).replaceAll('\n', '\n  ')}`;
    isEmpty = false;
  }
  yield isEmpty ? '[]\n' : '\n]\n';
}

function formatCell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(formatCell).join(' ');
  return escapeControls(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Escapes control characters, so that text from others cannot manipulate the terminal. */
export function escapeControls(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (control) => `\\u{${control.codePointAt(0)?.toString(16) ?? ''}}`,
  );
}
