import { formatSettingValue, type EffectiveSetting } from '../../../config/effective-settings.ts';
import type { AdminHealthLocals, AdminPages } from './locals.ts';
import { pageContextFor } from '../page-context.ts';
import { actingUser } from '../../pipeline/require-role.ts';
import { sendPage } from '../send-page.ts';
import type { PageRouter } from '../page-router.ts';

export interface AdminServerParts {
  readonly pages: AdminPages;
  readonly settingsInForce: readonly EffectiveSetting[];
  /** Why the server is not ready, or undefined. */
  readonly obstacle: () => string | undefined;
  readonly healthFigures: () => Promise<AdminHealthLocals['groups']>;
}

/** The server's settings and health. */
export function addServerPages(
  router: PageRouter,
  { pages, settingsInForce, obstacle, healthFigures }: AdminServerParts,
): void {
  const settings = settingsInForce.map(({ name, value, default: preset, ...setting }) => ({
    ...setting,
    name,
    value: displayedValue(name, value),
    default: displayedValue(name, preset),
  }));

  router.get('/settings', (ctx) =>
    sendPage(ctx, pages.adminSettings({ ...pageContextFor(ctx, actingUser(ctx)), settings })),
  );

  router.get('/health', async (ctx) => {
    const groups = await healthFigures();
    sendPage(ctx, pages.adminHealth({ ...pageContextFor(ctx, actingUser(ctx)), obstacle: obstacle() ?? null, groups }));
  });
}

/** Null if nothing is set. */
function displayedValue(name: EffectiveSetting['name'], value: unknown): string | null {
  return value === null ? null : formatSettingValue(name, value);
}
