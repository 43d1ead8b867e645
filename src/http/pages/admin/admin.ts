import { mayAdminister } from '../../../domain/roles.ts';
import { message } from '../../../language/message.ts';
import { requireRole } from '../../pipeline/require-role.ts';
import { addApplicationPages, type AdminApplicationDeps } from './applications.ts';
import { addBrandPages, type AdminBrandDeps } from './brand-page.ts';
import { addDashboard, type AdminDashboardDeps } from './dashboard.ts';
import { addDomainPages, type AdminDomainDeps } from './domains.ts';
import { addExchangePolicyPages, type AdminExchangePolicyDeps } from './exchange-policies.ts';
import { addKeyPages, type AdminKeyDeps } from './keys.ts';
import { addSessionPages, type AdminSessionDeps } from './sessions.ts';
import { addProviderPages, type AdminProviderDeps } from './providers.ts';
import { addRefusalPages, type AdminRefusalDeps } from './refusals.ts';
import { addGroupPages, type AdminGroupDeps } from './groups.ts';
import { addInvitePages, type AdminInviteDeps } from './invite.ts';
import { addTrustedIssuerPages, type AdminTrustedIssuerDeps } from './trusted-issuers.ts';
import { addScopePages, type AdminScopeDeps } from './scope-page.ts';
import { addSettingPages, type AdminSettingDeps } from './setting-page.ts';
import { addServerPages, type AdminServerDeps } from './server.ts';
import { addUserAccessPages, type AdminUserAccessDeps } from './user-access.ts';
import { addUserActions } from './user-actions.ts';
import { addUserNamesPages, type AdminUserNamesDeps } from './user-names.ts';
import { addUserSessionPages, type AdminUserSessionDeps } from './user-sessions.ts';
import { addUserPages, type AdminUserDeps } from './users.ts';
import { createPageRouter } from '../page-router.ts';
import type { Route } from '../../route.ts';

export type AdminDeps = AdminDashboardDeps &
  AdminUserDeps &
  AdminUserAccessDeps &
  AdminUserNamesDeps &
  AdminUserSessionDeps &
  AdminApplicationDeps &
  AdminInviteDeps &
  AdminRefusalDeps &
  AdminDomainDeps &
  AdminExchangePolicyDeps &
  AdminTrustedIssuerDeps &
  AdminProviderDeps &
  AdminGroupDeps &
  AdminSettingDeps &
  AdminScopeDeps &
  AdminBrandDeps &
  AdminKeyDeps &
  AdminSessionDeps &
  AdminServerDeps & {
    readonly settings: AdminApplicationDeps['settings'] &
      AdminUserDeps['settings'] &
      AdminDomainDeps['settings'] &
      AdminRefusalDeps['settings'] & { readonly loginUrl: string };
  };

/** Returns the routes of the administration pages. The router's guard protects all of these routes. */
export function adminRoutes(deps: AdminDeps): readonly Route[] {
  const router = createPageRouter({
    prefix: '/admin',
    guard: requireRole(deps.settings.loginUrl, mayAdminister, message('error.for-administrators')),
  });
  addDashboard(router, deps);
  addUserPages(router, deps);
  addInvitePages(router, deps); // must come before /users/:pk
  addUserAccessPages(router, deps);
  addUserActions(router, deps);
  addUserNamesPages(router, deps);
  addUserSessionPages(router, deps);
  addApplicationPages(router, deps);
  addGroupPages(router, deps);
  addDomainPages(router, deps);
  addExchangePolicyPages(router, deps);
  addTrustedIssuerPages(router, deps);
  addProviderPages(router, deps);
  addRefusalPages(router, deps);
  addServerPages(router, deps);
  addSettingPages(router, deps);
  addScopePages(router, deps);
  addBrandPages(router, deps);
  addKeyPages(router, deps);
  addSessionPages(router, deps);
  return router.routes;
}
