import type { Activity } from '../../../projections/activity.ts';
import { pageContextFor } from '../page-context.ts';
import type { PageRouter } from '../page-router.ts';
import type { Pages } from '../render.ts';
import { sendPage } from '../send-page.ts';
import { applicationLocals, oldSecretLocals, type ApplicationPageDeps } from './application-page.ts';
import { endpointsFor, type EndpointDeps } from './endpoints.ts';
import { envFile, envFileName } from './env-file.ts';
import type { RequireOwner } from './owner-routes.ts';

export interface OverviewDeps extends Pick<ApplicationPageDeps, 'registration' | 'now'>, EndpointDeps {
  readonly activity: Pick<Activity, 'issuedTo'>;
  readonly pages: Pick<Pages, 'applicationOverview'>;
}

/**
 * Adds the overview page of an application, with its credentials, its activity and the server's URLs, and the route for
 * downloading its `.env` file.
 */
export function addOverview(router: PageRouter, forOwner: RequireOwner, deps: OverviewDeps): void {
  const { activity, registration, pages, now } = deps;
  router.get(
    '/:id',
    forOwner((ctx, client, caller) => {
      sendPage(
        ctx,
        pages.applicationOverview({
          ...pageContextFor(ctx, caller),
          application: applicationLocals(client),
          forbiddenRedirectUris: registration.forbiddenRedirectUris(client),
          lastUsed: client.lastUse.anySecret?.at ?? null,
          oldSecret: oldSecretLocals(client, now()),
          activity: activity.issuedTo(client.clientId, now()),
          endpoints: endpointsFor(client, deps).endpoints,
        }),
      );
    }),
  );

  router.get(
    '/:id/env',
    forOwner((ctx, client) => {
      ctx.attachment(envFileName(client));
      ctx.type = 'text/plain; charset=utf-8';
      ctx.body = envFile(client, endpointsFor(client, deps), null);
    }),
  );
}
