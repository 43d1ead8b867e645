import { isOwner } from '../../../domain/members.ts';
import type { UserId } from '../../../domain/values.ts';
import type { Registration } from '../../../oauth/clients/registration.ts';
import type { Activity } from '../../../projections/activity.ts';
import type { Client, Clients } from '../../../projections/clients.ts';
import type { Explanations } from '../../../oauth/refusals/explanations.ts';
import { missingItemError } from '../../pipeline/page-error.ts';
import { pathParameter } from '../../pipeline/path-parameter.ts';
import { requireLogin } from '../../pipeline/require-login.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import type { Route } from '../../route.ts';
import { createPageRouter } from '../page-router.ts';
import type { Pages } from '../render.ts';
import { applicationPath } from './application-page.ts';
import { addForms, type ApplicationFormDeps } from './application-forms.ts';
import { addSecretPages, type ApplicationSecretDeps } from './application-secrets.ts';
import { addDeletion, type DeletionDeps } from './deletion.ts';
import { addKeysPage, type KeysPageDeps } from './keys-page.ts';
import { addList } from './list-page.ts';
import { addOverview, type OverviewDeps } from './overview-page.ts';
import type { ApplicationArea, RequireOwner } from './owner-routes.ts';
import { addPeopleChanges, type PeopleChangesDeps } from './people-changes.ts';
import { addPeoplePage } from './people-page.ts';
import { addRefusalsPage, type RefusalsPageDeps } from './refusals-page.ts';
import { addCallbackPage } from './callback-page.ts';
import { addTryPage, type TryPageDeps } from './try-page.ts';

export interface ApplicationRoutesDeps
  extends
    ApplicationFormDeps,
    OverviewDeps,
    TryPageDeps,
    RefusalsPageDeps,
    PeopleChangesDeps,
    ApplicationSecretDeps,
    KeysPageDeps,
    DeletionDeps {
  readonly registration: Registration;
  readonly clients: Clients;
  readonly activity: Pick<Activity, 'issuedTo' | 'upperBoundWithin'>;
  readonly explanations: Pick<Explanations, 'find' | 'listByClient'>;
  readonly pages: Pages;
  readonly settings: ApplicationFormDeps['settings'] &
    ApplicationSecretDeps['settings'] &
    DeletionDeps['settings'] &
    TryPageDeps['settings'];
}

/**
 * Returns the routes for the logged-in user's own applications. For other users' applications, the routes respond with
 * 404, except for logos, which are public.
 */
export function applicationRoutes(deps: ApplicationRoutesDeps): readonly Route[] {
  const { clients, settings } = deps;
  const router = createPageRouter({ prefix: '/o/applications' });
  const forOwner: RequireOwner = (handler) =>
    requireLogin(settings.loginUrl, (ctx, caller) => handler(ctx, requireOwnClient(ctx, caller.user.userId), caller));

  function requireOwnClient(ctx: RequestContext, userId: UserId): Client {
    const client = clients.find(pathParameter(ctx, 'id'));
    if (client === undefined || !isOwner(client, userId)) throw missingItemError('managed');
    return client;
  }

  const area: ApplicationArea = {
    isAdministration: false,
    route: '/:id',
    pathOf: applicationPath,
    forUser: forOwner,
  };
  addList(router, deps);
  addForms(router, area, deps); // before `/:id`, which would match `register` as a client id
  addOverview(router, forOwner, deps);
  addTryPage(router, forOwner, deps);
  addCallbackPage(router, deps);
  addRefusalsPage(router, forOwner, deps);
  addPeoplePage(router, forOwner, deps);
  addPeopleChanges(router, forOwner, deps);
  addSecretPages(router, forOwner, deps);
  addKeysPage(router, area, deps);
  addDeletion(router, forOwner, deps);
  return router.routes;
}
