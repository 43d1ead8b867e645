import { CannotRunError } from './exit.ts';

/** Options with an opposite that does not begin with `--no-`. */
const OPPOSITES: Readonly<Record<string, string>> = { '--enabled': '--disabled' };

/**
 * Refuses an option together with its opposite, such as `--required` with `--no-required`. Without this check, one of
 * the two would be ignored silently.
 * @throws CannotRunError if two options contradict each other
 */
export function refuseOpposites(words: readonly string[]): void {
  const end = words.indexOf('--');
  const options = words.slice(0, end === -1 ? undefined : end).map((word) => word.split('=', 1)[0] ?? word);
  for (const option of options) {
    const opposite = option.startsWith('--no-') ? option.replace('--no-', '--') : OPPOSITES[option];
    if (opposite !== undefined && options.includes(opposite))
      throw new CannotRunError(`${opposite} and ${option} contradict each other; specify only one of them`);
  }
}
