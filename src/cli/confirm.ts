import type { Command } from 'commander';
import { CannotRunError } from './exit.ts';
import type { Terminal } from './terminal.ts';

const IN_SCRIPTS = {
  /** For commands that existing scripts run without `--yes`. */
  runs: 'do not ask for confirmation (a later release will require this option without a terminal)',
  /** For `provider set`: without `--yes`, scripts cannot lock users out with `--required`; `--disabled` only warns. */
  depends: 'do not ask for confirmation, and do not warn (see below)',
  refuses: 'do not ask for confirmation (required without a terminal)',
} as const;

/**
 * Adds `--yes` to a command that asks for confirmation.
 * @param condition when the command asks, such as `with --remove`; by default, it always asks
 */
export function withYesOption(
  command: Command,
  inScripts: keyof typeof IN_SCRIPTS = 'refuses',
  condition?: string,
): Command {
  return command.option('--yes', `${condition === undefined ? '' : `${condition}: `}${IN_SCRIPTS[inScripts]}`);
}

interface Confirmation {
  readonly yes?: true | undefined;
  /**
   * Completes "This cannot be undone: …". A function is called before the question, the warning or the refusal,
   * so that nobody confirms the loss of something that does not exist. It resolves with null if there is nothing to
   * confirm.
   * @throws OperationRefused if the object that would be changed does not exist
   */
  readonly consequence: string | (() => Promise<string | null>);
  /** Whether scripts can run the command without `--yes`, and get only a warning. */
  readonly runsInScripts?: boolean;
}

/**
 * Resolves if the operator confirms the consequence, has confirmed it with `--yes`, or has nothing to confirm. Without
 * a terminal to prompt on, a command that `runsInScripts` only warns.
 * @throws CannotRunError if the operator does not confirm, or if any other command has no terminal to prompt on
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

/** @throws CannotRunError if the operator does not answer with yes */
export async function askToContinue(ask: NonNullable<Terminal['ask']>, statement: string): Promise<void> {
  const answer = await ask(`${statement}. Continue? [y/N] `);
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new CannotRunError('not confirmed; nothing was changed');
}
