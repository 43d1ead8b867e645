import { InvalidArgumentError, Option, type Command } from 'commander';
import { confirm, withYesOption } from './confirm.ts';
import { callOnce, printSecret, withJsonOption, type CliContext } from './context.ts';
import { publicClientRefusal } from '../operations/require-client.ts';
import { escapeControls, wholeSeconds } from './print.ts';
import { parseDuration } from './time-arguments.ts';

/** Thirty days, the maximum that the server allows. */
const MAX_OVERLAP_SECONDS = 2_592_000;

function parseOverlap(text: string): number {
  const seconds = parseDuration(text);
  if (seconds > MAX_OVERLAP_SECONDS)
    throw new InvalidArgumentError('The old secret can stay valid for at most 30 days.');
  return seconds;
}

/** Adds the `client rotate-secret` command. */
export function clientSecretCommand(client: Command, context: CliContext): void {
  withYesOption(
    withJsonOption(
      client
        .command('rotate-secret')
        .description('give a client a new secret and print it once')
        .argument('<client-id>', 'id or unique name of the client'),
    ),
    'optional',
    'without --overlap',
  )
    .addOption(
      new Option(
        '--overlap <duration>',
        'how long the old secret stays valid (e.g. 90m, 36h, 7d; max 30d); any older secret is revoked immediately',
      )
        .argParser(parseOverlap)
        .default(0, 'revoked immediately'),
    )
    .action(async (clientId: string, { overlap, yes, ...options }: { overlap: number; yes?: true; json?: true }) => {
      const describeConsequence = async (): Promise<string> => {
        const { name, client_type: type } = await callOnce(context, 'client show', { clientId });
        if (type === 'public') throw publicClientRefusal(clientId);
        return `the current secret of ${escapeControls(`${String(name)} (${clientId})`)} will stop working immediately`;
      };
      if (overlap === 0)
        await confirm(context.terminal, { yes, consequence: describeConsequence, runsInScripts: true });
      const result = await callOnce(context, 'client rotate-secret', { clientId, overlapSeconds: overlap });
      await printSecret(context, result, 'client_secret', options);
      const endsAt = result['previous_secret_ends_at'];
      const outcome = typeof endsAt === 'string' ? `works until ${wholeSeconds(endsAt)}` : 'no longer works';
      if (options.json !== true) context.terminal.err(`the previous secret ${outcome}\n`);
    });
}
