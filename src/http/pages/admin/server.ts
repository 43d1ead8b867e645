import type { SettingChanges, CurrentSetting } from '../../../oauth/settings/setting-changes.ts';
import { english } from '../../../language/english.ts';
import { message } from '../../../language/message.ts';
import { createTranslators } from '../../../language/translators.ts';
import { readerLanguage } from '../../pipeline/reader-language.ts';
import type { ListLocals } from '../lists/list-locals.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import { attentionFacts, type AttentionDeps } from './attention-facts.ts';
import { providerProblems, serverProblems, usageProblems } from './attention.ts';
import type { AdminHealthLocals, AdminPages } from './locals.ts';
import { sendAdminList } from './send-admin-list.ts';
import { BY_SUBJECT, settingList } from './setting-list.ts';
import { changedSettingsFirst, displayedSetting, settingSections, type SettingSection } from './setting-sections.ts';
import { pageContextFor } from '../page-context.ts';
import { actingUser } from '../../pipeline/require-role.ts';
import { sendPage } from '../send-page.ts';
import type { PageRouter } from '../page-router.ts';

export interface AdminServerDeps extends AttentionDeps {
  readonly pages: AdminPages;
  readonly settingChanges: Pick<SettingChanges, 'all'>;
  readonly healthFigures: () => Promise<AdminHealthLocals['groups']>;
  readonly now: () => EpochSeconds;
}

const translators = createTranslators();

/** Adds the list of the server's settings and the page that shows the server's health. */
export function addServerPages(router: PageRouter, deps: AdminServerDeps): void {
  const { pages, settingChanges, healthFigures, now } = deps;

  router.get('/settings', (ctx) => {
    const list = settingList(translators[readerLanguage(ctx) ?? english.language]);
    const settings = settingChanges.all();
    const ignored = settings.flatMap(({ name, ignoredBecause: because }) =>
      because === null ? [] : [{ name, because }],
    );
    sendAdminList(ctx, list, settings, (locals, items) =>
      pages.adminSettings({
        ...pageContextFor(ctx, actingUser(ctx)),
        list: locals,
        sections: sectionsOf(locals, items),
        ignored,
      }),
    );
  });

  router.get('/health', async (ctx) => {
    const groups = await healthFigures();
    const facts = attentionFacts(deps, now());
    sendPage(
      ctx,
      pages.adminHealth({
        ...pageContextFor(ctx, actingUser(ctx)),
        obstacle: facts.obstacle,
        problems: [...serverProblems({ obstacle: null, state: facts.state }), ...providerProblems(facts)],
        usageProblemCount: usageProblems(facts).length,
        groups,
      }),
    );
  });
}

/**
 * Groups the settings by subject, unless the reader chose a different order. Without a search or filter, the settings
 * that differ from their defaults come first.
 */
function sectionsOf({ isNarrowed, sort }: ListLocals, settings: readonly CurrentSetting[]): readonly SettingSection[] {
  if (sort !== BY_SUBJECT)
    return [{ id: '', title: message('admin.settings'), settings: settings.map(displayedSetting) }];
  return isNarrowed ? settingSections(settings) : changedSettingsFirst(settings);
}
