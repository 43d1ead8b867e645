import type { Router } from '@koa/router';
import type { EpochSeconds, GrantId } from '../../../domain/values.ts';
import type { GrantCommands } from '../../../oauth/grant-types/grant-type.ts';
import type { Client, Clients } from '../../../projections/clients.ts';
import type { Grants } from '../../../projections/grants.ts';
import type { User, Users } from '../../../projections/users.ts';
import { actingContext } from '../../pipeline/acting-context.ts';
import type { AdminPages, AdminUserPageLocals } from './admin-pages.ts';
import {
  applicationAuthorizedBy,
  applicationsAuthorizedBy,
  authorizedLocals,
  grantLocals,
  searchAuthorized,
  type AuthorizedApplication,
} from '../account/authorized-applications.ts';
import { endAllAuthorizations, endAuthorization, type Revocation } from '../account/end-authorizations.ts';
import { firstOf } from '../../pipeline/first-of.ts';
import { framedFor } from '../page-context.ts';
import { notFound } from '../../pipeline/page-error.ts';
import { pageOfItems } from '../page-of-items.ts';
import { pathParameter } from '../../pipeline/path-parameter.ts';
import { actingPerson } from '../../pipeline/role-guard.ts';
import { sendPage } from '../send-page.ts';
import type { RequestContext, RequestState } from '../../pipeline/state.ts';
import { accountAt, userAddress, userRow } from './admin-users.ts';

export interface AdminUserAccessParts {
  readonly users: Users;
  readonly clients: Clients;
  readonly liveGrants: Grants;
  readonly grants: GrantCommands;
  readonly pages: AdminPages;
  readonly now: () => EpochSeconds;
}

/** The rest is on pages of its own. */
const SHOWN = 10;

const USERS = { href: '/admin/users/', text: 'Users' };

/** A page of each account: what the user registered, which applications may act for the user, and the end of that. */
export function addUserAccessPages(router: Router<RequestState>, parts: AdminUserAccessParts): void {
  const { users, clients, liveGrants, pages } = parts;

  router.get('/users/:pk', (ctx) => {
    const actor = actingPerson(ctx);
    const account = accountAt(ctx, users);
    const fullName = [account.firstName, account.lastName].filter((name) => name !== '').join(' ');
    const authorized = applicationsAuthorizedBy(account.userId, parts);
    sendPage(
      ctx,
      pages.adminUser({
        ...framedFor(ctx, actor),
        account: { ...userRow(account), fullName },
        isOwn: account.userId === actor.user.userId,
        applications: firstOf(clients.newestOwnedBy(account.userId), SHOWN).map(applicationRow),
        applicationCount: clients.countOwnedBy(account.userId),
        authorized: authorized.slice(0, SHOWN).map(authorizedLocals),
        authorizedCount: authorized.length,
      }),
    );
  });

  router.get('/users/:pk/applications', (ctx) => {
    const account = accountAt(ctx, users);
    const { items, paging } = pageOfItems(ctx, () => clients.newestOwnedBy(account.userId));
    const applications = items.map(applicationRow);
    sendPage(ctx, pages.adminUserApplications({ ...framed(ctx), account: userRow(account), paging, applications }));
  });

  router.get('/users/:pk/authorizations', (ctx) => {
    const account = accountAt(ctx, users);
    const all = applicationsAuthorizedBy(account.userId, parts);
    const { items, paging } = pageOfItems(ctx, (query) => searchAuthorized(all, query));
    const authorized = items.map(authorizedLocals);
    sendPage(ctx, pages.adminUserAuthorizations({ ...framed(ctx), account: userRow(account), paging, authorized }));
  });

  /** @throws PageError 404 the application may not act for the user */
  function authorizedAt(ctx: RequestContext, { userId }: User): AuthorizedApplication {
    const authorized = applicationAuthorizedBy(userId, pathParameter(ctx, 'client'), parts);
    if (authorized === undefined) throw notFound();
    return authorized;
  }

  router.get('/users/:pk/authorizations/:client', (ctx) => {
    const account = accountAt(ctx, users);
    const application = authorizedAt(ctx, account);
    const { items, paging } = pageOfItems(ctx, () => application.grants);
    sendPage(
      ctx,
      pages.adminUserAuthorization({
        ...framed(ctx),
        account: userRow(account),
        paging,
        application: authorizedLocals(application),
        grants: items.map(grantLocals),
      }),
    );
  });

  router.get('/users/:pk/authorizations/:client/revoke', (ctx) => {
    const account = accountAt(ctx, users);
    const { clientId, name, count } = authorizedAt(ctx, account);
    const back = userAddress(account);
    const all = count === 1 ? 'its authorization' : `all ${count} authorizations`;
    sendPage(
      ctx,
      pages.adminConfirm({
        ...framed(ctx),
        trail: [USERS, { href: back, text: account.username }],
        back,
        action: `${back}authorizations/${encodeURIComponent(clientId)}/revoke/`,
        title: `Revoke the access of ${name}?`,
        button: 'Revoke access',
        text: [
          `${name} will have no access to the account of ${account.username}.`,
          `The access and refresh tokens of ${all} stop working immediately. The application can ask again.`,
        ],
      }),
    );
  });

  router.post('/users/:pk/authorizations/:client/revoke', async (ctx) => {
    const account = accountAt(ctx, users);
    const { clientId, name } = authorizedAt(ctx, account);
    const { userId } = account;
    const left = await endAllAuthorizations(ctx, { userId, clientId }, byOperator(ctx), parts);
    const { webSession } = ctx.state;
    if (left === 0) webSession.flash(`${name} no longer has access to the account of ${account.username}.`);
    else webSession.flash(`Only a part was revoked. Authorizations still active: ${left}. Try again.`, 'warning');
    ctx.redirect(userAddress(account));
  });

  function grantAt(ctx: RequestContext, { userId }: User) {
    const grant = liveGrants.find(pathParameter(ctx, 'grant') as GrantId);
    if (grant === undefined || grant.userId !== userId) throw notFound();
    return { grantId: grant.grantId, application: clients.find(grant.clientId)?.name ?? grant.clientId };
  }

  router.get('/users/:pk/grants/:grant', (ctx) => {
    const account = accountAt(ctx, users);
    const { grantId, application } = grantAt(ctx, account);
    const back = userAddress(account);
    sendPage(
      ctx,
      pages.adminConfirm({
        ...framed(ctx),
        trail: [USERS, { href: back, text: account.username }],
        back,
        action: `${back}grants/${grantId}/`,
        title: `Revoke one authorization of ${application}?`,
        button: 'Revoke it',
        text: [
          'Every access and refresh token of this authorization stops working immediately.',
          `Other authorizations of ${application} are not affected.`,
        ],
      }),
    );
  });

  router.post('/users/:pk/grants/:grant', async (ctx) => {
    const account = accountAt(ctx, users);
    const { grantId, application } = grantAt(ctx, account);
    await endAuthorization(grantId, byOperator(ctx), parts);
    ctx.state.webSession.flash(`One authorization of ${application} was revoked.`);
    ctx.redirect(userAddress(account));
  });
}

/** An administrator who loses the role meanwhile ends nothing more. */
function byOperator(ctx: RequestContext): Revocation {
  return { context: actingContext(ctx, actingPerson(ctx)), reason: 'revoked-by-operator' };
}

function framed(ctx: RequestContext) {
  return framedFor(ctx, actingPerson(ctx));
}

function applicationRow({ clientId, name, lastUse }: Client): AdminUserPageLocals['applications'][number] {
  return { id: clientId, name, lastUsed: lastUse.anySecret?.at ?? null };
}
