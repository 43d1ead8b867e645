import { Option, type Command } from 'commander';
import { EXCHANGE_MODES } from '../domain/values.ts';
import {
  callOnce,
  collect,
  collectOneOf,
  commandGroup,
  printList,
  printOne,
  printWarning,
  withJsonOption,
  type CliContext,
} from './context.ts';
import { resolveClientId } from './client-ids.ts';
import { confirm, withYesOption } from './confirm.ts';
import { escapeControls, fitMessage } from './print.ts';

const COLUMNS = ['client', 'tokens_of', 'modes', 'scope', 'resources'];

interface SetOptions {
  readonly mode: readonly string[];
  readonly scope?: readonly string[];
  readonly resource?: readonly string[];
  readonly json?: true;
}

/** Adds the arguments that identify a policy, and `--json`. */
function withPolicyArguments(command: Command): Command {
  return withJsonOption(
    command
      .argument('<client-id>', 'the application that exchanges tokens, by id or name')
      .argument(
        '<subject-client-id>',
        'the application that the tokens were issued to, by id or name; may be the same application',
      ),
  );
}

/** Resolves both applications, which the operator may specify by id or name, to their ids. */
async function resolvePair(client: string, subject: string, context: CliContext) {
  return { clientId: await resolveClientId(client, context), subjectClientId: await resolveClientId(subject, context) };
}

/** Adds the commands that manage exchange policies (RFC 8693). */
export function exchangePolicyCommands(program: Command, context: CliContext): void {
  const policies = commandGroup(
    program,
    'exchange-policy',
    'policies for token exchange, which let an application exchange the tokens of another',
  );

  withPolicyArguments(
    policies
      .command('set')
      .description('allow exchanges, or replace an existing policy; the change takes effect immediately'),
  )
    .addOption(
      new Option(
        '--mode <mode>',
        `${EXCHANGE_MODES.join(' or ')} (repeatable): with delegation, tokens also contain the actor`,
      )
        .argParser(collectOneOf(EXCHANGE_MODES))
        .makeOptionMandatory(),
    )
    .option(
      '--scope <name>',
      'a scope that exchanged tokens may have (repeatable; default: all scopes of the subject token)',
      collect,
    )
    .option(
      '--resource <uri>',
      'a resource server that exchanged tokens may be issued for (repeatable; default: those of the subject token)',
      collect,
    )
    .action(async (clientId: string, subjectClientId: string, options: SetOptions) => {
      const { mode: modes, scope = null, resource: resources = null } = options;
      const input = { ...(await resolvePair(clientId, subjectClientId, context)), modes, scope, resources };
      await printPolicy(context, await callOnce(context, 'exchange-policy set', input), options);
    });

  withJsonOption(policies.command('list').description('list the policies')).action((options: { json?: true }) =>
    printList(context, 'exchange-policy list', COLUMNS, options, {}, toTableRow),
  );

  withPolicyArguments(policies.command('show').description('show a policy')).action(
    async (clientId: string, subjectClientId: string, options: { json?: true }) => {
      const pair = await resolvePair(clientId, subjectClientId, context);
      await printPolicy(context, await callOnce(context, 'exchange-policy show', pair), options);
    },
  );

  withYesOption(
    withPolicyArguments(
      policies
        .command('remove')
        .description('remove a policy; tokens from earlier exchanges stay valid until they expire or are revoked'),
    ),
  ).action(async (clientId: string, subjectClientId: string, { yes, ...options }: { yes?: true; json?: true }) => {
    const pair = await resolvePair(clientId, subjectClientId, context);
    const consequence = async (): Promise<string> => {
      const { client, subject } = applicationNames(await callOnce(context, 'exchange-policy show', pair));
      return `${client} will no longer be able to exchange tokens of ${subject}`;
    };
    await confirm(context.terminal, { yes, consequence });
    const result = await callOnce(context, 'exchange-policy remove', pair);
    if (options.json) return printOne(context, result, options);
    const { client, subject } = applicationNames(result);
    await context.terminal.out(
      fitMessage(context.terminal, `the policy that let ${client} exchange tokens of ${subject} was removed\n`),
    );
  });
}

/** Prints a policy. Without `--json`, its warning goes to standard error. */
async function printPolicy(
  context: CliContext,
  { warning, ...policy }: Readonly<Record<string, unknown>>,
  options: { readonly json?: true },
): Promise<void> {
  if (options.json) return printOne(context, { ...policy, warning }, options);
  await printOne(context, policy, options);
  printWarning(context.terminal, warning);
}

/** Puts the id of each application below its name, so that both fit in a terminal. */
function toTableRow(policy: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const twoLines = (name: string, id: string) => ({ lines: [policy[name], policy[id]] });
  return {
    ...policy,
    client: twoLines('client_name', 'client_id'),
    tokens_of: twoLines('subject_client_name', 'subject_client_id'),
  };
}

/** Returns the names and client ids of both applications of a policy, for use in messages. */
function applicationNames(policy: Readonly<Record<string, unknown>>): {
  readonly client: string;
  readonly subject: string;
} {
  return {
    client: nameWithId(policy['client_name'], policy['client_id']),
    subject: nameWithId(policy['subject_client_name'], policy['subject_client_id']),
  };
}

function nameWithId(name: unknown, id: unknown): string {
  return escapeControls(typeof name === 'string' ? `${name} (${String(id)})` : String(id));
}
