import type { Command, CommanderError } from 'commander';
import { didYouMean } from '../config/did-you-mean.ts';
import { CannotRunError } from './exit.ts';

/**
 * Makes a command report commander's parse errors like all other usage errors: with the option or argument, the value,
 * and advice.
 * @param path the full name of the command, including the names of its groups, such as `client add`
 */
export function explainParseErrors(command: Command, path: string): void {
  const help = `grantlog ${path} --help`.replace('  ', ' ');
  command.exitOverride((error) => {
    const isHelp = error.exitCode === 0 || error.code === 'commander.help';
    throw isHelp ? error : new CannotRunError(describeProblem(error, help));
  });
}

function describeProblem({ message }: Pick<CommanderError, 'message'>, help: string): string {
  const problem = message.replace(/^error: /, '');
  for (const [pattern, describe] of DESCRIPTIONS) {
    const parts = pattern.exec(problem)?.slice(1);
    if (parts === undefined) continue;
    const description = describe(...parts);
    return description.endsWith('?') ? description : `${description}; see ${help}`;
  }
  return `${problem.replace(/\.$/, '')}; see ${help}`;
}

/**
 * Commander's errors have no properties for the option and its value, so these patterns extract both from the messages.
 */
const DESCRIPTIONS: readonly (readonly [pattern: RegExp, describe: (...parts: readonly string[]) => string])[] = [
  [/^option '(.*?)' argument '(.*)' is invalid\. (.*)$/s, (flags, ...rest) => invalidValue(longName(flags), ...rest)],
  [
    /^command-argument value '(.*)' is invalid for argument '(.*?)'\. (.*)$/s,
    (value, name, reason) => invalidValue(name, value, reason),
  ],
  [/^option '(.*?)' argument missing$/, (flags) => `a value is missing: ${longFlags(flags)}`],
  [/^missing required argument '(.*)'$/, (name) => `a required argument is missing: ${name}`],
  [
    /^unknown option '(.*?)'\n\(Did you mean (.*)\?\)$/s,
    (name, other) => `unknown option ${name}; did you mean ${other}?`,
  ],
  [/^unknown option '(.*)'$/s, (name) => `unknown option ${name}`],
  [
    /^option '(.*?)' cannot be used with option '(.*?)'$/,
    (flags, otherFlags) => `specify only one of ${longName(flags)} and ${longName(otherFlags)}`,
  ],
];

function invalidValue(name = '', value = '', reason = ''): string {
  const [, choices] = /^Allowed choices are (.*)\.$/.exec(reason) ?? [];
  const quotedValue = JSON.stringify(value);
  if (choices !== undefined && !choices.includes(', '))
    return `${name}: ${quotedValue} is not valid: it must be ${choices}`;
  if (choices !== undefined) {
    const suggestion = didYouMean(value, choices.split(', '));
    const problem = `${name}: ${quotedValue} is not one of ${choices}`;
    return suggestion === undefined ? problem : `${problem}; did you mean ${suggestion}?`;
  }
  const explanation = `${reason.charAt(0).toLowerCase()}${reason.slice(1)}`.replace(/\.$/, '');
  return `${name}: ${quotedValue} is not valid: ${explanation}`;
}

/** Returns the long form of `-n, --limit <count>`, with its placeholder. */
const longFlags = (flags: string | undefined): string => flags?.replace(/^-\w, /, '') ?? '';

const longName = (flags: string | undefined): string => longFlags(flags).split(' ', 1)[0] ?? '';
