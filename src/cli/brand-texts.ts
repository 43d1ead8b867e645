import { type Command, Option } from 'commander';
import { LANGUAGES } from '../language/languages.ts';
import { callOnce, commandGroup, printList, printOne, withJsonOption, type CliContext } from './context.ts';
import { escapeControls } from './print.ts';

const COLUMNS = ['key', 'language', 'own', 'ignored'];
const ALL_COLUMNS = ['key', 'language', 'standard', 'own', 'ignored'];

interface TextOptions {
  readonly language: string;
  readonly json?: true;
}

const HELP = `
A text must have the placeholders of the standard text, such as {server}. It may also have {brand} and <b>. The log
records the texts of the consent page with consents, so they cannot be replaced.
`;

const withLanguage = (command: Command): Command =>
  withJsonOption(command).addOption(
    new Option('--language <tag>', 'language of the text').choices(LANGUAGES).default('en'),
  );

/** Adds the commands that replace single texts of pages and mails. */
export function brandTextCommands(program: Command, context: CliContext): void {
  const group = commandGroup(program, 'brand-text', 'your own texts on pages and in mails, changed one by one');

  withJsonOption(group.command('list').description('list your own texts'))
    .option('--all', 'also texts that you have not replaced')
    .action(({ all, ...options }: { readonly all?: true; readonly json?: true }) =>
      all
        ? printList(context, 'brand-text list', ALL_COLUMNS, options, { own: false })
        : printList(context, 'brand-text list', COLUMNS, options),
    );

  withLanguage(
    group
      .command('set')
      .description('replace a text')
      .argument('<key>', 'key of the text; grantlog brand texts lists them')
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
    group.command('reset').description('return to the standard text').argument('<key>', 'key of the text'),
  ).action(async (key: string, { language, ...options }: TextOptions) => {
    const reset = await callOnce(context, 'brand-text reset', { key, language }, { create: true });
    if (reset['was'] !== null || options.json) return printOne(context, reset, options);
    await context.terminal.out(`${escapeControls(key)} had no text of your own in ${language}; nothing was changed\n`);
  });
}
