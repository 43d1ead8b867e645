import { type Command, InvalidArgumentError } from 'commander';
import { printEmptyList, type ListOperation } from './empty-lists.ts';
import { CannotRunError } from './exit.ts';
import { NARROW_LISTS } from './narrow-lists.ts';
import { createTable, escapeControls, formatFields, formatJson, formatJsonList, columnHeading } from './print.ts';
import type { Terminal } from './terminal.ts';

/** The dependencies that all commands share. */
export interface CliContext {
  readonly terminal: Terminal;
  /**
   * Runs an operation on the running server, or on the log if no server is running. With `create`, creates a missing
   * data directory.
   */
  readonly call: (
    operation: string,
    input: unknown,
    options?: { readonly create: boolean },
  ) => AsyncGenerator<unknown, void, void>;
}

interface JsonOption {
  readonly json?: true;
}

type Row = Readonly<Record<string, unknown>>;

/** Adds a group of subcommands, such as `user`. */
export function commandGroup(parent: Command, name: string, summary: string): Command {
  return parent.command(name).description(summary).helpCommand(false);
}

/** Adds `--json`, with the same description on every command. */
export function withJsonOption(command: Command): Command {
  return command.option('--json', 'print JSON');
}

/** Runs an operation that has a single result, and returns the result. */
export async function callOnce(
  { call }: CliContext,
  operation: string,
  input: unknown,
  options?: { readonly create: boolean },
): Promise<Row> {
  for await (const item of call(operation, input, options)) return item as Row;
  throw new CannotRunError(`${operation} returned no result`);
}

/** Prints an object as JSON or as one line per field. */
export async function printOne({ terminal }: CliContext, row: Row, { json: asJson }: JsonOption): Promise<void> {
  await terminal.out(asJson ? formatJson(row) : formatFields(row, terminal.tableWidth));
}

/**
 * Prints an object with its members grouped under headings.
 * @param sections each heading with the labels of its members; members without a label come last, without a heading
 */
export async function printSections(
  { terminal }: CliContext,
  row: Row,
  sections: readonly (readonly [heading: string, labels: Readonly<Record<string, string>>])[],
): Promise<void> {
  const groupedMembers = new Set(sections.flatMap(([, labels]) => Object.keys(labels)));
  const formatGroup = (labels: readonly (readonly [member: string, label: string])[]): string =>
    formatFields(Object.fromEntries(labels.map(([member, label]) => [label, row[member]])), terminal.tableWidth);
  const ungroupedMembers = Object.keys(row).filter((member) => !groupedMembers.has(member));
  const groups = [
    ...sections.map(([heading, labels]) => [`${heading}\n`, formatGroup(Object.entries(labels))] as const),
    ['', formatGroup(ungroupedMembers.map((member) => [member, member]))] as const,
  ];
  await terminal.out(
    groups
      .filter(([, fields]) => fields !== '')
      .map(([heading, fields]) => heading + fields)
      .join('\n'),
  );
}

/**
 * Prints an object as `printOne` does. If `member` contains a secret and the output is not JSON, adds a note that the
 * secret will not be shown again.
 */
export async function printSecret(context: CliContext, row: Row, member: string, options: JsonOption): Promise<void> {
  await printOne(context, row, options);
  if (options.json !== true && typeof row[member] === 'string')
    context.terminal.err(`the ${member.replaceAll('_', ' ')} will not be shown again\n`);
}

/** Prints the warning that a successful operation returned. Prints nothing if `warning` is not a string. */
export function printWarning({ err }: Pick<Terminal, 'err'>, warning: unknown): void {
  if (typeof warning === 'string') err(`grantlog: warning: ${escapeControls(warning)}\n`);
}

/**
 * Prints the items of an operation as a JSON array or as a table with the given columns.
 * @param input the input of the operation; undefined filters exclude nothing
 * @param toRow converts an item to a row of the table
 */
export async function printList(
  context: CliContext,
  operation: ListOperation,
  columns: readonly string[],
  { json: asJson }: JsonOption,
  input: object = {},
  toRow: (item: Row) => Row = (item) => item,
): Promise<void> {
  const items = context.call(operation, input);
  if (asJson) return printChunks(context.terminal, formatJsonList(items));
  const table = createTable(columns, context.terminal.tableWidth, NARROW_LISTS[operation]);
  for await (const item of items) table.add(replaceEmptyStrings(toRow(item as Row)));
  if (table.isEmpty())
    printEmptyList(context.terminal, operation, {
      isNarrowed: isNarrowed(operation, input),
      parent: parentName(input),
    });
  else await printChunks(context.terminal, table.lines());
  const omittedHeadings = table.omittedColumns().map(columnHeading);
  if (omittedHeadings.length > 0)
    context.terminal.err(`Columns omitted because the terminal is too narrow: ${omittedHeadings.join(', ')}\n`);
}

/**
 * Reports whether filters narrow the list. Only `list` operations have filters; the inputs of other operations identify
 * the object whose items are listed.
 */
function isNarrowed(operation: ListOperation, input: object): boolean {
  return operation.endsWith(' list') && Object.values(input).some((value) => value !== undefined);
}

/** Returns the name or client id of the object whose items are listed, or undefined if the input contains neither. */
function parentName(input: object): string | undefined {
  const { name, clientId = name } = input as { readonly name?: unknown; readonly clientId?: unknown };
  return typeof clientId === 'string' ? clientId : undefined;
}

/** Replaces empty strings with null, so that a table shows a dash for both. */
function replaceEmptyStrings(row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value === '' ? null : value]));
}

const CHUNK_CHARACTERS = 65_536;

/** Prints many small pieces of text with few writes. */
export async function printChunks(
  { out }: Pick<Terminal, 'out'>,
  pieces: AsyncIterable<string> | Iterable<string>,
): Promise<void> {
  let text = '';
  for await (const piece of pieces) {
    text += piece;
    if (text.length < CHUNK_CHARACTERS) continue;
    await out(text);
    text = '';
  }
  await out(text);
}

/**
 * Reads a secret. At a terminal, the operator types the secret twice, without echo. In a script, the secret is standard
 * input without the trailing newline.
 * @throws CannotRunError if the secret is empty, or the two entries do not match
 */
export async function readSecret(
  { readInput, askSecrets }: Pick<Terminal, 'readInput' | 'askSecrets'>,
  secretName: string,
): Promise<string> {
  if (askSecrets === undefined) {
    const secret = (await readInput()).replace(/\r?\n$/, '');
    if (secret === '') throw new CannotRunError(`standard input is empty; pass the ${secretName} on standard input`);
    return secret;
  }
  const [secret, repetition] = await askSecrets([`${capitalize(secretName)}: `, `${capitalize(secretName)}, again: `]);
  if (secret === undefined || secret === '')
    throw new CannotRunError(`the ${secretName} is empty; nothing was changed`);
  if (secret !== repetition)
    throw new CannotRunError(`the two entries for the ${secretName} do not match; nothing was changed`);
  return secret;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Collects the values of a repeatable option. */
export function collect(value: string, previous: readonly string[] | undefined): readonly string[] {
  return [...(previous ?? []), value];
}

/** Returns a parser for a repeatable option that accepts `names`, spelled with hyphens or underscores. */
export function collectOneOf(names: readonly string[]) {
  const parse = (value: string, previous: readonly string[] | undefined): readonly string[] => {
    const name = names.includes(value) ? value : value.replaceAll('_', '-');
    if (!names.includes(name)) throw new InvalidArgumentError(`Allowed choices are ${names.join(', ')}.`);
    return collect(name, previous);
  };
  return Object.assign(parse, { choices: names }); // for shell completion
}

export function parseWholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}
