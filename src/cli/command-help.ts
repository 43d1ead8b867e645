import type { Command, Option } from 'commander';
import { didYouMean } from '../config/did-you-mean.ts';
import { refuseEmptyPaths } from './empty-paths.ts';
import { CannotRunError } from './exit.ts';
import { formatExample, typicalCommandName } from './examples.ts';
import { explainParseErrors } from './parse-problems.ts';

const EXIT_STATUS = 'Exit status: 0 done; 1 a finding or a refusal; 2 a usage error, or the command cannot run.';

export const PROGRAM_HELP = `
Examples:
  grantlog user add ada --admin
  grantlog client add --name Notes --type public --grant authorization-code \\
    --redirect-uri https://notes.example/cb
  grantlog log tail --follow
  source <(grantlog completion bash)

A command works on the running server of a data directory, or on the directory itself. The directory is DATA_DIR
(./data), or the value of --data-dir. GRANTLOG_CONFIG is the path of the configuration file.

${EXIT_STATUS}
`;

export const SERVE_HELP = `
Settings come from the environment and from the configuration file, whose path is GRANTLOG_CONFIG; grantlog config lists
them. PORT and HOST are the port and the address to listen on (default: 8000 and 127.0.0.1), and ISSUER is the public
URL:

  PORT=8080 ISSUER=https://login.example grantlog serve
`;

/** The end of the descriptions of two options if one of the two is required. */
export const ONE_OF_TWO = '(one of these is required)';

/**
 * Completes the help of every command: marks required options, and adds an example and the exit statuses. Also adds a
 * hook that reports all missing options together.
 */
export function completeHelp(program: Command): void {
  const requiredOptions = new Set<Option>();
  for (const command of leafCommands(program)) {
    command.allowExcessArguments(); // the hook first reports a missing option that the argument may belong to
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
    const noun = names.length === 1 ? 'a required option is' : 'required options are';
    throw new CannotRunError(`${noun} missing: ${names.join(', ')}; see grantlog ${commandPath(command)} --help`);
  });
}

/** Refuses the arguments that commander was told to allow. */
function refuseExcessArguments(command: Command): void {
  const { args, registeredArguments } = command;
  const expected = registeredArguments.length;
  if (args.length <= expected || registeredArguments.at(-1)?.variadic === true) return;
  const noun = expected === 1 ? 'argument' : 'arguments';
  const counts = `expected ${expected} ${noun}, but got ${args.length}`;
  throw new CannotRunError(`too many arguments: ${counts}; see grantlog ${commandPath(command)} --help`);
}

/** Commands are event emitters, which their types do not show. */
interface CountsListeners {
  listenerCount(event: string): number;
}

/** Adds an example and the exit statuses, after an empty line. Other text after the options already ends with one. */
function addExample(command: Command, example: string): void {
  const textCount = (command as unknown as CountsListeners).listenerCount('afterHelp');
  const separator = textCount === 0 ? '\n' : '';
  command.addHelpText('after', `${separator}Example:\n  ${example}\n\n${EXIT_STATUS}`);
}

function groupExample(group: Command): string {
  const typical =
    group.commands.find((command) => command.name() === typicalCommandName(group.name())) ?? group.commands[0];
  return typical === undefined ? '' : formatExample(commandPath(typical), typical);
}

function groups(program: Command): readonly Command[] {
  return program.commands.filter(({ commands }) => commands.length > 0);
}

/** Returns the commands without subcommands. */
export function leafCommands(command: Command): readonly Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leafCommands);
}

/** Returns the names of a command and its groups, such as `user add`. */
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
  if (parent.name() === 'import') return new CannotRunError(`unknown source ${name}; choose ${names.join(', ')}`);
  const choice = parent.parent === null ? '' : `; ${group} has ${names.join(', ')}`;
  return new CannotRunError(`unknown command ${name}${choice}; see ${group} --help`);
}

/** Maps names that commands have in other programs to the commands that do the same here. */
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
