import { Option, type Command } from 'commander';
import { SIGNING_ALGORITHMS } from '../domain/values.ts';

/** Adds options under their own heading of the help. */
export function withOptionGroup(command: Command, heading: string, options: readonly Option[]): Command {
  for (const option of options) command.addOption(option.helpGroup(heading));
  return command;
}

/** An option whose value is a signature algorithm. */
export function algorithmOption(name: string, description: string): Option {
  return new Option(`${name} <algorithm>`, description).choices(SIGNING_ALGORITHMS);
}

/** Null if the option removes the value, undefined if it was not given. */
export function orNull<Value>(value: Value | false | undefined): Value | null | undefined {
  return value === false ? null : value;
}

/** The options as input of an operation; undefined if none was given. */
export function givenOptions(input: object): object | undefined {
  return Object.values(input).every((value) => value === undefined) ? undefined : input;
}
