import { mayAdminister } from '../../../domain/roles.ts';
import { message } from '../../../language/message.ts';
import { requireRole } from '../../pipeline/require-role.ts';
import { addApplicationPages, type AdminApplicationParts } from './applications.ts';
import { addBrandPages, type AdminBrandParts } from './brand-page.ts';
import { addDashboard, type AdminDashboardParts } from './dashboard.ts';
import { addDomainPages, type AdminDomainParts } from './domains.ts';
import { addExchangePolicyPages, type AdminExchangePolicyParts } from './exchange-policies.ts';
import { addKeyPages, type AdminKeyParts } from './keys.ts';
import { addSessionPages, type AdminSessionParts } from './sessions.ts';
import { addProviderPages, type AdminProviderParts } from './providers.ts';
import { addRefusalPages, type AdminRefusalParts } from './refusals.ts';
import { addGroupPages, type AdminGroupParts } from './groups.ts';
import { addInvitePages, type AdminInviteParts } from './invite.ts';
import { addTrustedIssuerPages, type AdminTrustedIssuerParts } from './trusted-issuers.ts';
import { addScopePages, type AdminScopeParts } from './scope-page.ts';
import { addSettingPages, type AdminSettingParts } from './setting-page.ts';
import { addServerPages, type AdminServerParts } from './server.ts';
import { addUserAccessPages, type AdminUserAccessParts } from './user-access.ts';
import { addUserActions } from './user-actions.ts';
import { addUserNamesPages, type AdminUserNamesParts } from './user-names.ts';
import { addUserSessionPages, type AdminUserSessionParts } from './user-sessions.ts';
import { addUserPages, type AdminUserParts } from './users.ts';
import { createPageRouter } from '../page-router.ts';
import type { Route } from '../../route.ts';

export type AdminParts = AdminDashboardParts &
  AdminUserParts &
  AdminUserAccessParts &
  AdminUserNamesParts &
  AdminUserSessionParts &
  AdminApplicationParts &
  AdminInviteParts &
  AdminRefusalParts &
  AdminDomainParts &
  AdminExchangePolicyParts &
  AdminTrustedIssuerParts &
  AdminProviderParts &
  AdminGroupParts &
  AdminSettingParts &
  AdminScopeParts &
  AdminBrandParts &
  AdminKeyParts &
  AdminSessionParts &
  AdminServerParts & {
    readonly settings: AdminApplicationParts['settings'] &
      AdminUserParts['settings'] &
      AdminDomainParts['settings'] &
      AdminRefusalParts['settings'] & { readonly loginUrl: string };
  };

/** Returns the routes of the administration pages. The router's guard protects every route added to it. */
export function adminRoutes(parts: AdminParts): readonly Route[] {
  const router = createPageRouter({
    prefix: '/admin',
    guard: requireRole(parts.settings.loginUrl, mayAdminister, message('error.for-administrators')),
  });
  addDashboard(router, parts);
  addUserPages(router, parts);
  addInvitePages(router, parts); // before /users/:pk
  addUserAccessPages(router, parts);
  addUserActions(router, parts);
  addUserNamesPages(router, parts);
  addUserSessionPages(router, parts);
  addApplicationPages(router, parts);
  addGroupPages(router, parts);
  addDomainPages(router, parts);
  addExchangePolicyPages(router, parts);
  addTrustedIssuerPages(router, parts);
  addProviderPages(router, parts);
  addRefusalPages(router, parts);
  addServerPages(router, parts);
  addSettingPages(router, parts);
  addScopePages(router, parts);
  addBrandPages(router, parts);
  addKeyPages(router, parts);
  addSessionPages(router, parts);
  return router.routes;
}
