import type { Router } from '@koa/router';
import { settingText, type SettingInForce } from '../../../config/settings-in-force.ts';
import type { AdminHealthLocals, AdminPages } from './admin-pages.ts';
import { framedFor } from '../page-context.ts';
import { actingPerson } from '../../pipeline/role-guard.ts';
import { sendPage } from '../send-page.ts';
import type { RequestState } from '../../pipeline/state.ts';

export interface AdminServerParts {
  readonly pages: AdminPages;
  readonly settingsInForce: readonly SettingInForce[];
  /** Undefined when requests can be answered. */
  readonly obstacle: () => string | undefined;
  readonly healthFigures: () => Promise<AdminHealthLocals['groups']>;
}

/** What the server runs with, and how it is. */
export function addServerPages(
  router: Router<RequestState>,
  { pages, settingsInForce, obstacle, healthFigures }: AdminServerParts,
): void {
  const settings = settingsInForce.map(({ name, value, default: preset, ...setting }) => ({
    ...setting,
    name,
    value: shown(name, value),
    default: shown(name, preset),
  }));

  router.get('/settings', (ctx) =>
    sendPage(ctx, pages.adminSettings({ ...framedFor(ctx, actingPerson(ctx)), settings })),
  );

  router.get('/health', async (ctx) => {
    const groups = await healthFigures();
    sendPage(ctx, pages.adminHealth({ ...framedFor(ctx, actingPerson(ctx)), obstacle: obstacle() ?? null, groups }));
  });
}

/** Null where nothing is set. */
function shown(name: SettingInForce['name'], value: unknown): string | null {
  return value === null ? null : settingText(name, value);
}
