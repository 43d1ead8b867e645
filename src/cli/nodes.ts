import type { Command } from 'commander';
import type { LoadedConfig } from '../config/config.ts';
import type { NodeStatus } from '../event-store/shared-storage.ts';
import { withJsonOption } from './context.ts';
import { fitMessage, formatJson, formatTable } from './print.ts';
import type { Terminal } from './terminal.ts';

export interface NodesDeps {
  readonly terminal: Pick<Terminal, 'out' | 'tableWidth'>;
  readonly readSettings: () => LoadedConfig;
  /** Lists the nodes that share the log in the database at `url`. */
  readonly listNodes: (url: string) => Promise<readonly NodeStatus[]>;
}

const COLUMNS = ['host', 'process_id', 'release', 'running', 'started_at', 'seen_at', 'position', 'lag'];

const HELP = `
Reads the database, so no node needs to run on this machine. HOST and PROCESS ID show where a node runs; --json also
includes its id. LAG is the number of events in the log that a node has not reported as received. A node that stops
cleanly disappears from the list; a node that crashed or lost its connection to the database stays in the list for a
day, with "no" under RUNNING. A command that opens the log counts as a node while it runs.
`;

/** Adds the `nodes` command. */
export function nodesCommand(program: Command, { terminal, readSettings, listNodes }: NodesDeps): void {
  withJsonOption(program.command('nodes').description('list the nodes that share the log in PostgreSQL'))
    .addHelpText('after', HELP)
    .action(async ({ json: asJson }: { json?: true }) => {
      const { log, dataDir } = readSettings().config;
      const nodes = log === null ? [] : await listNodes(log);
      if (asJson) return terminal.out(formatJson(nodes));
      if (log === null)
        return terminal.out(
          fitMessage(terminal, `GRANTLOG_LOG is not set: the log is in ${dataDir}, and only one process can use it\n`),
        );
      const rows = nodes.map((node) => ({ ...node }));
      await terminal.out(nodes.length === 0 ? 'no node is running\n' : formatTable(terminal, COLUMNS, rows));
    });
}
