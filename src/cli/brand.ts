import type { Command } from 'commander';
import type { z } from 'zod';
import { OperationRefused } from '../operations/control/operation-refused.ts';
import { brandTexts, MAX_TEXTS, textProblems } from '../config/brand-texts.ts';
import { logoUrl } from '../config/brand-logo.ts';
import { reservedMemberProblem } from '../config/reserved-member.ts';
import { CATALOGS, MESSAGE_KEYS } from '../language/catalog.ts';
import { isReplaceable, type CustomTexts } from '../language/custom-texts.ts';
import { isLanguage, LANGUAGES } from '../language/languages.ts';
import { english } from '../language/english.ts';
import { callOnce, commandGroup, printChunks, printOne, withJsonOption, type CliContext } from './context.ts';
import { printEmptyList } from './empty-lists.ts';
import { CannotRunError } from './exit.ts';
import { oneLineRows } from './one-line-rows.ts';
import { escapeControls, formatJson } from './print.ts';
import { readText } from './read-file.ts';
import { readLogoFile } from './read-logo-file.ts';

interface TextOptions {
  readonly language: string;
  readonly json?: true;
}

interface LogoOptions {
  readonly dark?: true;
  readonly remove?: true;
  readonly json?: true;
}

/** Adds the commands for the brand. `setting set` changes its name, colors and links. */
export function brandCommands(program: Command, context: CliContext): void {
  const group = commandGroup(
    program,
    'brand',
    'the brand on pages; to change its name, colors and links, use setting set',
  );

  textCommands(group, context);
  withJsonOption(
    group
      .command('logo')
      .description('set the logo beside the name of the server, or remove it with --remove')
      .argument('[file]', 'a PNG, JPEG or WebP of at most 24 KiB and 1024 x 1024 pixels; its metadata is removed'),
  )
    .option('--dark', 'set or remove the logo for dark pages')
    .option('--remove', 'remove the logo')
    .action(async (file: string | undefined, options: LogoOptions) => {
      if ((file === undefined) === (options.remove === undefined))
        throw new CannotRunError('specify either a file or --remove');
      const name = options.dark === true ? 'brandLogoDark' : 'brandLogo';
      const { was } =
        file === undefined
          ? await callOnce(context, 'setting reset', { name }, { create: true })
          : await callOnce(context, 'setting set', { name, value: logoUrl(readLogoFile(file)) }, { create: true });
      if (options.json) return printOne(context, { name, is_set: file !== undefined }, options);
      const logo = options.dark === true ? 'logo for dark pages' : 'logo';
      const wasMissing = file === undefined && was === null;
      await context.terminal.out(
        wasMissing ? `there was no ${logo}\n` : `the ${logo} has been ${file === undefined ? 'removed' : 'set'}\n`,
      );
    });
}

/** Adds the commands that list the replaceable texts and check a file of texts. Neither command needs a server. */
function textCommands(group: Command, context: CliContext): void {
  withJsonOption(
    group
      .command('texts')
      .description('list the texts that the setting brandTexts can replace')
      .argument('[word]', 'only texts that contain this word, or whose key contains it'),
  )
    .option('--language <tag>', 'language of the texts', 'en')
    .action(async (word: string | undefined, { language: tag, json: asJson }: TextOptions) => {
      const { terminal } = context;
      if (!isLanguage(tag)) throw new CannotRunError(`--language: must be one of ${LANGUAGES.join(', ')}`);
      const searchText = (word ?? '').toLowerCase();
      const rows = MESSAGE_KEYS.filter(isReplaceable)
        .map((key) => ({ key, text: CATALOGS[tag][key] }))
        .filter(({ key, text }) => `${key} ${text}`.toLowerCase().includes(searchText));
      if (asJson) await terminal.out(formatJson(rows));
      else if (rows.length === 0) printEmptyList(terminal, 'brand texts', { isNarrowed: word !== undefined });
      else await printChunks(terminal, oneLineRows(['key', 'text'], ['text'], rows, terminal.tableWidth));
    });

  withJsonOption(
    group
      .command('check')
      .description('check a JSON file of your own texts, grouped by language and key; fails if a text is refused')
      .argument('<file>', 'file, or - for standard input'),
  ).action(async (file: string, options: Pick<TextOptions, 'json'>) => {
    const problems = findProblems(await readText(file, context), file);
    if (options.json) await printOne(context, { file, problems }, options);
    else
      await context.terminal.out(problems.length === 0 ? `the texts in ${file} can be used\n` : formatLines(problems));
    if (problems.length > 0)
      throw new OperationRefused(`the texts in ${file} cannot be used; problems: ${problems.length}`);
  });
}

const formatLines = (problems: readonly string[]): string =>
  problems.map((problem) => `${escapeControls(problem)}\n`).join('');

function findProblems(text: string, file: string): readonly string[] {
  const value = parseJson(text, file);
  const reservedProblem = reservedMemberProblem(value);
  if (reservedProblem !== undefined) return [english.text(reservedProblem)];
  const parsed = brandTexts.safeParse(value);
  if (parsed.success) return textProblems(parsed.data).map(english.text);
  const schemaProblems = parsed.error.issues.map(schemaProblem);
  const isTooLarge = parsed.error.issues.some(({ code }) => code === 'custom');
  return isTooLarge ? schemaProblems : [...schemaProblems, ...textProblems(wellFormedTexts(value)).map(english.text)];
}

/** Returns the well-formed entries, so that their texts can be checked even if other entries are malformed. */
function wellFormedTexts(value: unknown): CustomTexts {
  const languages = (value ?? {}) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    LANGUAGES.map((language) => {
      const entries = Object.entries(languages[language] ?? {});
      const isWellFormed = ([key, text]: (typeof entries)[number]): boolean =>
        brandTexts.safeParse({ [language]: { [key]: text as unknown } }).success;
      return [language, Object.fromEntries(entries.filter(isWellFormed))];
    }),
  );
}

/** Explains how the file violates the schema, in which each language has an object that maps keys to texts. */
function schemaProblem(issue: z.core.$ZodIssue): string {
  const [language, key] = issue.path.map(String);
  if (issue.code === 'unrecognized_keys')
    return `${JSON.stringify(issue.keys).slice(1, -1)}: unsupported language; use ${LANGUAGES.join(' or ')}`;
  if (issue.code === 'custom')
    return `the texts exceed ${MAX_TEXTS.toLocaleString('en')} characters when encoded as JSON`;
  if (issue.code === 'invalid_key') return `${language} ${key}: unknown key; list the keys with: grantlog brand texts`;
  if (language === undefined) return 'the file must contain an object with the texts of each language';
  if (key === undefined) return `${language}: must be an object that maps keys to texts`;
  return `${language} ${key}: must be a string of 1 to 2,000 characters`;
}

/**
 * Parses the content of a file as JSON.
 * @throws CannotRunError if the text is not JSON
 */
function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CannotRunError(`${file}: not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}
