import { message } from '../../../language/message.ts';
import type { RemovalForecasts } from '../../../audit/queries/removal-forecasts.ts';
import { observedClient } from '../../../domain/streams.ts';
import type { Registration } from '../../../oauth/clients/registration.ts';
import { missingItemError } from '../../pipeline/page-error.ts';
import { actingUser } from '../../pipeline/require-role.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import { pageContextFor } from '../page-context.ts';
import type { PageRouter } from '../page-router.ts';
import { sendPage } from '../send-page.ts';
import type { ApplicationLookup } from './application-people.ts';
import type { AdminPages } from './locals.ts';
import { accessFacts } from './removal-facts.ts';

export interface AdminStatusDeps {
  readonly registration: Pick<Registration, 'setDisabled'>;
  readonly removalForecasts: Pick<RemovalForecasts, 'ofClient'>;
  readonly pages: Pick<AdminPages, 'adminConfirm'>;
}

/** Adds the pages where administrators disable an application or enable it again. */
export function addApplicationStatus(
  router: PageRouter,
  { requireClient, pathOf }: ApplicationLookup,
  { registration, removalForecasts, pages }: AdminStatusDeps,
): void {
  router.get('/applications/:id/disable', (ctx) => {
    const client = requireClient(ctx);
    const back = pathOf(client);
    sendPage(
      ctx,
      pages.adminConfirm({
        ...pageContextFor(ctx, actingUser(ctx)),
        trail: [
          { href: '/admin/applications/', text: message('admin.applications') },
          { href: back, text: client.name },
        ],
        back,
        action: `${back}disable/`,
        title: message('disable-application.title', { application: client.name }),
        button: message('disable-application.button'),
        text: [
          message('disable-application.text'),
          message('disable-application.nothing'),
          message('disable-application.owners'),
        ],
        facts: accessFacts(removalForecasts.ofClient(client)),
      }),
    );
  });

  router.post('/applications/:id/disable', (ctx) => setDisabled(ctx, true));
  router.post('/applications/:id/enable', (ctx) => setDisabled(ctx, false));

  async function setDisabled(ctx: RequestContext, isDisabled: boolean): Promise<void> {
    const client = requireClient(ctx);
    const context = userCommandContext(ctx, actingUser(ctx), observedClient(client));
    if (!(await registration.setDisabled(client.clientId, isDisabled, context))) throw missingItemError('application');
    ctx.state.webSession.flash(
      message(isDisabled ? 'disable-application.done' : 'enable-application.done', { application: client.name }),
    );
    ctx.redirect(pathOf(client));
  }
}
