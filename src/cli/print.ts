import { isoTime } from '../operations/iso-time.ts';
import type { Terminal } from './terminal.ts';

type Row = Readonly<Record<string, unknown>>;

/** A table with headings. Rows are buffered until the column widths are known. */
export interface Table {
  add(row: Row): void;
  isEmpty(): boolean;
  lines(): Generator<string, void, void>;
  /** Returns the columns that `lines` left out. */
  omittedColumns(): readonly string[];
}

/** Steps that narrow a table at a terminal. If the table still does not fit, its rows are printed as records. */
export interface Narrowing {
  /** Columns with times, which are shortened to the date. */
  readonly dates?: readonly string[];
  /** Columns to leave out, in this order, until the table fits. */
  readonly omit?: readonly string[];
  /** Values that keep a column from being left out. */
  readonly important?: readonly string[];
}

/** A cell with several lines. */
export interface Lines {
  readonly lines: readonly string[];
}

const GAP = '  ';

/** Columns up to this width, such as names, are narrowed only if no wider column can be narrowed. */
const SHORT_COLUMN_WIDTH = 12;

/** Tables keep words up to this length whole, so that ids and times can be copied. The longest id has 43 characters. */
const UNBROKEN_WORD_LENGTH = 44;

interface MeasuredColumn {
  readonly heading: string;
  width: number;
  /** The smallest width at which words up to `UNBROKEN_WORD_LENGTH` stay whole. */
  minWidth: number;
}

/**
 * Creates a table. For programs, each row is one line; for a terminal, cells may be wrapped. If the rows do not fit in
 * the width, the table becomes narrower, or each row is printed as a record, with one line per column.
 * @param width the width of the terminal; undefined if a program reads the output
 */
export function createTable(columns: readonly string[], width: number | undefined, narrowing: Narrowing = {}): Table {
  const rows: Row[] = [];
  let omitted: readonly string[] = [];

  function fitTable(): SimpleTable {
    const fullTable = createSimpleTable(columns, width, rows);
    if (width === undefined || fullTable.fits()) return fullTable;
    const { dates = [], omit = [], important = [] } = narrowing;
    const rowsWithDates = rows.map((row) => ({ ...row, ...shortenTimes(row, dates) }));
    const omittableColumns = omit.filter((column) => !rows.some((row) => important.includes(String(row[column]))));
    for (let count = 0; count <= omittableColumns.length; count += 1) {
      const omittedColumns = omittableColumns.slice(0, count);
      const narrowTable = createSimpleTable(
        columns.filter((column) => !omittedColumns.includes(column)),
        width,
        rowsWithDates,
      );
      if (!narrowTable.fits()) continue;
      omitted = omittedColumns;
      return narrowTable;
    }
    return fullTable;
  }

  return {
    add: (row) => void rows.push(row),
    isEmpty: () => rows.length === 0,
    *lines() {
      yield* fitTable().lines();
    },
    omittedColumns: () => omitted,
  };
}

function shortenTimes(row: Row, columns: readonly string[]): Row {
  return Object.fromEntries(
    columns.map((column) => [
      column,
      typeof row[column] === 'string' ? row[column].replace(CLOCK_TIME, '') : row[column],
    ]),
  );
}

/** Matches the part of an ISO 8601 time after the date. */
const CLOCK_TIME = /(?<=^\d{4}-\d\d-\d\d)T[\d:.]+Z$/;

interface SimpleTable {
  /** Reports whether the rows fit in the width, so that they need not be printed as records. */
  fits(): boolean;
  lines(): Generator<string, void, void>;
}

function createSimpleTable(columns: readonly string[], width: number | undefined, items: readonly Row[]): SimpleTable {
  const measurements = columns.map((column): MeasuredColumn => {
    const heading = columnHeading(column);
    return { heading, width: heading.length, minWidth: longestWord(heading) };
  });
  const rows: (readonly (readonly string[])[])[] = [];

  for (const row of items) {
    const cells = columns.map((column) => cellLines(row[column], width !== undefined));
    for (const [index, column] of measurements.entries()) {
      for (const line of cells[index] ?? []) {
        column.width = Math.max(column.width, line.length);
        column.minWidth = Math.max(column.minWidth, Math.min(longestWord(line), UNBROKEN_WORD_LENGTH));
      }
    }
    rows.push(cells);
  }

  const gapWidth = GAP.length * (columns.length - 1);
  const widths = fitWidths(measurements, width === undefined ? Infinity : width - gapWidth);

  function* lines(): Generator<string, void, void> {
    if (widths === undefined) return yield* layOutRecords(measurements, rows, width ?? 0);
    for (const cells of [measurements.map(({ heading }) => [heading]), ...rows]) yield* layOutRow(cells, widths);
  }

  return { fits: () => widths !== undefined, lines };
}

function* layOutRow(cells: readonly (readonly string[])[], widths: readonly number[]): Generator<string, void, void> {
  const wrappedCells = cells.map((texts, index) => texts.flatMap((text) => wrap(text, widths[index] ?? text.length)));
  const height = Math.max(...wrappedCells.map(({ length }) => length));
  for (let line = 0; line < height; line += 1) {
    const padded = wrappedCells.map((parts, index) => (parts[line] ?? '').padEnd(widths[index] ?? 0));
    yield `${padded.join(GAP).trimEnd()}\n`;
  }
}

/** Lays out each row as a record: one cell below the other, each beside its heading. */
function* layOutRecords(
  columns: readonly MeasuredColumn[],
  rows: readonly (readonly (readonly string[])[])[],
  width: number,
): Generator<string, void, void> {
  const labelWidth = Math.max(...columns.map(({ heading }) => heading.length));
  for (const [rowIndex, cells] of rows.entries()) {
    if (rowIndex > 0) yield '\n';
    for (const [index, { heading }] of columns.entries())
      yield* layOutRow([[heading], cells[index] ?? []], [labelWidth, width - labelWidth - GAP.length]);
  }
}

/**
 * Narrows the widest columns until all fit into `available` characters. Short columns are narrowed last.
 * @returns the widths, or undefined if the columns fit only with broken words
 */
function fitWidths(columns: readonly MeasuredColumn[], available: number): readonly number[] | undefined {
  const widths = columns.map(({ width }) => width);
  for (let excess = widths.reduce((sum, width) => sum + width, 0) - available; excess > 0; excess -= 1) {
    const widthsAbove = (least: number): readonly number[] =>
      widths.map((width, index) => (width > Math.max(least, columns[index]?.minWidth ?? 0) ? width : 0));
    const narrowable = [widthsAbove(SHORT_COLUMN_WIDTH), widthsAbove(0)].find((list) => Math.max(...list) > 0);
    if (narrowable === undefined) return undefined;
    const widest = narrowable.indexOf(Math.max(...narrowable));
    widths[widest] = (widths[widest] ?? 1) - 1;
  }
  return widths;
}

function longestWord(text: string): number {
  return Math.max(...text.split(' ').map(({ length }) => length));
}

/** Breaks text into lines of at most `width` characters, at spaces where possible. */
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
  narrowing: Narrowing = {},
): string {
  const table = createTable(columns, tableWidth, narrowing);
  rows.forEach(table.add);
  return [...table.lines()].join('');
}

/**
 * Breaks long lines at spaces. Long words, such as links, and indented lines stay whole, so that they can be copied.
 * @param indent precedes each continuation of a wrapped line
 */
export function wrapMessage(text: string, width: number, indent = ''): string {
  const wrapLine = (line: string): string => {
    if (line.startsWith(' ')) return line;
    const lines: string[] = [];
    for (const word of line.split(' ')) {
      const joined = `${lines.at(-1) ?? ''} ${word}`;
      if (lines.length > 0 && joined.length <= width) lines[lines.length - 1] = joined;
      else lines.push(lines.length === 0 ? word : indent + word);
    }
    return lines.join('\n');
  };
  return text
    .split('\n')
    .map((line) => (line.length > width ? wrapLine(line) : line))
    .join('\n');
}

/** Fits a message to standard output: at a terminal, long lines are broken at spaces. */
export function fitMessage({ tableWidth }: Pick<Terminal, 'tableWidth'>, text: string): string {
  return tableWidth === undefined ? text : wrapMessage(text, tableWidth);
}

/** Breaks one line of text at spaces. The continuation lines are indented by `indent` characters. */
export function wrapWithHangingIndent(text: string, width: number, indent: number): string {
  const [first = '', ...rest] = wrap(text.slice(indent), width - indent);
  return [text.slice(0, indent) + first, ...rest.map((line) => ' '.repeat(indent) + line)].join('\n');
}

/** Removes the fraction of an ISO 8601 time if it is zero. */
export function wholeSeconds(time: string): string {
  return time.replace(/\.000Z$/, 'Z');
}

/** Formats a time, given in seconds since the epoch, in ISO 8601. */
export function isoSeconds(seconds: number): string {
  return wholeSeconds(isoTime(seconds));
}

/** Formats one `name: value` per line, without null values and zero fractions of seconds. Long lines are broken. */
export function formatFields(row: Row, width = Infinity): string {
  return Object.entries(row)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name}: ${formatCell(typeof value === 'string' ? wholeSeconds(value) : value)}`)
    .map((line) => `${wrapMessage(line, width, '  ')}\n`)
    .join('');
}

export function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Yields the items as one JSON array as they arrive. */
export async function* formatJsonList(items: AsyncIterable<unknown>): AsyncGenerator<string, void, void> {
  let isEmpty = true;
  for await (const item of items) {
    yield `${isEmpty ? '[' : ','}\n  ${JSON.stringify(item, null, 2).replaceAll('\n', '\n  ')}`;
    isEmpty = false;
  }
  yield isEmpty ? '[]\n' : '\n]\n';
}

/** Returns the lines of a cell. At a terminal, times have no fractions of seconds. */
function cellLines(value: unknown, isAtTerminal: boolean): readonly string[] {
  if (!isAtTerminal) return [isLines(value) ? value.lines.map(formatCell).join(' ') : formatCell(value)];
  const texts = isLines(value) ? value.lines.map(formatCell) : [formatCell(value)];
  return texts.map((text) => text.replace(FRACTION, '$1Z'));
}

const FRACTION = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d{3}Z$/;

function isLines(value: unknown): value is Lines {
  return typeof value === 'object' && value !== null && 'lines' in value && Array.isArray(value.lines);
}

/** Returns the heading of a column, such as `CREATED AT`. */
export const columnHeading = (column: string): string => column.toUpperCase().replaceAll('_', ' ');

/** Formats a value on one line, for a table or a field. */
export function formatCell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(formatCell).join(' ');
  return escapeControls(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Formats a number with its noun, such as `1 token` or `2 tokens`. */
export function pluralize(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`;
}

/** Escapes control characters, so that untrusted text cannot manipulate the terminal. */
export function escapeControls(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (control) => `\\u{${control.codePointAt(0)?.toString(16) ?? ''}}`,
  );
}
