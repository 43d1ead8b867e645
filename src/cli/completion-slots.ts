import type { Argument, Command, Option } from 'commander';
import { RUN_TIME_SETTINGS } from '../config/live-config.ts';
import { SETTING_NAMES } from '../config/settings.ts';
import { eventTypes } from '../operations/event-filter.ts';
import { KEY_NAMES } from '../platform/keys/keys.ts';
import { leafCommands, commandPath } from './command-help.ts';
import type { NameKind } from './completion-names.ts';

/**
 * The words that complete each slot of a command line. Keys: `PATH|sub` for the commands of a group, `PATH|opt` for the
 * options, `PATH|val` for the options that take a value, `PATH|--option` for the values of that option, `PATH|1` for
 * the first argument, and `alias|WORDS` for the path of the command with that alias. The word `@user` stands for all
 * user names, and `@file` for files.
 */
export type CompletionSlots = readonly (readonly [key: string, words: readonly string[]])[];

const GLOBAL_OPTIONS = ['--data-dir', '--help'];

export function completionSlots(program: Command): CompletionSlots {
  const groups = [program, ...program.commands.filter(({ commands }) => commands.length > 0)];
  return [
    ...groups.flatMap(groupSlots),
    ...leafCommands(program)
      .filter((leaf) => isListed(leaf))
      .flatMap(leafSlots),
  ].filter(([, words]) => words.length > 0);
}

/** Reports whether the command is listed. Hidden commands are for scripts. */
const isListed = (command: Command): boolean =>
  command.parent?.createHelp().visibleCommands(command.parent).includes(command) ?? true;

function groupSlots(group: Command): CompletionSlots {
  const path = commandPath(group);
  const visibleCommands = group.commands.filter(isListed);
  const aliases = visibleCommands.flatMap((command) => command.aliases().map((alias) => [alias, command] as const));
  return [
    [`${path}|sub`, [...visibleCommands.map((command) => command.name()), ...aliases.map(([alias]) => alias)]],
    [`${path}|opt`, [...GLOBAL_OPTIONS, ...(path === '' ? ['--version'] : [])]],
    [`${path}|val`, ['--data-dir']],
    ...aliases.map(([alias, command]): CompletionSlots[number] => [
      `alias|${`${path} ${alias}`.trim()}`,
      [commandPath(command)],
    ]),
  ];
}

function leafSlots(leaf: Command): CompletionSlots {
  const path = commandPath(leaf);
  const options = [...leaf.options.flatMap(({ long }) => long ?? []), ...GLOBAL_OPTIONS];
  const valueOptions = leaf.options.filter(({ required, optional }) => required || optional);
  return [
    [`${path}|opt`, options],
    [`${path}|val`, [...valueOptions.flatMap(({ long }) => long ?? []), '--data-dir']],
    ...valueOptions.map((option): CompletionSlots[number] => [
      `${path}|${option.long ?? ''}`,
      optionValues(option, path),
    ]),
    ...leaf.registeredArguments.map((argument, index): CompletionSlots[number] => [
      `${path}|${index + 1}`,
      argumentValues(argument, path),
    ]),
    [`${path}|${leaf.registeredArguments.length + 1}`, options],
  ];
}

const OPTION_NAME_KINDS: Readonly<Record<string, NameKind>> = {
  '--user': 'user',
  '--owner': 'user',
  'client transfer --to': 'user',
  'client owners --add': 'user',
  'client owners --remove': 'user',
  'client test-users --add': 'user',
  'client test-users --remove': 'user',
  'client keys --remove': 'key-of-client',
  'user logout --session': 'session-of-user',
  'user end-agents --client': 'agent-of-user',
  'log blast-radius --grant': 'grant',
  'log prove --chain': 'grant',
  'exchange-policy set --scope': 'scope',
  'trusted-issuer set --scope': 'scope',
  '--client': 'client',
  '--introspection-client': 'client',
  '--resource': 'resource',
};

const ARGUMENT_NAME_KINDS: Readonly<Record<string, NameKind>> = {
  'user name': 'user',
  user: 'user',
  'client-id': 'client',
  'subject-client-id': 'client',
  'group name': 'group',
  group: 'group',
  'group remove-user user': 'member-of-group',
  scope: 'scope',
  'session id': 'session',
  'grant id': 'grant',
  'log grant': 'grant',
  'invitation id': 'invitation',
  domain: 'domain',
  'resource uri': 'resource',
  'provider id': 'provider',
  issuer: 'issuer',
  kid: 'key',
  'brand-text key': 'brand-text',
  'setting value': 'value',
};

/** The placeholders of options and arguments that take a file or directory. */
const FILE_PLACEHOLDERS = /^(?:file|dir|directory|location)$/;

/** Commands that accept only run-time settings. */
const RUN_TIME_SETTING_COMMANDS = ['setting set', 'setting reset', 'setting forecast'];

/** Options whose values contain more than a name, and therefore are not completed. */
const TEXT_OPTIONS: ReadonlySet<string> = new Set(['trusted-issuer set --user']);

/** Commands whose argument is a name that does not exist yet. */
const COMMANDS_WITH_NEW_NAME = /^(?:user|group|scope|client|resource) add$/;

function optionValues({ long, flags, argChoices, parseArg }: Option, path: string): readonly string[] {
  const choices = argChoices ?? (parseArg as { readonly choices?: readonly string[] } | undefined)?.choices;
  if (choices !== undefined) return choices;
  if (long === '--type' && path.startsWith('log ')) return eventTypes();
  if (FILE_PLACEHOLDERS.test(/<(.*)>/.exec(flags)?.[1] ?? '')) return ['@file'];
  if (TEXT_OPTIONS.has(`${path} ${long}`)) return [];
  const kind = OPTION_NAME_KINDS[`${path} ${long}`] ?? OPTION_NAME_KINDS[long ?? ''];
  return kind === undefined ? [] : [`@${kind}`];
}

function argumentValues(argument: Argument, path: string): readonly string[] {
  const name = argument.name();
  if (argument.argChoices !== undefined) return argument.argChoices;
  if (name === 'setting') return RUN_TIME_SETTING_COMMANDS.includes(path) ? RUN_TIME_SETTINGS : SETTING_NAMES;
  if (path === 'keys rotate') return KEY_NAMES;
  if (FILE_PLACEHOLDERS.test(name)) return ['@file'];
  if (COMMANDS_WITH_NEW_NAME.test(path)) return [];
  const [group = ''] = path.split(' ');
  const keys = [`${path} ${name}`, `${group} ${name}`, name];
  const kind = keys.map((key) => ARGUMENT_NAME_KINDS[key]).find((candidate) => candidate !== undefined);
  return kind === undefined ? [] : [`@${kind}`];
}
