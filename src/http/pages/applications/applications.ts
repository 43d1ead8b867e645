import { isOwner } from '../../../domain/members.ts';
import type { UserId } from '../../../domain/values.ts';
import type { Registration } from '../../../oauth/clients/registration.ts';
import type { Activity } from '../../../projections/activity.ts';
import type { Client, Clients } from '../../../projections/clients.ts';
import type { Explanations } from '../../../oauth/refusals/explanations.ts';
import { missing } from '../../pipeline/page-error.ts';
import { pathParameter } from '../../pipeline/path-parameter.ts';
import { requireLogin } from '../../pipeline/require-login.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import type { Route } from '../../route.ts';
import { createPageRouter } from '../page-router.ts';
import type { Pages } from '../render.ts';
import { applicationPath } from './application-page.ts';
import { addForms, type ApplicationFormParts } from './application-forms.ts';
import { addSecretPages, type ApplicationSecretParts } from './application-secrets.ts';
import { addDeletion, type DeletionParts } from './deletion.ts';
import { addKeysPage, type KeysPageParts } from './keys-page.ts';
import { addList } from './list-page.ts';
import { addOverview, type OverviewParts } from './overview-page.ts';
import type { ApplicationArea, RequireOwner } from './owner-routes.ts';
import { addPeopleChanges, type PeopleChangesParts } from './people-changes.ts';
import { addPeoplePage } from './people-page.ts';
import { addRefusalsPage, type RefusalsPageParts } from './refusals-page.ts';
import { addCallbackPage } from './callback-page.ts';
import { addTryPage, type TryPageParts } from './try-page.ts';

export interface ApplicationRoutesParts
  extends
    ApplicationFormParts,
    OverviewParts,
    TryPageParts,
    RefusalsPageParts,
    PeopleChangesParts,
    ApplicationSecretParts,
    KeysPageParts,
    DeletionParts {
  readonly registration: Registration;
  readonly clients: Clients;
  readonly activity: Pick<Activity, 'issuedTo' | 'upperBoundWithin'>;
  readonly explanations: Pick<Explanations, 'find' | 'listByClient'>;
  readonly pages: Pages;
  readonly settings: ApplicationFormParts['settings'] &
    ApplicationSecretParts['settings'] &
    DeletionParts['settings'] &
    TryPageParts['settings'];
}

/**
 * Routes for the logged-in user's own applications. They respond with 404 for the applications of other users. Only
 * logos are public.
 */
export function applicationRoutes(parts: ApplicationRoutesParts): readonly Route[] {
  const { clients, settings } = parts;
  const router = createPageRouter({ prefix: '/o/applications' });
  const forOwner: RequireOwner = (show) =>
    requireLogin(settings.loginUrl, (ctx, caller) => show(ctx, ownClient(ctx, caller.user.userId), caller));

  function ownClient(ctx: RequestContext, userId: UserId): Client {
    const client = clients.find(pathParameter(ctx, 'id'));
    if (client === undefined || !isOwner(client, userId)) throw missing('managed');
    return client;
  }

  const area: ApplicationArea = {
    isAdministration: false,
    route: '/:id',
    pathOf: applicationPath,
    forUser: forOwner,
  };
  addList(router, parts);
  addForms(router, area, parts); // before the pages of an application, because `register` is not a client id
  addOverview(router, forOwner, parts);
  addTryPage(router, forOwner, parts);
  addCallbackPage(router, parts);
  addRefusalsPage(router, forOwner, parts);
  addPeoplePage(router, forOwner, parts);
  addPeopleChanges(router, forOwner, parts);
  addSecretPages(router, forOwner, parts);
  addKeysPage(router, area, parts);
  addDeletion(router, forOwner, parts);
  return router.routes;
}
