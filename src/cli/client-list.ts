import { Option, type Command } from 'commander';
import { CLIENT_TYPES } from '../domain/values.ts';
import { printList, withJsonOption, type CliContext } from './context.ts';

const COLUMNS = ['client_id', 'name', 'client_type', 'status', 'owner', 'last_used_at'];

interface ListOptions {
  readonly search?: string;
  readonly type?: string;
  readonly status?: string;
  readonly owner?: string;
  readonly json?: true;
}

/** Adds the `client list` command. */
export function clientListCommand(client: Command, context: CliContext): void {
  withJsonOption(client.command('list').description('list the clients'))
    .option('--search <text>', 'only clients whose name, client id or owner contains this text')
    .addOption(new Option('--type <type>', 'only clients of this type').choices(CLIENT_TYPES))
    .addOption(
      new Option('--status <status>', 'only clients in this mode, or only disabled clients').choices([
        'live',
        'test',
        'disabled',
      ]),
    )
    .option('--owner <name>', 'only clients that this user manages')
    .action(({ search, type: clientType, status, owner, ...options }: ListOptions) =>
      printList(context, 'client list', COLUMNS, options, { search, clientType, status, owner }, (item) => ({
        ...item,
        status: item['disabled_at'] === null ? item['mode'] : 'disabled',
      })),
    );
}
