import type { Command } from 'commander';
import { CannotRunError } from './exit.ts';

/** The placeholders of options and arguments whose value is a path or a URL. */
const PATHS = /^(?:dir|directory|file|location)$/;

/**
 * Refuses an empty path. It is usually an unset variable of a script, and would stand for the current directory, or for
 * the default.
 * @throws CannotRunError that names the option or argument
 */
export function refuseEmptyPaths(command: Command): void {
  for (let current: Command | null = command; current !== null; current = current.parent) {
    for (const option of current.options) {
      const [, placeholder = ''] = /[<[]([^>\]]+)/.exec(option.flags) ?? [];
      if (PATHS.test(placeholder) && current.getOptionValue(option.attributeName()) === '')
        throw emptyPath(option.long ?? option.flags, placeholder);
    }
    for (const [index, argument] of current.registeredArguments.entries())
      if (PATHS.test(argument.name()) && current.processedArgs[index] === '')
        throw emptyPath(argument.name(), argument.name());
  }
}

function emptyPath(name: string, placeholder: string): CannotRunError {
  const kind = placeholder === 'dir' ? 'directory' : placeholder;
  const advice = name.startsWith('--') ? ', or omit the option' : '';
  return new CannotRunError(`${name}: must not be empty; specify a ${kind}${advice}`);
}
