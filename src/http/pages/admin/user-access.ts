import type { AdministratorLogins } from '../../../accounts/administrator-logins.ts';
import { message, type Text } from '../../../language/message.ts';
import { findOtherVerifier } from '../../../accounts/same-address.ts';
import type { SecondFactorPolicy } from '../../../accounts/second-factor-policy.ts';
import type { EpochSeconds, GrantId } from '../../../domain/values.ts';
import type { LoginSessions } from '../../../accounts/login-sessions.ts';
import type { TokenDetails } from '../../../oauth/details/token-details.ts';
import type { KnownResources } from '../../../oauth/resources/known-resources.ts';
import type { GrantCommands } from '../../../oauth/grant-types/grant-type.ts';
import type { Client, Clients } from '../../../projections/clients.ts';
import type { LiveGrant } from '../../../projections/live-grant.ts';
import type { Groups } from '../../../projections/groups.ts';
import type { Grants } from '../../../projections/grants.ts';
import type { UserActivity } from '../../../projections/user-activity.ts';
import type { User, Users } from '../../../projections/users.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import { APPLICATIONS_OF_USER } from './application-list.ts';
import { authorizedApplicationList, grantList } from './authorization-lists.ts';
import type { AdminPages, AdminUserPageLocals } from './locals.ts';
import { authorizedApplicationLocals } from '../account/grant-locals.ts';
import {
  listAuthorizedApplications,
  findAuthorizedApplication,
  type AuthorizedApplication,
} from '../../../audit/queries/authorized-applications.ts';
import { revokeAllAuthorizations, revokeAuthorization, type Revocation } from '../account/revoke-authorizations.ts';
import { describeDetails, formatDetail } from '../authorize/described-details.ts';
import { take } from '../take.ts';
import { pageContextFor } from '../page-context.ts';
import { noLongerExistsError } from '../../pipeline/page-error.ts';
import { pathParameter } from '../../pipeline/path-parameter.ts';
import { actingUser } from '../../pipeline/require-role.ts';
import { sendAdminList } from './send-admin-list.ts';
import { sendPage } from '../send-page.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { groupLocals } from './groups.ts';
import { accountTimes, requireAccount, adminUserPath, adminUserLocals } from './users.ts';
import type { PageRouter } from '../page-router.ts';

export interface AdminUserAccessDeps {
  readonly administratorLogins: Pick<AdministratorLogins, 'isLastAdministrator'>;
  readonly users: Users;
  readonly loginSessions: Pick<LoginSessions, 'listByUser'>;
  readonly userActivity: Pick<UserActivity, 'lastLoginAt' | 'registeredAt'>;
  readonly clients: Clients;
  readonly grants: Grants;
  readonly groups: Pick<Groups, 'listByUser'>;
  readonly grantCommands: GrantCommands;
  readonly tokenDetails: Pick<TokenDetails, 'open'>;
  readonly resources: Pick<KnownResources, 'detailTypes'>;
  readonly pages: AdminPages;
  readonly now: () => EpochSeconds;
  readonly secondFactorPolicy: Pick<SecondFactorPolicy, 'hasFactor' | 'isOn' | 'nextStep'>;
}

/** The maximum length of each list of applications on the user page. Separate pages contain the complete lists. */
const MAX_ITEMS_SHOWN = 10;

const USERS_CRUMB = { href: '/admin/users/', text: message('admin.users') };

/**
 * Adds the user page, the lists of applications that the user owns or has authorized, and the pages for revoking
 * authorizations.
 */
export function addUserAccessPages(router: PageRouter, deps: AdminUserAccessDeps): void {
  const { users, clients, grants: liveGrants, secondFactorPolicy, pages } = deps;

  router.get('/users/:pk', (ctx) => {
    const actor = actingUser(ctx);
    const account = requireAccount(ctx, users);
    const fullName = [account.firstName, account.lastName].filter((name) => name !== '').join(' ');
    const authorized = listAuthorizedApplications(account.userId, deps);
    sendPage(
      ctx,
      pages.adminUser({
        ...pageContextFor(ctx, actor),
        account: {
          ...adminUserLocals(account),
          ...accountTimes(account, deps.userActivity),
          fullName,
        },
        sessionCount: deps.loginSessions.listByUser(account.userId, deps.now()).length,
        groups: deps.groups.listByUser(account.userId).map(groupLocals),
        isLastAdministrator: deps.administratorLogins.isLastAdministrator(account),
        verifiedBy: findOtherVerifier(account, users)?.username ?? null,
        isOwnAccount: account.userId === actor.user.userId,
        twoStep: {
          isOn: secondFactorPolicy.isOn(account.userId),
          hasFactor: secondFactorPolicy.hasFactor(account.userId),
        },
        applications: take(clients.newestOwnedBy(account.userId), MAX_ITEMS_SHOWN).map(ownedApplicationLocals),
        applicationCount: clients.countOwnedBy(account.userId),
        authorized: authorized.slice(0, MAX_ITEMS_SHOWN).map(authorizedApplicationLocals),
        authorizedCount: authorized.length,
      }),
    );
  });

  router.get('/users/:pk/applications', (ctx) => {
    const account = requireAccount(ctx, users);
    sendAdminList(ctx, APPLICATIONS_OF_USER, [...clients.newestOwnedBy(account.userId)], (list) =>
      pages.adminUserApplications({ ...adminContext(ctx), account: adminUserLocals(account), list }),
    );
  });

  router.get('/users/:pk/authorizations', (ctx) => {
    const account = requireAccount(ctx, users);
    const applications = listAuthorizedApplications(account.userId, deps);
    sendAdminList(ctx, authorizedApplicationList(adminUserPath(account)), applications, (list) =>
      pages.adminUserAuthorizations({ ...adminContext(ctx), account: adminUserLocals(account), list }),
    );
  });

  function formatGrantDetails(grant: LiveGrant): readonly string[] {
    const details = deps.tokenDetails.open(grant, grant.details ?? []);
    return describeDetails(details, deps.resources.detailTypes()).map(formatDetail);
  }

  /** @throws PageError 404 if the user has not authorized the application */
  function requireAuthorizedApplication(ctx: RequestContext, { userId }: User): AuthorizedApplication {
    const application = findAuthorizedApplication(userId, pathParameter(ctx, 'client'), deps);
    if (application === undefined) throw noLongerExistsError(message('admin.users'));
    return application;
  }

  router.get('/users/:pk/authorizations/:client', (ctx) => {
    const account = requireAccount(ctx, users);
    const application = requireAuthorizedApplication(ctx, account);
    sendAdminList(ctx, grantList(adminUserPath(account), formatGrantDetails), application.grants, (list) =>
      pages.adminUserAuthorization({
        ...adminContext(ctx),
        account: adminUserLocals(account),
        application: authorizedApplicationLocals(application),
        list,
      }),
    );
  });

  router.get('/users/:pk/authorizations/:client/revoke', (ctx) => {
    const account = requireAccount(ctx, users);
    const { clientId, name, count } = requireAuthorizedApplication(ctx, account);
    const back = adminUserPath(account);
    sendPage(
      ctx,
      pages.adminConfirm({
        ...adminContext(ctx),
        trail: [USERS_CRUMB, { href: back, text: account.username }],
        back,
        action: `${back}authorizations/${encodeURIComponent(clientId)}/revoke/`,
        title: message('revoke-access.title', { application: name }),
        button: message('button.revoke-access'),
        text: [
          message('revoke-access.text', { application: name, username: account.username }),
          message('revoke-access.tokens', { count }),
        ],
      }),
    );
  });

  router.post('/users/:pk/authorizations/:client/revoke', async (ctx) => {
    const account = requireAccount(ctx, users);
    const { clientId, name } = requireAuthorizedApplication(ctx, account);
    const { userId } = account;
    const remainingCount = await revokeAllAuthorizations(
      ctx,
      { userId, clientId },
      revocationByAdministrator(ctx),
      deps,
    );
    redirectWithNotice(
      ctx,
      account,
      remainingCount,
      message('revoke-access.done', { application: name, username: account.username }),
    );
  });

  router.get('/users/:pk/revoke_access', (ctx) => {
    const account = requireAccount(ctx, users);
    const back = adminUserPath(account);
    const { username } = account;
    const applications = listAuthorizedApplications(account.userId, deps);
    sendPage(
      ctx,
      pages.adminConfirm({
        ...adminContext(ctx),
        trail: [USERS_CRUMB, { href: back, text: username }],
        back,
        action: `${back}revoke_access/`,
        title: message('revoke-everything.title', { username }),
        button: message('revoke-everything.button'),
        text: [
          message('revoke-everything.text', { username, count: applications.length }),
          message('revoke-everything.tokens'),
        ],
      }),
    );
  });

  router.post('/users/:pk/revoke_access', async (ctx) => {
    const account = requireAccount(ctx, users);
    const { userId, username } = account;
    const remainingCount = await revokeAllAuthorizations(ctx, { userId }, revocationByAdministrator(ctx), deps);
    redirectWithNotice(ctx, account, remainingCount, message('revoke-everything.done', { username }));
  });

  function requireGrant(ctx: RequestContext, { userId }: User) {
    const grant = liveGrants.find(pathParameter(ctx, 'grant') as GrantId);
    if (grant === undefined || grant.userId !== userId) throw noLongerExistsError(message('admin.users'));
    return { grantId: grant.grantId, application: clients.find(grant.clientId)?.name ?? grant.clientId };
  }

  router.get('/users/:pk/grants/:grant', (ctx) => {
    const account = requireAccount(ctx, users);
    const { grantId, application } = requireGrant(ctx, account);
    const back = adminUserPath(account);
    sendPage(
      ctx,
      pages.adminConfirm({
        ...adminContext(ctx),
        trail: [USERS_CRUMB, { href: back, text: account.username }],
        back,
        action: `${back}grants/${grantId}/`,
        title: message('revoke-one.title', { application }),
        button: message('revoke-one.button'),
        text: [message('revoke-one.text'), message('revoke-one.others', { application })],
      }),
    );
  });

  router.post('/users/:pk/grants/:grant', async (ctx) => {
    const account = requireAccount(ctx, users);
    const { grantId, application } = requireGrant(ctx, account);
    await revokeAuthorization(grantId, revocationByAdministrator(ctx), deps);
    ctx.state.webSession.flash(message('revoke-one.done', { application }));
    ctx.redirect(adminUserPath(account));
  });
}

/**
 * Redirects to the user's page, with a warning if authorizations remain.
 * @param remainingCount the number of authorizations that are still active
 * @param notice the notice to show if no authorizations remain
 */
function redirectWithNotice(ctx: RequestContext, account: User, remainingCount: number, notice: Text): void {
  if (remainingCount === 0) ctx.state.webSession.flash(notice);
  else ctx.state.webSession.flash(message('revoke-access.some', { count: remainingCount }), 'warning');
  ctx.redirect(adminUserPath(account));
}

/**
 * Returns a revocation that fails if the administrator's account has changed, because the role may have been removed.
 */
function revocationByAdministrator(ctx: RequestContext): Revocation {
  return { context: userCommandContext(ctx, actingUser(ctx)), reason: 'revoked-by-operator' };
}

function adminContext(ctx: RequestContext) {
  return pageContextFor(ctx, actingUser(ctx));
}

function ownedApplicationLocals({ clientId, name, lastUse }: Client): AdminUserPageLocals['applications'][number] {
  return { id: clientId, name, lastUsed: lastUse.anySecret?.at ?? null };
}
