import type { SettingChanges, SettingInForce } from '../../../oauth/settings/setting-changes.ts';
import { queryOf } from '../../pipeline/query.ts';
import type { AdminHealthLocals, AdminPages } from './locals.ts';
import { settingSections } from './setting-sections.ts';
import { pageContextFor } from '../page-context.ts';
import { actingUser } from '../../pipeline/require-role.ts';
import { sendPage } from '../send-page.ts';
import type { PageRouter } from '../page-router.ts';

export interface AdminServerParts {
  readonly pages: AdminPages;
  readonly settingChanges: Pick<SettingChanges, 'all'>;
  /** Why the server is not ready, or undefined. */
  readonly obstacle: () => string | undefined;
  readonly healthFigures: () => Promise<AdminHealthLocals['groups']>;
}

/** The server's settings and health. */
export function addServerPages(
  router: PageRouter,
  { pages, settingChanges, obstacle, healthFigures }: AdminServerParts,
): void {
  router.get('/settings', (ctx) => {
    const query = (queryOf(ctx).text('q') ?? '').trim();
    const all = settingChanges.all();
    const sections = settingSections(all.filter((setting) => isMatch(setting, query)));
    const ignored = all.flatMap(({ name, ignoredBecause: because }) => (because === null ? [] : [{ name, because }]));
    sendPage(ctx, pages.adminSettings({ ...pageContextFor(ctx, actingUser(ctx)), sections, query, ignored }));
  });

  router.get('/health', async (ctx) => {
    const groups = await healthFigures();
    sendPage(ctx, pages.adminHealth({ ...pageContextFor(ctx, actingUser(ctx)), obstacle: obstacle() ?? null, groups }));
  });
}

/** Every word is in the name or the description. */
function isMatch({ name, environment, description }: SettingInForce, query: string): boolean {
  const text = `${name} ${environment} ${description}`.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
