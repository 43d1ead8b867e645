import { Argument, type Command } from 'commander';
import type { LoadedConfig } from '../config/config.ts';
import { NAME_KINDS, listNames, type NameKind } from './completion-names.ts';
import { createScript, SHELLS, type Shell } from './completion-scripts.ts';
import { completionSlots } from './completion-slots.ts';
import type { Terminal } from './terminal.ts';

const HELP = `
  bash  source <(grantlog completion bash), or write it to /etc/bash_completion.d/grantlog
  zsh   source <(grantlog completion zsh), after compinit
  fish  grantlog completion fish > ~/.config/fish/completions/grantlog.fish

The script completes commands, options, choices, settings and their values. While a server is running, the script also
completes the names and ids of users, groups, clients, scopes, sessions, grants, invitations, domains and resource
servers, among others.
`;

export interface CompletionDeps {
  readonly terminal: Pick<Terminal, 'out'>;
  readonly readSettings: () => LoadedConfig;
}

/** Adds the `completion` command, which prints a script that lets a shell complete commands and their options. */
export function completionCommand(program: Command, { terminal: { out }, readSettings }: CompletionDeps): void {
  program
    .command('completion')
    .description('print a script that lets a shell complete commands, options and their values')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText('after', HELP)
    .action(async (shell: Shell) => out(createScript(shell, completionSlots(program))));

  program
    .command('complete-names', { hidden: true })
    .description('print the names of one kind, for shell completion')
    .addArgument(new Argument('<kind>', 'the kind of name').choices(NAME_KINDS))
    .argument('[preceding-argument]', 'the argument before the name')
    .action(async (kind: NameKind, precedingArgument: string | undefined) => {
      const names = await listNames(readSettings().config.dataDir, kind, precedingArgument);
      await out(names.map((name) => `${name}\n`).join(''));
    });
}
