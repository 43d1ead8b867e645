import type { RequirementForecast } from '../operations/provider-requirement.ts';
import { askToContinue } from './confirm.ts';
import { callOnce, type CliContext } from './context.ts';
import { CannotRunError } from './exit.ts';
import { providerExists } from './new-provider.ts';
import { pluralize, escapeControls } from './print.ts';

/**
 * Asks for confirmation if requiring the provider turns passwords off. The question states how many users could no
 * longer log in. In a script, `--yes` is required if at least one user could no longer log in.
 * @throws CannotRunError if the operator does not confirm
 */
export async function confirmRequirement(
  providerId: string,
  yes: true | undefined,
  context: CliContext,
): Promise<void> {
  if (yes === true) return;
  const { ask, err } = context.terminal;
  const forecast = await callOnce(context, 'provider requirement', { providerId }, { create: true });
  if (forecast['passwords_off'] === true) return;
  const { locked_out: lockedOutUsers } = forecast as unknown as RequirementForecast;
  const consequence = describeLockout(forecast as unknown as RequirementForecast);
  const advice = await adviseConnectionTest(providerId, context);
  if (ask === undefined && lockedOutUsers === 0) return;
  if (ask === undefined)
    throw new CannotRunError(
      `passwords would be turned off for all users: ${consequence}. ${advice}. Add --yes to confirm; ` +
        'there is no terminal to prompt on',
    );
  err(`${advice}\n`);
  await askToContinue(ask, `Passwords will be turned off for all users: ${consequence}`);
}

/** Returns advice to test the connection first. A new provider cannot be tested until it has been added. */
async function adviseConnectionTest(providerId: string, context: CliContext): Promise<string> {
  const command = `grantlog provider test ${escapeControls(providerId)}`;
  return (await providerExists(providerId, context))
    ? `To test the connection first: ${command}`
    : `To test the connection first, add the provider without --required, and then run: ${command}`;
}

/**
 * Asks for confirmation if no administrator could log in after the provider is disabled. In a script, only warns,
 * because the operator can undo the change with `--no-disabled`, without logging in.
 * @throws CannotRunError if the operator does not confirm
 */
export async function confirmDisabling(providerId: string, yes: true | undefined, context: CliContext): Promise<void> {
  if (yes === true || !(await providerExists(providerId, context))) return;
  const forecast = await callOnce(context, 'provider forecast', { providerId });
  if (forecast['leaves_no_administrator'] !== true) return;
  const { ask, err } = context.terminal;
  const consequence = 'no administrator will be able to log in';
  if (ask === undefined) return err(`grantlog: warning: ${consequence}\n`);
  await askToContinue(ask, `If the provider is disabled, ${consequence}`);
}

function describeLockout(forecast: RequirementForecast): string {
  const {
    users,
    locked_out: lockedOutUsers,
    administrators,
    administrators_locked_out: lockedOutAdministrators,
  } = forecast;
  return (
    `${lockedOutUsers} of ${pluralize(users, 'user')}, including ${lockedOutAdministrators} of ` +
    `${pluralize(administrators, 'administrator')}, could no longer log in, because they have neither a passkey ` +
    'nor an account at a required provider'
  );
}
