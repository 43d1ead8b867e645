import { isOwner } from '../../../domain/members.ts';
import { mayAdminister, mayAudit } from '../../../domain/roles.ts';
import { message } from '../../../language/message.ts';
import type { Explanations } from '../../../oauth/refusals/explanations.ts';
import type { Clients } from '../../../projections/clients.ts';
import type { UpstreamProviders } from '../../../projections/upstream-providers.ts';
import { PageError } from '../../pipeline/page-error.ts';
import { pathParameter } from '../../pipeline/path-parameter.ts';
import { requireLogin } from '../../pipeline/require-login.ts';
import type { Route } from '../../route.ts';
import { applicationPath } from '../applications/application-page.ts';
import { pageContextFor } from '../page-context.ts';
import { createPageRouter } from '../page-router.ts';
import type { Pages } from '../render.ts';
import { sendPage } from '../send-page.ts';
import { refusalLocals, type RefusalPageLocals } from './refusal-locals.ts';
import { createMaySeeRefusal } from './refusal-readers.ts';
import { administrationStep, eventsStep, repairStep } from './refusal-steps.ts';

export interface RefusalPageDeps {
  readonly explanations: Pick<Explanations, 'find'>;
  readonly clients: Pick<Clients, 'find'>;
  readonly upstreamProviders: Pick<UpstreamProviders, 'find'>;
  readonly pages: Pick<Pages, 'refusal'>;
  readonly settings: { readonly loginUrl: string };
}

/** Returns the routes for the page that explains a refusal to users who may see it. Other users get a 404. */
export function refusalRoutes(deps: RefusalPageDeps): readonly Route[] {
  const { explanations, clients, pages, settings } = deps;
  const router = createPageRouter({ prefix: '/o/refusals' });
  const maySee = createMaySeeRefusal(clients);
  router.get(
    '/:id',
    requireLogin(settings.loginUrl, (ctx, caller) => {
      const refusal = explanations.find(pathParameter(ctx, 'id'));
      if (refusal === undefined || !maySee(caller.user, refusal.clientId)) throw unknownRefusalError();
      const client = refusal.clientId === null ? undefined : clients.find(refusal.clientId);
      const ownsApplication = client !== undefined && isOwner(client, caller.user.userId);
      const application: RefusalPageLocals['application'] =
        client === undefined
          ? null
          : {
              name: client.name,
              href: ownsApplication
                ? applicationPath(client)
                : `/admin/applications/${encodeURIComponent(client.clientId)}/`,
            };
      const list = ownsApplication
        ? { href: `${applicationPath(client)}refusals/`, text: message('refusals.title', { application: client.name }) }
        : { href: '/admin/refusals/', text: message('refusals.all') };
      const applicationStep =
        application === null ? undefined : repairStep(refusal.rule, application.href, !ownsApplication);
      const adminStep = mayAdminister(caller.user.roles) ? administrationStep(refusal, deps) : undefined;
      const steps = [
        ...[applicationStep, adminStep].filter((step) => step !== undefined),
        ...(mayAudit(caller.user.roles) ? [eventsStep(refusal)] : []),
      ];
      const context = pageContextFor(ctx, caller);
      sendPage(
        ctx,
        pages.refusal({
          ...context,
          refusal: refusalLocals(refusal),
          application,
          list,
          isAdministration: !ownsApplication,
          steps,
        }),
      );
    }),
  );
  return router.routes;
}

/**
 * Returns the error for an unknown refusal, and for a refusal that the user may not see, because the response must not
 * reveal that the refusal exists.
 */
function unknownRefusalError(): PageError {
  return new PageError(
    404,
    message('refusals.unknown'),
    message('refusals.unknown-text'),
    message('refusals.unknown-advice'),
  );
}
