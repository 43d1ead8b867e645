import { Router } from '@koa/router';
import { mayAdminister } from '../../../domain/roles.ts';
import { requireRole } from '../../pipeline/require-role.ts';
import type { RequestState } from '../../pipeline/state.ts';
import { addApplicationPages, type AdminApplicationParts } from './applications.ts';
import { addServerPages, type AdminServerParts } from './server.ts';
import { addUserAccessPages, type AdminUserAccessParts } from './user-access.ts';
import { addUserActions } from './user-actions.ts';
import { addUserPages, type AdminUserParts } from './users.ts';

export interface AdminParts extends AdminUserParts, AdminUserAccessParts, AdminApplicationParts, AdminServerParts {
  readonly settings: AdminApplicationParts['settings'] & { readonly loginUrl: string };
}

/** The administrators' pages: whatever is added to this router is behind its one guard. */
export function adminRoutes(parts: AdminParts): Router<RequestState> {
  const router = new Router<RequestState>({ sensitive: true, prefix: '/admin' });
  router.use(requireRole(parts.settings.loginUrl, mayAdminister, 'administrators'));
  router.get('/', (ctx) => ctx.redirect('/admin/users/'));
  addUserPages(router, parts);
  addUserAccessPages(router, parts);
  addUserActions(router, parts);
  addApplicationPages(router, parts);
  addServerPages(router, parts);
  return router;
}
