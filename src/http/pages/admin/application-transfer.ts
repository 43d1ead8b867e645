import { message, type Text } from '../../../language/message.ts';
import { ownersOf } from '../../../domain/members.ts';
import { normalizeUserName } from '../../../domain/user-name.ts';
import type { Memberships } from '../../../oauth/clients/memberships.ts';
import { transferClient } from '../../../oauth/clients/transfer-client.ts';
import type { Client, Clients } from '../../../projections/clients.ts';
import type { Users } from '../../../projections/users.ts';
import { formOf } from '../../pipeline/page-form.ts';
import { actingUser } from '../../pipeline/require-role.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import { pageContextFor } from '../page-context.ts';
import type { PageRouter } from '../page-router.ts';
import { sendPage } from '../send-page.ts';
import { adminMembers, REFUSAL_MESSAGES, type ApplicationLookup } from './application-people.ts';
import { suggestedUserNames } from '../suggested-names.ts';
import type { AdminPages } from './locals.ts';

export interface AdminTransferDeps {
  readonly memberships: Pick<Memberships, 'add' | 'remove'>;
  readonly clients: Clients;
  readonly users: Pick<Users, 'find' | 'findByName' | 'all'>;
  readonly pages: Pick<AdminPages, 'adminTransfer'>;
}

/** Adds the form with which administrators make one user the only owner of an application. */
export function addApplicationTransfer(
  router: PageRouter,
  { requireClient, pathOf }: ApplicationLookup,
  deps: AdminTransferDeps,
): void {
  const { users, pages } = deps;

  function show(ctx: RequestContext, client: Client, username: string, problem: Text | undefined): void {
    if (problem !== undefined) ctx.status = 422;
    const { clientId: id, name } = client;
    sendPage(
      ctx,
      pages.adminTransfer({
        ...pageContextFor(ctx, actingUser(ctx)),
        application: { id, name },
        owners: adminMembers(ownersOf(client), users),
        username,
        userNames: suggestedUserNames(users),
        errors: problem === undefined ? {} : { username: problem },
      }),
    );
  }

  router.get('/applications/:id/transfer', (ctx) => show(ctx, requireClient(ctx), '', undefined));

  router.post('/applications/:id/transfer', async (ctx) => {
    const client = requireClient(ctx);
    const username = formOf(ctx).input('username');
    const user = users.findByName(normalizeUserName(username));
    if (user === undefined) return show(ctx, client, username, message('admin-people.unknown'));
    if (!user.active) return show(ctx, client, username, message('transfer.disabled'));
    const refusal = await transferClient(client.clientId, user, userCommandContext(ctx, actingUser(ctx)), deps);
    if (refusal !== undefined)
      return show(ctx, client, username, REFUSAL_MESSAGES[refusal] ?? message('admin-people.unchanged'));
    ctx.state.webSession.flash(message('transfer.done', { username: user.username, application: client.name }));
    ctx.redirect(pathOf(client));
  });
}
