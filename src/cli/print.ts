import type { Terminal } from './terminal.ts';

type Row = Readonly<Record<string, unknown>>;

/** A table with headings. Rows are buffered until the column widths are known. */
export interface Table {
  add(row: Row): void;
  lines(): Generator<string, void, void>;
}

const GAP = '  ';

/** Columns of short texts, such as names, are not broken at spaces while a wider column could be. */
const SHORT = 12;

/** @param width wraps the cells of a wider table; undefined keeps each row on one line, for programs */
export function createTable(columns: readonly string[], width: number | undefined): Table {
  const headings = columns.map((column) => column.toUpperCase().replaceAll('_', ' '));
  const widths = headings.map(({ length }) => length);
  const words = headings.map(longestWord);
  const rows: (readonly string[])[] = [headings];

  return {
    add(row) {
      const cells = columns.map((column) => formatCell(row[column]));
      for (const [index, text] of cells.entries()) {
        widths[index] = Math.max(widths[index] ?? 0, text.length);
        words[index] = Math.max(words[index] ?? 0, longestWord(text));
      }
      rows.push(cells);
    },

    *lines() {
      const gaps = GAP.length * (columns.length - 1);
      const fitting = width === undefined ? widths : fitWidths(widths, words, width - gaps);
      for (const cells of rows) {
        const wrapped = cells.map((text, index) => wrap(text, fitting[index] ?? text.length));
        const height = Math.max(...wrapped.map(({ length }) => length));
        for (let line = 0; line < height; line += 1) {
          const padded = wrapped.map((parts, index) => (parts[line] ?? '').padEnd(fitting[index] ?? 0));
          yield `${padded.join(GAP).trimEnd()}\n`;
        }
      }
    },
  };
}

/**
 * Narrows the widest columns until all fit into `available` characters: first those that can break at spaces, so that
 * ids stay whole as long as possible.
 * @param words the longest word of each column
 */
function fitWidths(widths: readonly number[], words: readonly number[], available: number): readonly number[] {
  const fitting = [...widths];
  for (let excess = fitting.reduce((sum, width) => sum + width, 0) - available; excess > 0; excess -= 1) {
    const breakable = fitting.map((width, index) => (width > Math.max(SHORT, words[index] ?? 0) ? width : 0));
    const narrowed = Math.max(...breakable) > 0 ? breakable : fitting;
    const widest = narrowed.indexOf(Math.max(...narrowed));
    fitting[widest] = Math.max(1, (fitting[widest] ?? 1) - 1);
  }
  return fitting;
}

function longestWord(text: string): number {
  return Math.max(...text.split(' ').map(({ length }) => length));
}

/** Lines of at most `width` characters, broken at spaces where possible. */
function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest.length > width) {
    const space = rest.lastIndexOf(' ', width);
    const end = space > 0 ? space : width;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return [...lines, rest];
}

export function formatTable(
  { tableWidth }: Pick<Terminal, 'tableWidth'>,
  columns: readonly string[],
  rows: readonly Row[],
): string {
  const table = createTable(columns, tableWidth);
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
