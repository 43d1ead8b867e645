import { mayAdminister } from '../../../domain/roles.ts';
import { requireRole } from '../../pipeline/require-role.ts';
import { addApplicationPages, type AdminApplicationParts } from './applications.ts';
import { addServerPages, type AdminServerParts } from './server.ts';
import { addUserAccessPages, type AdminUserAccessParts } from './user-access.ts';
import { addUserActions } from './user-actions.ts';
import { addUserPages, type AdminUserParts } from './users.ts';
import { createPageRouter } from '../page-router.ts';
import type { Route } from '../../route.ts';

export interface AdminParts extends AdminUserParts, AdminUserAccessParts, AdminApplicationParts, AdminServerParts {
  readonly settings: AdminApplicationParts['settings'] & AdminUserParts['settings'] & { readonly loginUrl: string };
}

/** The administration pages. The router's guard protects every route added to it. */
export function adminRoutes(parts: AdminParts): readonly Route[] {
  const router = createPageRouter({
    prefix: '/admin',
    guard: requireRole(parts.settings.loginUrl, mayAdminister, 'administrators'),
  });
  router.get('/', (ctx) => ctx.redirect('/admin/users/'));
  addUserPages(router, parts);
  addUserAccessPages(router, parts);
  addUserActions(router, parts);
  addApplicationPages(router, parts);
  addServerPages(router, parts);
  return router.routes;
}
