import type { Command } from 'commander';
import { unknownAgentError, type AgentRow } from '../operations/user-agents.ts';
import { confirm, withYesOption } from './confirm.ts';
import { callOnce, printList, printOne, withJsonOption, type CliContext } from './context.ts';
import { escapeControls } from './print.ts';

const COLUMNS = ['client_id', 'name', 'runs_on', 'resources', 'scope', 'since', 'last_used_at'];

/** Adds the commands that list and end the agents of a user. */
export function userAgentCommands(user: Command, context: CliContext): void {
  withJsonOption(
    user
      .command('agents')
      .description('list the agents that act for a user: where, with which permissions, since when, and their last use')
      .argument('<name>', 'user name'),
  ).action((username: string, options: { json?: true }) =>
    printList(context, 'user agents', COLUMNS, options, { username }),
  );

  withYesOption(
    withJsonOption(
      user
        .command('end-agents')
        .description('end the access of every agent that acts for a user, or of one of them')
        .argument('<name>', 'user name'),
    ),
  )
    .option('--client <id>', 'end only this agent; see: grantlog user agents')
    .action(async (username: string, { client, yes, json }: { client?: string; yes?: true; json?: true }) => {
      const affected = client === undefined ? 'every agent' : `the agent ${escapeControls(client)}`;
      const describeConsequence = async (): Promise<string | null> => {
        const agents: AgentRow[] = [];
        for await (const agent of context.call('user agents', { username })) agents.push(agent as AgentRow);
        const affectedAgents = agents.filter((agent) => client === undefined || agent.client_id === client);
        if (affectedAgents.length === 0 && client !== undefined) throw unknownAgentError(client, username);
        if (affectedAgents.length === 0) return null;
        const names = affectedAgents.map(({ name }) => escapeControls(name)).join(', ');
        return `${affected} will lose the access that ${escapeControls(username)} gave (${names})`;
      };
      await confirm(context.terminal, { yes, consequence: describeConsequence });
      const input = client === undefined ? { username } : { username, clientId: client };
      const result = await callOnce(context, 'user end-agents', input);
      if (json) return printOne(context, result, { json });
      const endedAgents = (result['ended'] as readonly string[]).map((id) => escapeControls(id));
      const outcome = endedAgents.length === 0 ? 'had no agents' : `no longer has the agents ${endedAgents.join(', ')}`;
      await context.terminal.out(`${escapeControls(username)} ${outcome}\n`);
    });
}
