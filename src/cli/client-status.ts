import type { Command } from 'commander';
import { callOnce, printOne, withJsonOption, type CliContext } from './context.ts';
import { escapeControls } from './print.ts';

const COMMANDS = [
  ['disable', "refuse a client's requests and tokens until it is enabled again", 'disabled', 'its tokens are refused'],
  ['enable', "accept a client's requests and tokens again", 'enabled', 'its unexpired tokens work again'],
] as const;

/**
 * Adds the commands that disable and enable a client. Neither revokes grants or tokens, so neither asks for
 * confirmation.
 */
export function clientStatusCommands(client: Command, context: CliContext): void {
  for (const [name, description, outcome, effect] of COMMANDS) {
    withJsonOption(
      client.command(name).description(description).argument('<client-id>', 'id or unique name of the client'),
    ).action(async (clientId: string, options: { readonly json?: true }) => {
      const displayedId = escapeControls(clientId);
      const shouldBeDisabled = name === 'disable';
      if (
        !options.json &&
        ((await callOnce(context, 'client show', { clientId }))['disabled_at'] !== null) === shouldBeDisabled
      )
        return context.terminal.out(`${displayedId} was already ${outcome}; nothing changed\n`);
      const result = await callOnce(context, `client ${name}`, { clientId });
      if (options.json) return printOne(context, result, options);
      await context.terminal.out(`${displayedId} is ${outcome}; ${effect}\n`);
    });
  }
}
