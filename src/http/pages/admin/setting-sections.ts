import { formatSettingValue } from '../../../config/effective-settings.ts';
import { GROUP_OF_SETTING, SETTING_GROUPS, type SettingGroup } from '../../../config/setting-groups.ts';
import { message, type Text } from '../../../language/message.ts';
import type { CurrentSetting } from '../../../oauth/settings/setting-changes.ts';
import { settingLines, type SettingLine } from './setting-lines.ts';

export type DisplayedSetting = Pick<CurrentSetting, 'name' | 'environment' | 'origin' | 'fixedBy'> & {
  readonly title: Text;
  readonly description: Text;
  readonly value: readonly SettingLine[];
  /** Null if the value is the default or was derived from other settings. */
  readonly default: readonly SettingLine[] | null;
  /** Why this default applies; null if it is the same for every configuration. */
  readonly reason: Text | null;
};

export interface SettingSection {
  /** The fragment of the section's URL; empty for the only section of a list that is not sorted by subject. */
  readonly id: SettingGroup | 'changed' | '';
  readonly title: Text;
  readonly settings: readonly DisplayedSetting[];
}

/** Returns the title of a group of settings, which names their common subject. */
export function subjectTitle(group: SettingGroup): Text {
  return message(`setting-group.${group}`);
}

/** Groups the settings by subject, in the order of `SETTING_GROUPS`. */
export function settingSections(settings: readonly CurrentSetting[]): readonly SettingSection[] {
  const groups = SETTING_GROUPS.map((id) => ({
    id,
    title: subjectTitle(id),
    settings: settings.filter(({ name }) => GROUP_OF_SETTING[name] === id).map(displayedSetting),
  }));
  return groups.filter((group) => group.settings.length > 0);
}

/** Returns a section with the settings that differ from their defaults, followed by the other settings by subject. */
export function changedSettingsFirst(settings: readonly CurrentSetting[]): readonly SettingSection[] {
  const changedSettings = settings.filter(differsFromDefault).map(displayedSetting);
  return [
    { id: 'changed', title: message('settings.changed'), settings: changedSettings },
    ...settingSections(settings.filter((setting) => !differsFromDefault(setting))),
  ];
}

/** Reports whether the value differs from the default and was not derived from other settings. */
export function differsFromDefault({ name, origin, value, default: defaultValue }: CurrentSetting): boolean {
  return origin !== 'default' && formatSettingValue(name, value) !== formatSettingValue(name, defaultValue);
}

export function displayedSetting(setting: CurrentSetting): DisplayedSetting {
  const { name, environment, value, origin, unit, fixedBy, defaultBecause } = setting;
  return {
    name,
    environment,
    title: message(`setting-title.${name}`),
    description: message(`setting.${name}`),
    value: settingLines(name, value, unit),
    default: differsFromDefault(setting) ? settingLines(name, setting.default, unit) : null,
    reason: defaultBecause,
    origin,
    fixedBy,
  };
}
