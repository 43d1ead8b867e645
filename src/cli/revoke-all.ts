import type { GrantRow } from '../operations/access.ts';
import { confirm } from './confirm.ts';
import { callOnce, printOne, type CliContext } from './context.ts';
import { pluralize, escapeControls } from './print.ts';

export interface ConfirmedOption {
  readonly yes?: true;
  readonly json?: true;
}

/** Revokes all grants by a user, or only those to one client. The confirmation prompt contains their number. */
export async function revokeAll(
  username: string,
  clientId: string | undefined,
  { yes, ...options }: ConfirmedOption,
  context: CliContext,
): Promise<void> {
  const name = escapeControls(username);
  const target = clientId === undefined ? '' : ` to ${escapeControls(clientId)}`;
  const consequence = async (): Promise<string | null> => {
    const clients: string[] = [];
    for await (const item of context.call('grant list', { username, clientId }))
      clients.push((item as GrantRow).client_id);
    if (clients.length === 0) return null;
    const applications = pluralize(new Set(clients).size, 'application');
    const grants = `${pluralize(clients.length, 'grant')} by ${name} to ${applications}`;
    return `${grants} will be revoked, along with all their tokens`;
  };
  await confirm(context.terminal, { yes, consequence });
  const result = await callOnce(context, 'grant revoke-all', { username, clientId });
  if (options.json) return printOne(context, result, options);
  const number = Number(result['revoked']);
  await context.terminal.out(
    number === 0
      ? `${name} had no valid grant${target}\n`
      : `${pluralize(number, 'grant')} by ${name}${target} ${number === 1 ? 'has' : 'have'} been revoked\n`,
  );
}
