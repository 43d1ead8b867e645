import { type Command, InvalidArgumentError } from 'commander';
import { CannotRun } from './exit.ts';
import { createTable, formatFields, formatJson, formatJsonList } from './print.ts';
import type { Terminal } from './terminal.ts';

/** What a command works with. */
export interface CliContext {
  readonly terminal: Terminal;
  /** Carries out an operation in the running server or on the log; `create` makes a data directory that is not there. */
  readonly call: (
    operation: string,
    input: unknown,
    how?: { readonly create: boolean },
  ) => AsyncGenerator<unknown, void, void>;
}

type Row = Readonly<Record<string, unknown>>;

/** Sub-commands under one word, such as `user`. */
export function commandGroup(parent: Command, name: string, summary: string): Command {
  return parent.command(name).description(summary).helpCommand(false);
}

/** `--json` and what it does: the same words on every command that prints data. */
export function withJsonOption(command: Command): Command {
  return command.option('--json', 'print JSON');
}

/** The only answer of an operation. */
export async function callOnce(
  { call }: CliContext,
  operation: string,
  input: unknown,
  how?: { readonly create: boolean },
): Promise<Row> {
  for await (const item of call(operation, input, how)) return item as Row;
  throw new CannotRun(`${operation} gave no answer`);
}

/** Prints one object: as JSON, or a line for each of its fields. */
export async function printOne(
  { terminal }: CliContext,
  row: Row,
  { json: asJson }: { readonly json?: true },
): Promise<void> {
  await terminal.out(asJson ? formatJson(row) : formatFields(row));
}

/** Prints what an operation lists: as one JSON array, while it arrives, or as a table of these columns. */
export async function printList(
  bench: CliContext,
  operation: string,
  columns: readonly string[],
  { json: asJson }: { readonly json?: true },
): Promise<void> {
  const items = bench.call(operation, {});
  if (asJson) return printChunks(bench.terminal, formatJsonList(items));
  const table = createTable(columns);
  for await (const item of items) table.add(item as Row);
  await printChunks(bench.terminal, table.lines());
}

/** In characters. */
const CHUNK_CHARACTERS = 65_536;

/** Prints many small pieces, some thousand together. */
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
 * A secret that somebody types twice, unseen, or that standard input holds where that is no terminal: there without the
 * newline that ends it.
 * @throws CannotRun there is none, or the two differ
 */
export async function readSecret(
  { readInput, askSecrets }: Pick<Terminal, 'readInput' | 'askSecrets'>,
  what: string,
): Promise<string> {
  if (askSecrets === undefined) {
    const secret = (await readInput()).replace(/\r?\n$/, '');
    if (secret === '') throw new CannotRun(`standard input is empty: pass the ${what} there`);
    return secret;
  }
  const [secret, again] = await askSecrets([`${capitalize(what)}: `, `${capitalize(what)}, again: `]);
  if (secret === undefined || secret === '') throw new CannotRun(`the ${what} is empty; nothing was changed`);
  if (secret !== again) throw new CannotRun(`the ${what} was typed in two different ways; nothing was changed`);
  return secret;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** For an option that may be given many times. */
export function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

/** The same, for one of these names. */
export function collectOneOf(names: readonly string[]) {
  return (value: string, before: readonly string[] | undefined): readonly string[] => {
    const name = value.replaceAll('_', '-');
    if (!names.includes(name)) throw new InvalidArgumentError(`Allowed choices are ${names.join(', ')}.`);
    return collect(name, before);
  };
}

export function parseWholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}
