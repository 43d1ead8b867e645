import { Option, type Command } from 'commander';
import { LANGUAGES } from '../language/languages.ts';
import { OperationRefused } from '../operations/control/operation-refused.ts';
import { callOnce, commandGroup, printChunks, printOne, withJsonOption, type CliContext } from './context.ts';
import { printEmptyList } from './empty-lists.ts';
import { oneLineRows } from './one-line-rows.ts';
import { escapeControls, formatJsonList } from './print.ts';

interface BrandText {
  readonly key: string;
  readonly language: string;
  readonly standard: string | null;
  readonly placeholders: readonly string[];
  readonly own: string | null;
  /** The reason why the operator's own text is not used; null if it is used or does not exist. */
  readonly ignored: string | null;
}

type Column = keyof BrandText;

const COLUMNS: readonly Column[] = ['key', 'language', 'own', 'ignored'];
const ALL_COLUMNS: readonly Column[] = ['key', 'language', 'standard', 'own', 'ignored'];
const LONG_COLUMNS: readonly Column[] = ['standard', 'own', 'ignored'];

interface TextOptions {
  readonly language: string;
  readonly json?: true;
}

interface ListOptions {
  readonly all?: true;
  readonly language?: string;
  readonly json?: true;
}

const HELP = `
A text must contain the placeholders of the standard text, such as {server}. It can also contain {brand}, <b>, <code>
and <bdi>, which isolates a name in another writing direction from the surrounding sentence. The wording of the consent
page cannot be replaced, because the log records it with each consent.
`;

const LIST_HELP = `
At a terminal, each text takes one line, and long texts are truncated. To see the full text:
grantlog brand-text show KEY
`;

const withLanguage = (command: Command): Command =>
  withJsonOption(command).addOption(
    new Option('--language <tag>', 'language of the text').choices(LANGUAGES).default('en'),
  );

/** Adds the commands that replace individual texts of pages and e-mails. */
export function brandTextCommands(program: Command, context: CliContext): void {
  const group = commandGroup(program, 'brand-text', 'your own versions of individual texts on pages and in e-mails');

  withJsonOption(
    group
      .command('list')
      .description('list your own texts')
      .argument('[word]', 'only texts that contain this word, or whose key contains it'),
  )
    .option('--all', 'also texts that you have not replaced')
    .addOption(new Option('--language <tag>', 'only texts in this language').choices(LANGUAGES))
    .addHelpText('after', LIST_HELP)
    .action((word: string | undefined, options: ListOptions) => listTexts(word, options, context));

  withLanguage(
    group
      .command('show')
      .description('show a text: the standard text, its placeholders, and your own text')
      .argument('<key>', 'key of the text; see: grantlog brand texts'),
  ).action(async (key: string, { language, ...options }: TextOptions) => {
    for await (const text of fetchTexts(context, false))
      if (text.key === key && text.language === language) return printOne(context, { ...text }, options);
    throw new OperationRefused(`no text has the key ${JSON.stringify(key)}; see: grantlog brand texts`, 'unknown');
  });

  withLanguage(
    group
      .command('set')
      .description('replace a text')
      .argument('<key>', 'key of the text; see: grantlog brand texts')
      .argument('<text>', 'your text')
      .addHelpText('after', HELP),
  ).action(async (key: string, text: string, { language, ...options }: TextOptions) => {
    await printOne(
      context,
      await callOnce(context, 'brand-text set', { key, language, text }, { create: true }),
      options,
    );
  });

  withLanguage(
    group.command('reset').description('restore the standard text').argument('<key>', 'key of the text'),
  ).action(async (key: string, { language, ...options }: TextOptions) => {
    const reset = await callOnce(context, 'brand-text reset', { key, language }, { create: true });
    if (reset['was'] !== null || options.json) return printOne(context, reset, options);
    await context.terminal.out(`${escapeControls(key)} had no custom text in ${language}; nothing was changed\n`);
  });
}

/**
 * Yields the texts in all languages.
 * @param onlyReplaced whether to yield only the texts that the operator has replaced
 */
function fetchTexts({ call }: CliContext, onlyReplaced: boolean): AsyncGenerator<BrandText, void, void> {
  return call('brand-text list', { own: onlyReplaced }) as AsyncGenerator<BrandText, void, void>;
}

async function listTexts(word: string | undefined, options: ListOptions, context: CliContext): Promise<void> {
  const { terminal } = context;
  const texts = matchingTexts(word, options, context);
  if (options.json) return printChunks(terminal, formatJsonList(texts));
  const rows: BrandText[] = [];
  for await (const text of texts) rows.push(text);
  if (rows.length > 0)
    return printChunks(
      terminal,
      oneLineRows(visibleColumns(rows, options, terminal.tableWidth), LONG_COLUMNS, toRows(rows), terminal.tableWidth),
    );
  const isNarrowed = word !== undefined || options.language !== undefined;
  printEmptyList(terminal, options.all ? 'brand texts' : 'brand-text list', { isNarrowed });
}

async function* matchingTexts(
  word: string | undefined,
  { all, language }: ListOptions,
  context: CliContext,
): AsyncGenerator<BrandText, void, void> {
  const searchText = (word ?? '').toLowerCase();
  for await (const text of fetchTexts(context, all !== true)) {
    if (language !== undefined && text.language !== language) continue;
    const { key, standard, own } = text;
    if (`${key} ${standard ?? ''} ${own ?? ''}`.toLowerCase().includes(searchText)) yield text;
  }
}

/**
 * Returns the columns to print. At a terminal, omits empty columns, and the language if one was requested, so that more
 * of each text is visible.
 */
function visibleColumns(
  rows: readonly BrandText[],
  options: ListOptions,
  width: number | undefined,
): readonly Column[] {
  const columns = options.all ? ALL_COLUMNS : COLUMNS;
  if (width === undefined) return columns;
  const isEmpty = (column: Column): boolean => rows.every((row) => row[column] === null);
  return columns.filter((column) =>
    column === 'language' ? options.language === undefined : column === 'standard' || !isEmpty(column),
  );
}

/** Replaces an empty standard text with null, so that a list shows it as missing. */
function toRows(texts: readonly BrandText[]): readonly Readonly<Record<Column, unknown>>[] {
  return texts.map((text) => ({ ...text, standard: text.standard === '' ? null : text.standard }));
}
