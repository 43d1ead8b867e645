import type { Command, Option } from 'commander';
import { didYouMean } from '../config/did-you-mean.ts';
import { refuseEmptyPaths } from './empty-paths.ts';
import { CannotRunError } from './exit.ts';
import { formatExample, typicalCommandName } from './examples.ts';
import { explainParseErrors } from './parse-problems.ts';

const EXIT_STATUS = 'Exit status: 0 success; 1 a finding or a refusal; 2 a usage error or a command that cannot run.';

export const PROGRAM_HELP = `
Examples:
  grantlog user add ada --admin
  grantlog client add --name Notes --type public --grant authorization-code \\
    --redirect-uri https://notes.example/cb
  grantlog log tail --follow
  source <(grantlog completion bash)

Most commands operate on the server running on a data directory, or on the directory itself if no server is running. The
data directory is the value of --data-dir or of DATA_DIR (default: ./data). GRANTLOG_CONFIG is the path of the
configuration file.

${EXIT_STATUS}
`;

export const SERVE_HELP = `
Settings come from the environment and from the configuration file at the path in GRANTLOG_CONFIG; grantlog config lists
them. PORT and HOST are the port and the address to listen on (default: 8000 and 127.0.0.1), and ISSUER is the public
URL:

  PORT=8080 ISSUER=https://login.example grantlog serve
`;

/** The end of the descriptions of two options, of which one is required. */
export const ONE_OF_TWO = '(one of these is required)';

/**
 * Completes the help of every command: marks required options, and adds an example and the exit statuses. Also makes
 * every command explain usage errors, and report all missing options together.
 */
export function completeHelp(program: Command): void {
  const requiredOptions = new Set<Option>();
  for (const command of leafCommands(program)) {
    // The hook reports missing options first, because an excess argument may be the value of a missing option.
    command.allowExcessArguments();
    for (const option of command.options.filter(({ mandatory }) => mandatory)) {
      requiredOptions.add(option);
      option.mandatory = false; // otherwise only the first missing option would be reported
      option.description += ' (required)';
    }
    addExample(command, formatExample(commandPath(command), command));
  }
  for (const group of groups(program)) addExample(group, groupExample(group));
  for (const command of [program, ...groups(program), ...leafCommands(program)])
    explainParseErrors(command, commandPath(command));
  program.hook('preAction', (_program, command) => {
    const isMissing = (option: Option): boolean => command.getOptionValue(option.attributeName()) === undefined;
    const missing = command.options.filter((option) => requiredOptions.has(option) && isMissing(option));
    const names = missing.map(({ flags }) => flags.replace(/^-\w, /, ''));
    const alternatives = command.options.filter(({ description }) => description.endsWith(ONE_OF_TWO));
    if (alternatives.length > 1 && alternatives.every(isMissing))
      names.push(alternatives.map(({ long }) => long).join(' or '));
    if (names.length === 0) {
      refuseExcessArguments(command);
      return refuseEmptyPaths(command);
    }
    const subject = names.length === 1 ? 'a required option is' : 'required options are';
    throw new CannotRunError(`${subject} missing: ${names.join(', ')}; see grantlog ${commandPath(command)} --help`);
  });
}

/** Refuses excess arguments, which `completeHelp` made commander allow. */
function refuseExcessArguments(command: Command): void {
  const { args, registeredArguments } = command;
  const expected = registeredArguments.length;
  if (args.length <= expected || registeredArguments.at(-1)?.variadic === true) return;
  const noun = expected === 1 ? 'argument' : 'arguments';
  const counts = `expected ${expected} ${noun}, but got ${args.length}`;
  throw new CannotRunError(`too many arguments: ${counts}; see grantlog ${commandPath(command)} --help`);
}

/** A method that commands have, because they are event emitters, but that commander's types do not declare. */
interface ListenerCounter {
  listenerCount(event: string): number;
}

/** Adds an example and the exit statuses after an empty line. Text that was added earlier ends with an empty line. */
function addExample(command: Command, example: string): void {
  const textCount = (command as unknown as ListenerCounter).listenerCount('afterHelp');
  const separator = textCount === 0 ? '\n' : '';
  command.addHelpText('after', `${separator}Example:\n  ${example}\n\n${EXIT_STATUS}`);
}

function groupExample(group: Command): string {
  const typicalCommand =
    group.commands.find((command) => command.name() === typicalCommandName(group.name())) ?? group.commands[0];
  return typicalCommand === undefined ? '' : formatExample(commandPath(typicalCommand), typicalCommand);
}

function groups(program: Command): readonly Command[] {
  return program.commands.filter(({ commands }) => commands.length > 0);
}

/** Returns the commands without subcommands. */
export function leafCommands(command: Command): readonly Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leafCommands);
}

/** Returns the name of a command after the names of its groups, such as `user add`. */
export function commandPath(command: Command): string {
  const parentPath = command.parent === null ? '' : commandPath(command.parent);
  return command.parent === null ? '' : `${parentPath} ${command.name()}`.trim();
}

/** Turns `help user add` into `user add --help`. */
export function expandHelp(words: readonly string[]): readonly string[] {
  return words[0] === 'help' ? [...words.slice(1), '--help'] : words;
}

/**
 * Refuses unknown commands before the command line is parsed, so that they fail even with `--help`.
 * @throws CannotRunError if the first word is not a command, or a later word is not a command of its group
 */
export function requireKnownCommand(words: readonly string[], program: Command): void {
  const names = words.filter((word, index) => !word.startsWith('-') && words[index - 1] !== '--data-dir');
  let parent = program;
  for (const name of names) {
    if (parent.commands.length === 0) return; // the other words are arguments
    const subcommand = parent.commands.find((command) => command.name() === name || command.aliases().includes(name));
    if (subcommand === undefined) throw unknownCommand(name, parent);
    parent = subcommand;
  }
}

function unknownCommand(name: string, parent: Command): CannotRunError {
  const group = ['grantlog', commandPath(parent)].join(' ').trim();
  if (name === 'help') return new CannotRunError(`unknown command help; did you mean ${group} --help?`);
  const names = parent.commands.map((command) => command.name());
  const synonym = SYNONYMS.get(name)?.find((candidate) => names.includes(candidate));
  const suggestion = synonym ?? didYouMean(name, names);
  if (suggestion !== undefined)
    return new CannotRunError(`unknown command ${name}; did you mean ${group} ${suggestion}?`);
  if (parent.name() === 'import')
    return new CannotRunError(`unknown source ${name}; available sources: ${names.join(', ')}`);
  const choices = parent.parent === null ? '' : `; available commands: ${names.join(', ')}`;
  return new CannotRunError(`unknown command ${name}${choices}; see ${group} --help`);
}

/** The equivalents of command names that other programs use, in order of preference. */
const SYNONYMS: ReadonlyMap<string, readonly string[]> = new Map([
  ['activate', ['enable']],
  ['cancel', ['withdraw', 'revoke']],
  ['create', ['add', 'set']],
  ['deactivate', ['disable']],
  ['delete', ['remove', 'erase', 'end', 'withdraw']],
  ['edit', ['update', 'set']],
  ['get', ['show', 'list']],
  ['lock', ['disable']],
  ['ls', ['list']],
  ['members', ['owners', 'show']],
  ['new', ['add', 'set']],
  ['password', ['passwd']],
  ['reset', ['remove']],
  ['revoke', ['withdraw', 'end', 'retire', 'remove']],
  ['rm', ['remove', 'erase', 'end', 'withdraw']],
  ['signout', ['logout']],
  ['unlock', ['enable']],
  ['unset', ['reset', 'remove']],
]);
