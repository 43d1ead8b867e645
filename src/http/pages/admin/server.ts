import type { SettingChanges, CurrentSetting } from '../../../oauth/settings/setting-changes.ts';
import { english } from '../../../language/english.ts';
import { message, type Text } from '../../../language/message.ts';
import { createTranslators } from '../../../language/translators.ts';
import { readerLanguage } from '../../pipeline/reader-language.ts';
import type { ListLocals } from '../lists/list-locals.ts';
import { serverProblems, type AttentionFacts } from './attention.ts';
import type { AdminHealthLocals, AdminPages } from './locals.ts';
import { sendAdminList } from './send-admin-list.ts';
import { BY_SUBJECT, settingList } from './setting-list.ts';
import { changedFirst, displayedSetting, settingSections, type SettingSection } from './setting-sections.ts';
import { pageContextFor } from '../page-context.ts';
import { actingUser } from '../../pipeline/require-role.ts';
import { sendPage } from '../send-page.ts';
import type { PageRouter } from '../page-router.ts';

export interface AdminServerParts {
  readonly pages: AdminPages;
  readonly settingChanges: Pick<SettingChanges, 'all'>;
  /** The reason why the server is not ready; undefined if it is. */
  readonly obstacle: () => Text | undefined;
  readonly state: AttentionFacts['state'];
  readonly healthFigures: () => Promise<AdminHealthLocals['groups']>;
}

const translators = createTranslators();

/** The server's settings and health. */
export function addServerPages(
  router: PageRouter,
  { pages, settingChanges, obstacle, state, healthFigures }: AdminServerParts,
): void {
  router.get('/settings', (ctx) => {
    const list = settingList(translators[readerLanguage(ctx) ?? english.language]);
    const all = settingChanges.all();
    const ignored = all.flatMap(({ name, ignoredBecause: because }) => (because === null ? [] : [{ name, because }]));
    sendAdminList(ctx, list, all, (locals, shown) =>
      pages.adminSettings({
        ...pageContextFor(ctx, actingUser(ctx)),
        list: locals,
        sections: sectionsOf(locals, shown),
        ignored,
      }),
    );
  });

  router.get('/health', async (ctx) => {
    const groups = await healthFigures();
    const problem = obstacle() ?? null;
    const problems = serverProblems({ obstacle: null, state });
    sendPage(ctx, pages.adminHealth({ ...pageContextFor(ctx, actingUser(ctx)), obstacle: problem, problems, groups }));
  });
}

/**
 * The settings by subject, unless the reader chose another order. The complete list begins with the changed settings.
 */
function sectionsOf({ isNarrowed, sort }: ListLocals, shown: readonly CurrentSetting[]): readonly SettingSection[] {
  if (sort !== BY_SUBJECT) return [{ id: '', title: message('admin.settings'), settings: shown.map(displayedSetting) }];
  return isNarrowed ? settingSections(shown) : changedFirst(shown);
}
