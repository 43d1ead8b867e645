import { Option, type Command } from 'commander';
import { SIGNING_ALGORITHMS } from '../domain/values.ts';

/** Adds options under their own heading in the help. */
export function withOptionGroup(command: Command, heading: string, options: readonly Option[]): Command {
  for (const option of options) command.addOption(option.helpGroup(heading));
  return command;
}

/** Creates an option whose value is a signature algorithm. */
export function algorithmOption(name: string, description: string): Option {
  return new Option(`${name} <algorithm>`, description).choices(SIGNING_ALGORITHMS);
}

/** Converts false, the value of a `--no-` option, to null, which removes the stored value. Keeps other values. */
export function orNull<Value>(value: Value | false | undefined): Value | null | undefined {
  return value === false ? null : value;
}

/** Returns `input`, or undefined if all of its values are undefined. */
export function undefinedIfEmpty(input: object): object | undefined {
  return Object.values(input).every((value) => value === undefined) ? undefined : input;
}
