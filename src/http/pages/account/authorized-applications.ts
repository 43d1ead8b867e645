import type { EpochSeconds, GrantId } from '../../../domain/values.ts';
import { message } from '../../../language/message.ts';
import type { TokenDetails } from '../../../oauth/details/token-details.ts';
import type { GrantCommands } from '../../../oauth/grant-types/grant-type.ts';
import type { KnownResources } from '../../../oauth/resources/known-resources.ts';
import type { Clients } from '../../../projections/clients.ts';
import type { Grants } from '../../../projections/grants.ts';
import { listPassedOn, type PassedOnDeps } from '../../../audit/queries/passed-on.ts';
import {
  listAuthorizedApplications,
  findAuthorizedApplication,
} from '../../../audit/queries/authorized-applications.ts';
import { describeDetails } from '../authorize/described-details.ts';
import { grantLocals } from './grant-locals.ts';
import { AUTHORIZED_APPLICATIONS } from './authorized-list.ts';
import { describeAuthorizedApplication, type AuthorizedLocalsDeps } from './authorized-locals.ts';
import {
  countAuthorizations,
  revokeAllAuthorizations,
  revocationByUser,
  revokeAuthorization,
} from './revoke-authorizations.ts';
import { requireLogin } from '../../pipeline/require-login.ts';
import { requireCsrfToken } from '../../pipeline/page-form.ts';
import { sendList } from '../lists/send-list.ts';
import { pageContextFor } from '../page-context.ts';
import { noLongerExistsError } from '../../pipeline/page-error.ts';
import { paginate } from '../paging.ts';
import { pathParameter } from '../../pipeline/path-parameter.ts';
import type { Pages } from '../render.ts';
import { sendPage } from '../send-page.ts';
import { createPageRouter, WITHOUT_CHANGE_LIMIT } from '../page-router.ts';
import type { Route } from '../../route.ts';

export interface AuthorizedApplicationsDeps extends AuthorizedLocalsDeps, PassedOnDeps {
  readonly grants: Grants;
  readonly grantCommands: GrantCommands;
  readonly clients: Clients;
  readonly tokenDetails: Pick<TokenDetails, 'open'>;
  readonly resources: Pick<KnownResources, 'detailTypes'>;
  readonly pages: Pick<Pages, 'authorizedApplications' | 'authorizedApplication'>;
  readonly now: () => EpochSeconds;
  readonly settings: AuthorizedLocalsDeps['settings'] & { readonly loginUrl: string };
}

const LIST_PATH = '/o/authorized_tokens/';

/** Returns the routes that list the logged-in user's authorized applications, and that revoke authorizations. */
export function authorizedApplicationsRoutes(deps: AuthorizedApplicationsDeps): readonly Route[] {
  const { grants: liveGrants, clients, tokenDetails, resources, pages, settings } = deps;
  const router = createPageRouter({ prefix: '/o/authorized_tokens' });

  router.get(
    '/',
    requireLogin(settings.loginUrl, (ctx, caller) => {
      const allApplications = listAuthorizedApplications(caller.user.userId, deps);
      sendList(ctx, {
        list: AUTHORIZED_APPLICATIONS,
        items: allApplications,
        mayStillRead: () => ctx.state.webSession.loggedInUser() !== undefined,
        page: (list, items) => {
          const applications = items.map((application) => describeAuthorizedApplication(application, deps));
          return pages.authorizedApplications({ ...pageContextFor(ctx, caller), list, applications });
        },
      });
    }),
  );

  router.get(
    '/applications/:client',
    requireLogin(settings.loginUrl, async (ctx, caller) => {
      const application = findAuthorizedApplication(caller.user.userId, pathParameter(ctx, 'client'), deps);
      if (application === undefined) throw noLongerExistsError(message('navigation.authorized'));
      const { items, paging } = paginate(ctx, () => application.grants);
      const grants = [];
      for (const grant of items) {
        const details = describeDetails(tokenDetails.open(grant, grant.details ?? []), resources.detailTypes());
        grants.push({ ...grantLocals(grant), details, passedOn: await listPassedOn(grant.grantId, deps) });
      }
      sendPage(
        ctx,
        pages.authorizedApplication({
          ...pageContextFor(ctx, caller),
          paging,
          application: describeAuthorizedApplication(application, deps),
          grants,
        }),
      );
    }),
  );

  router.with(WITHOUT_CHANGE_LIMIT).post(
    '/applications/:client/revoke',
    requireCsrfToken,
    requireLogin(settings.loginUrl, async (ctx, caller) => {
      const { userId } = caller.user;
      const application = findAuthorizedApplication(userId, pathParameter(ctx, 'client'), deps);
      if (application === undefined) throw noLongerExistsError(message('navigation.authorized'));
      const { name } = application;
      const { webSession } = ctx.state;
      const { clientId } = application;
      const remainingCount = await revokeAllAuthorizations(
        ctx,
        { userId, clientId },
        revocationByUser(ctx, userId),
        deps,
      );
      if (remainingCount === 0) webSession.flash(message('authorized.revoked-all', { application: name }));
      else webSession.flash(message('authorized.revoked-some', { application: name, left: remainingCount }), 'warning');
      ctx.redirect(LIST_PATH);
    }),
  );

  router.with(WITHOUT_CHANGE_LIMIT).post(
    '/:id/revoke',
    requireCsrfToken,
    requireLogin(settings.loginUrl, async (ctx, caller) => {
      const { userId } = caller.user;
      const grant = liveGrants.find(pathParameter(ctx, 'id') as GrantId);
      if (grant === undefined || grant.userId !== userId) throw noLongerExistsError(message('navigation.authorized'));
      await revokeAuthorization(grant.grantId, revocationByUser(ctx, userId), deps);
      const name = clients.find(grant.clientId)?.name ?? grant.clientId;
      const remainingCount = countAuthorizations(userId, grant.clientId, deps);
      ctx.state.webSession.flash(
        remainingCount === 0
          ? message('authorized.revoked-all', { application: name })
          : message('authorized.revoked-one', { application: name, left: remainingCount }),
      );
      ctx.redirect(LIST_PATH);
    }),
  );

  return router.routes;
}
