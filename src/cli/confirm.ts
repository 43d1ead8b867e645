import type { Command } from 'commander';
import { CannotRunError } from './exit.ts';
import type { Terminal } from './terminal.ts';

/** The descriptions of `--yes`, by whether a script needs the option. */
const YES_DESCRIPTIONS = {
  /** For commands that existing scripts run without `--yes`. */
  optional: 'do not ask for confirmation (a later release will require this option without a terminal)',
  /** For `provider set`: a script needs `--yes` to lock users out with `--required`; `--disabled` only warns. */
  conditional: 'do not ask for confirmation, and do not warn (see below)',
  required: 'do not ask for confirmation (required without a terminal)',
} as const;

/**
 * Adds `--yes` to a command that asks for confirmation.
 * @param condition when the command asks, such as `with --remove`; by default, it always asks
 */
export function withYesOption(
  command: Command,
  necessity: keyof typeof YES_DESCRIPTIONS = 'required',
  condition?: string,
): Command {
  return command.option('--yes', `${condition === undefined ? '' : `${condition}: `}${YES_DESCRIPTIONS[necessity]}`);
}

interface Confirmation {
  readonly yes?: true | undefined;
  /**
   * Completes "This cannot be undone: …". A function is called before the question, the warning or the refusal,
   * so that nobody confirms the loss of something that does not exist. The function resolves with null if there is
   * nothing to confirm.
   * @throws OperationRefused if the object that would be changed does not exist
   */
  readonly consequence: string | (() => Promise<string | null>);
  /** Whether a script that runs the command without `--yes` gets only a warning. */
  readonly runsInScripts?: boolean;
}

/**
 * Asks the operator to confirm the consequence, unless `--yes` was given or there is nothing to confirm. If there is no
 * terminal to prompt on and `runsInScripts` is true, only warns.
 * @throws CannotRunError if the operator does not confirm, or cannot be asked and `runsInScripts` is false
 */
export async function confirm(
  { ask, err }: Pick<Terminal, 'ask' | 'err'>,
  { yes, consequence, runsInScripts = false }: Confirmation,
): Promise<void> {
  if (yes === true) return;
  const statement = typeof consequence === 'string' ? consequence : await consequence();
  if (statement === null) return;
  if (ask === undefined && runsInScripts)
    return err(
      `grantlog: warning: this cannot be undone: ${statement}. A later release will require --yes to confirm\n`,
    );
  if (ask === undefined)
    throw new CannotRunError(
      `this cannot be undone: ${statement}. Add --yes to confirm; there is no terminal to prompt on`,
    );
  await askToContinue(ask, `This cannot be undone: ${statement}`);
}

/**
 * Asks the operator whether to continue.
 * @throws CannotRunError if the answer is not yes
 */
export async function askToContinue(ask: NonNullable<Terminal['ask']>, statement: string): Promise<void> {
  const answer = await ask(`${statement}. Continue? [y/N] `);
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new CannotRunError('not confirmed; nothing was changed');
}
