import { formatSettingValue, type EffectiveSetting } from '../../../config/effective-settings.ts';
import { GROUP_OF_SETTING, SETTING_GROUPS } from '../../../config/setting-groups.ts';

/** A setting with its values formatted; null if nothing is set. */
type DisplayedSetting = Omit<EffectiveSetting, 'value' | 'default'> & {
  readonly value: string | null;
  readonly default: string | null;
};

export interface SettingSection {
  readonly title: string;
  readonly settings: readonly DisplayedSetting[];
}

/** Settings by subject. Those that differ from their default come first, in a section of their own. */
export function settingSections(settings: readonly EffectiveSetting[]): readonly SettingSection[] {
  const displayed = settings.map(display);
  const groups = SETTING_GROUPS.map((title) => ({
    title,
    settings: displayed.filter((setting) => !isChanged(setting) && GROUP_OF_SETTING[setting.name] === title),
  }));
  return [
    { title: 'Changed from the default', settings: displayed.filter(isChanged) },
    ...groups.filter((group) => group.settings.length > 0),
  ];
}

/** A value that the server derived from other settings counts as a default. */
function isChanged({ origin, value, default: preset }: DisplayedSetting): boolean {
  return origin !== 'default' && value !== preset;
}

function display({ name, value, default: preset, ...setting }: EffectiveSetting): DisplayedSetting {
  return { ...setting, name, value: displayedValue(name, value), default: displayedValue(name, preset) };
}

/** Null if nothing is set. */
function displayedValue(name: EffectiveSetting['name'], value: unknown): string | null {
  return value === null ? null : formatSettingValue(name, value);
}
