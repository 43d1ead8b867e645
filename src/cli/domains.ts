import type { Command } from 'commander';
import { OperationRefused } from '../operations/control/operation-refused.ts';
import { parseDomain, invalidDomainError } from '../operations/domains.ts';
import { findCoveringEntry, collectRuleNotes } from './domain-rule.ts';
import { callOnce, commandGroup, printList, printOne, withJsonOption, type CliContext } from './context.ts';

/** Adds the commands that manage the domains whose metadata documents are allowed or blocked. */
export function domainCommands(program: Command, context: CliContext): void {
  const domains = commandGroup(
    program,
    'domain',
    'domains that may describe applications (Client ID Metadata Documents)',
  );

  function addChangeCommand(name: string, description: string, rule: 'allowed' | 'blocked' | null): void {
    const command = domains.command(name).description(description);
    withJsonOption(
      command.argument('<domain>', 'domain, including its subdomains; an entry for a subdomain takes precedence'),
    ).action(async (domain: string, options: { json?: true }) => {
      const result = await callOnce(context, 'domain set', { domain, rule }, { create: true });
      if (rule === null && result['was'] === null)
        throw new OperationRefused(`${String(result['domain'])} is not in the list; see: grantlog domain list`);
      if (options.json) return printOne(context, result, options);
      const domainName = String(result['domain']);
      await context.terminal.out(
        result['was'] === rule
          ? `${domainName} was already ${String(rule)}; nothing changed\n`
          : `${domainName} ${rule === null ? 'was removed' : `is ${rule}`}\n`,
      );
      if (rule === null) return;
      for (const text of await collectRuleNotes(domainName, rule, context)) context.terminal.err(`note: ${text}\n`);
    });
  }

  addChangeCommand('allow', 'allow the applications of a domain; required while clientDocuments is list', 'allowed');
  addChangeCommand('block', 'block the applications of a domain', 'blocked');
  addChangeCommand('remove', 'remove a domain from the list', null);

  withJsonOption(
    domains
      .command('show')
      .description('show the rule that applies to a domain: its own, or that of the entry that covers it')
      .argument('<domain>', 'domain'),
  ).action(async (input: string, options: { json?: true }) => {
    if (parseDomain(input) === undefined) throw invalidDomainError(input);
    const match = await findCoveringEntry(input, context);
    if (match === undefined)
      return printOne(context, await callOnce(context, 'domain show', { domain: input }), options);
    const { domain, entry } = match;
    if (options.json) return printOne(context, { ...entry, domain, entry: entry.domain }, options);
    await context.terminal.out(`${domain}: ${entry.rule} by the entry ${entry.domain}\n`);
  });

  withJsonOption(domains.command('list').description('list the domains')).action((options: { json?: true }) =>
    printList(context, 'domain list', ['domain', 'rule', 'since'], options),
  );
}
