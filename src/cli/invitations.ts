import type { Command } from 'commander';
import { notPendingError, type InvitationRow } from '../operations/invitations.ts';
import { confirm, withYesOption } from './confirm.ts';
import {
  callOnce,
  commandGroup,
  printList,
  printOne,
  printSecret,
  printWarning,
  withJsonOption,
  type CliContext,
} from './context.ts';
import { escapeControls } from './print.ts';

interface JsonOption {
  readonly json?: true;
}

const COLUMNS = ['id', 'address', 'roles', 'invited_by', 'sent_at', 'expires_at', 'usable'];

const NOT_SENT = 'no, because this server sends no mail (see the mail setting); give the link to the user yourself';

/** Prints an invitation, including the link unless it was sent by e-mail. */
export async function printInvitation(
  context: CliContext,
  invitation: Readonly<Record<string, unknown>>,
  options: JsonOption,
): Promise<void> {
  const { warning, ...fields } = invitation;
  if (options.json) return printSecret(context, invitation, 'link', options);
  await printSecret(context, invitation['sent'] === false ? { ...fields, sent: NOT_SENT } : fields, 'link', options);
  printWarning(context.terminal, warning);
}

/** Adds the commands that list, resend and withdraw invitations to create an account. */
export function invitationCommands(program: Command, context: CliContext): void {
  const invitation = commandGroup(program, 'invitation', 'invitations to create an account');
  const withIdArgument = (name: string, description: string): Command =>
    withJsonOption(
      invitation
        .command(name)
        .description(description)
        .argument('<id>', 'number of the invitation; see: grantlog invitation list'),
    );

  withJsonOption(
    invitation.command('list').description('list the pending invitations (to send one: grantlog user invite)'),
  )
    .option('--search <text>', 'only invitations with this text in the address, the inviter or the id')
    .action(({ search, ...options }: JsonOption & { readonly search?: string }) =>
      printList(context, 'invitation list', COLUMNS, options, { search }),
    );

  withIdArgument('resend', 'send a new link, which works for a week; if mail is off, print the link').action(
    async (id: string, options: JsonOption) => {
      await printInvitation(context, await callOnce(context, 'invitation resend', { invitation: id }), options);
    },
  );

  withYesOption(
    withIdArgument('withdraw', 'withdraw an invitation, so that its links stop working'),
    'optional',
  ).action(async (id: string, { yes, ...options }: JsonOption & { readonly yes?: true }) => {
    await confirm(context.terminal, { yes, consequence: () => describeWithdrawal(id), runsInScripts: true });
    const result = await callOnce(context, 'invitation withdraw', { invitation: id });
    if (options.json) return printOne(context, result, options);
    const address = escapeControls(String(result['address']));
    await context.terminal.out(`the invitation for ${address} was withdrawn\n`);
  });

  async function describeWithdrawal(id: string): Promise<string> {
    for await (const item of context.call('invitation list', { search: id })) {
      const { id: number, address } = item as InvitationRow;
      if (String(number) === id) return `the links that were sent to ${escapeControls(address)} will stop working`;
    }
    throw notPendingError(id);
  }
}
