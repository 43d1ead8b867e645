import type { Command } from 'commander';
import { CannotRunError } from './exit.ts';

/** The placeholders of options and arguments whose values are paths or URLs. */
const PATHS = /^(?:dir|directory|file|location)$/;

/**
 * Refuses empty paths. An empty path usually comes from an unset variable in a script, and would silently select the
 * current directory or the default.
 * @throws CannotRunError that names the option or argument
 */
export function refuseEmptyPaths(command: Command): void {
  for (let current: Command | null = command; current !== null; current = current.parent) {
    for (const option of current.options) {
      const [, placeholder = ''] = /[<[]([^>\]]+)/.exec(option.flags) ?? [];
      if (PATHS.test(placeholder) && current.getOptionValue(option.attributeName()) === '')
        throw emptyPathError(option.long ?? option.flags, placeholder);
    }
    for (const [index, argument] of current.registeredArguments.entries())
      if (PATHS.test(argument.name()) && current.processedArgs[index] === '')
        throw emptyPathError(argument.name(), argument.name());
  }
}

function emptyPathError(name: string, placeholder: string): CannotRunError {
  const kind = placeholder === 'dir' ? 'directory' : placeholder;
  const advice = name.startsWith('--') ? ', or omit the option' : '';
  return new CannotRunError(`${name}: must not be empty; specify a ${kind}${advice}`);
}
