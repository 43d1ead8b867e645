import { NO_PRESENTATION } from '../../../domain/presentation.ts';
import type { EpochSeconds, GrantId, UserId } from '../../../domain/values.ts';
import type { GrantCommands } from '../../../oauth/grant-types/grant-type.ts';
import { withParameters } from '../../../oauth/clients/redirect-uris.ts';
import { claimsOfScope, type ScopeClaims } from '../../../oauth/openid/user-claims.ts';
import type { Clients } from '../../../projections/clients.ts';
import type { Grants } from '../../../projections/grants.ts';
import type { User } from '../../../projections/users.ts';
import {
  findAuthorizedApplication,
  authorizedApplications,
  authorizedApplicationLocals,
  grantLocals,
  searchByName,
  type AuthorizedApplication,
} from './authorization-lookup.ts';
import {
  countAuthorizations,
  revokeAllAuthorizations,
  revokeAuthorization,
  type Revocation,
} from './revoke-authorizations.ts';
import { requireLogin } from '../../pipeline/require-login.ts';
import { requireCsrfToken } from '../../pipeline/page-form.ts';
import { applicationMark } from '../application-mark.ts';
import { pageContextFor } from '../page-context.ts';
import { alreadyEnded } from '../../pipeline/page-error.ts';
import { paginate } from '../paging.ts';
import { pathParameter } from '../../pipeline/path-parameter.ts';
import type { Pages } from '../render.ts';
import { describeClaims } from '../authorize/claim-names.ts';
import type { DescribeScope } from '../authorize/scope-descriptions.ts';
import { publisherOf } from '../publisher.ts';
import { sendPage } from '../send-page.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { createPageRouter, WITHOUT_CHANGE_LIMIT } from '../page-router.ts';
import type { Route } from '../../route.ts';

export interface AuthorizedApplicationsParts {
  readonly grants: Grants;
  readonly grantCommands: GrantCommands;
  readonly clients: Clients;
  readonly users: { find(userId: UserId): User | undefined };
  readonly pages: Pick<Pages, 'authorizedTokens' | 'authorizedApplication'>;
  readonly now: () => EpochSeconds;
  readonly issuer: () => string;
  readonly describeScope: DescribeScope;
  readonly settings: { readonly loginUrl: string; readonly scopeClaims: ScopeClaims };
}

/** Few, because each application is listed with its scopes. */
const APPLICATIONS_PER_PAGE = 10;

const LIST_PATH = '/o/authorized_tokens/';

/** The applications that the logged-in user has authorized, and their revocation. */
export function authorizedApplicationsRoutes(parts: AuthorizedApplicationsParts): readonly Route[] {
  const { grants: liveGrants, clients, users, pages, issuer, describeScope, settings } = parts;
  const router = createPageRouter({ prefix: '/o/authorized_tokens' });

  function toLocals(authorized: AuthorizedApplication) {
    const client = clients.find(authorized.clientId);
    const loginUri = client?.openid.initiateLoginUri ?? null;
    const readsClaims = authorized.scope.includes('openid');
    const byScope = claimsOfScope(authorized.scope, settings.scopeClaims);
    const byName = authorized.grants.flatMap(({ claims }) => [...(claims?.idToken ?? []), ...(claims?.userinfo ?? [])]);
    const besides = [...new Set(byName)].filter((claim) => !byScope.includes(claim));
    return {
      ...authorizedApplicationLocals(authorized),
      mark: applicationMark(client ?? { ...authorized, presentation: NO_PRESENTATION, logo: null }),
      owner: publisherOf(client, users),
      scopes: authorized.scope
        .map((name) => describeScope(name, authorized.resource))
        .map((scope) => (readsClaims ? scope : { ...scope, shares: '' })),
      sharesByName: describeClaims(besides),
      // OpenID Connect Core §4: the application then sends the user here to log in
      openUrl: loginUri === null ? null : withParameters(loginUri, { iss: issuer() }),
    };
  }

  router.get(
    '/',
    requireLogin(settings.loginUrl, (ctx, caller) => {
      const authorized = authorizedApplications(caller.user.userId, parts);
      const { items, paging } = paginate(ctx, (query) => searchByName(authorized, query), APPLICATIONS_PER_PAGE);
      const applications = items.map(toLocals);
      sendPage(ctx, pages.authorizedTokens({ ...pageContextFor(ctx, caller), paging, applications }));
    }),
  );

  router.get(
    '/applications/:client',
    requireLogin(settings.loginUrl, (ctx, caller) => {
      const authorized = findAuthorizedApplication(caller.user.userId, pathParameter(ctx, 'client'), parts);
      if (authorized === undefined) throw alreadyEnded('Authorized applications');
      const { items, paging } = paginate(ctx, () => authorized.grants);
      sendPage(
        ctx,
        pages.authorizedApplication({
          ...pageContextFor(ctx, caller),
          paging,
          application: toLocals(authorized),
          grants: items.map(grantLocals),
        }),
      );
    }),
  );

  router.with(WITHOUT_CHANGE_LIMIT).post(
    '/applications/:client/revoke',
    requireCsrfToken,
    requireLogin(settings.loginUrl, async (ctx, caller) => {
      const { userId } = caller.user;
      const authorized = findAuthorizedApplication(userId, pathParameter(ctx, 'client'), parts);
      if (authorized === undefined) throw alreadyEnded('Authorized applications');
      const { name } = authorized;
      const { webSession } = ctx.state;
      const { clientId } = authorized;
      const left = await revokeAllAuthorizations(ctx, { userId, clientId }, revocationByUser(ctx, userId), parts);
      if (left === 0) webSession.flash(`${name} no longer has access to your account.`);
      else
        webSession.flash(
          `Only some authorizations were revoked: ${remainingAuthorizations(left, name)} still active. Try again.`,
          'warning',
        );
      ctx.redirect(LIST_PATH);
    }),
  );

  router.with(WITHOUT_CHANGE_LIMIT).post(
    '/:id/revoke',
    requireCsrfToken,
    requireLogin(settings.loginUrl, async (ctx, caller) => {
      const { userId } = caller.user;
      const grant = liveGrants.find(pathParameter(ctx, 'id') as GrantId);
      if (grant === undefined || grant.userId !== userId) throw alreadyEnded('Authorized applications');
      await revokeAuthorization(grant.grantId, revocationByUser(ctx, userId), parts);
      const name = clients.find(grant.clientId)?.name ?? grant.clientId;
      const left = countAuthorizations(userId, grant.clientId, parts);
      ctx.state.webSession.flash(
        left === 0
          ? `${name} no longer has access to your account.`
          : `One authorization was revoked. ${remainingAuthorizations(left, name)} still active.`,
      );
      ctx.redirect(LIST_PATH);
    }),
  );

  return router.routes;
}

/** Unconditional: a revocation must succeed even if the account changes concurrently. */
function revocationByUser(ctx: RequestContext, userId: UserId): Revocation {
  return {
    context: { actor: { kind: 'user', id: userId }, ...ctx.state.metadata },
    reason: 'revoked-by-resource-owner',
  };
}

function remainingAuthorizations(count: number, application: string): string {
  return count === 1 ? `1 authorization for ${application} is` : `${count} authorizations for ${application} are`;
}
