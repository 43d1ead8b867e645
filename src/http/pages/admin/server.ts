import type { EffectiveSetting } from '../../../config/effective-settings.ts';
import type { AdminHealthLocals, AdminPages } from './locals.ts';
import { settingSections } from './setting-sections.ts';
import { pageContextFor } from '../page-context.ts';
import { actingUser } from '../../pipeline/require-role.ts';
import { sendPage } from '../send-page.ts';
import type { PageRouter } from '../page-router.ts';

export interface AdminServerParts {
  readonly pages: AdminPages;
  readonly settingsInForce: () => readonly EffectiveSetting[];
  /** Why the server is not ready, or undefined. */
  readonly obstacle: () => string | undefined;
  readonly healthFigures: () => Promise<AdminHealthLocals['groups']>;
}

/** The server's settings and health. */
export function addServerPages(
  router: PageRouter,
  { pages, settingsInForce, obstacle, healthFigures }: AdminServerParts,
): void {
  router.get('/settings', (ctx) => {
    const sections = settingSections(settingsInForce());
    sendPage(ctx, pages.adminSettings({ ...pageContextFor(ctx, actingUser(ctx)), sections }));
  });

  router.get('/health', async (ctx) => {
    const groups = await healthFigures();
    sendPage(ctx, pages.adminHealth({ ...pageContextFor(ctx, actingUser(ctx)), obstacle: obstacle() ?? null, groups }));
  });
}
