import { formatSettingValue } from '../../../config/effective-settings.ts';
import { GROUP_OF_SETTING } from '../../../config/setting-groups.ts';
import { english } from '../../../language/english.ts';
import { message } from '../../../language/message.ts';
import type { Translator } from '../../../language/translator.ts';
import type { CurrentSetting } from '../../../oauth/settings/setting-changes.ts';
import { textColumn, timeColumn, type PageList } from '../lists/page-list.ts';
import { differsFromDefault, displayedSetting, subjectTitle } from './setting-sections.ts';

/** The sort order in which the list is divided into sections. */
export const BY_SUBJECT = 'subject';

/** More than the number of settings, so that one page shows all settings and every section is complete. */
const SETTINGS_PER_PAGE = 500;

/**
 * Defines the list of settings. A search finds words in the reader's language and in English, the language of the
 * documentation.
 */
export function settingList({ text }: Pick<Translator, 'text'>): PageList<CurrentSetting> {
  return {
    name: message('listed.settings'),
    countMessage: 'listed.settings.count',
    fileName: 'settings',
    searchLabel: message('settings.search'),
    id: ({ name }) => name,
    texts: (setting) => {
      const { title, description } = displayedSetting(setting);
      const texts = [title, description, subjectTitle(GROUP_OF_SETTING[setting.name])];
      return [
        splitWords(setting.name),
        setting.name,
        setting.environment,
        ...texts.flatMap((value) => [text(value), english.text(value)]),
      ];
    },
    filters: [
      {
        name: 'status',
        title: message('settings.filter'),
        choices: [
          { value: 'changed', title: message('settings.changed'), matches: differsFromDefault },
          { value: 'changeable', title: message('settings.changeable'), matches: ({ fixedBy }) => fixedBy === null },
          { value: 'fixed', title: message('settings.fixed'), matches: ({ fixedBy }) => fixedBy !== null },
        ],
      },
    ],
    columns: [
      textColumn(BY_SUBJECT, message('column.subject'), ({ name }) => text(subjectTitle(GROUP_OF_SETTING[name]))),
      textColumn('setting', message('column.setting'), ({ name }) => name),
      textColumn('value', message('column.value'), ({ name, value }) => formatSettingValue(name, value), 'file'),
      textColumn('origin', message('column.origin'), ({ origin }) => origin),
      textColumn(
        'default',
        message('column.default'),
        ({ name, default: defaultValue }) => formatSettingValue(name, defaultValue),
        'file',
      ),
      textColumn(
        'can_change',
        message('settings.changeable'),
        ({ fixedBy }) => (fixedBy === null ? 'yes' : 'no'),
        'file',
      ),
      textColumn('environment', message('column.environment'), ({ environment }) => environment, 'file'),
      timeColumn('changed', message('column.last-change'), ({ changed }) => changed?.changedAt),
    ],
    sort: { by: BY_SUBJECT, direction: 'ascending' },
    empty: { icon: 'sliders-horizontal', text: message('empty.settings'), action: null },
    itemsPerPage: SETTINGS_PER_PAGE,
  };
}

/** Splits a name into words: `refreshReuseWindowSeconds` becomes "refresh reuse window seconds". */
function splitWords(name: string): string {
  return name.replaceAll(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);
}
