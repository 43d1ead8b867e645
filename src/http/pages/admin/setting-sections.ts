import { formatSettingValue } from '../../../config/effective-settings.ts';
import type { SettingInForce } from '../../../oauth/settings/setting-changes.ts';
import { GROUP_OF_SETTING, SETTING_GROUPS } from '../../../config/setting-groups.ts';
import { settingLines, type SettingLine } from './setting-lines.ts';

type DisplayedSetting = Pick<
  SettingInForce,
  'name' | 'environment' | 'origin' | 'description' | 'reason' | 'fixedBy' | 'ignoredBecause'
> & {
  readonly value: readonly SettingLine[];
  /** Null where the value is the default, or follows from other settings. */
  readonly default: readonly SettingLine[] | null;
};

export interface SettingSection {
  readonly title: string;
  readonly settings: readonly DisplayedSetting[];
}

/** Settings by subject. Those that differ from their default come first, in a section of their own. */
export function settingSections(settings: readonly SettingInForce[]): readonly SettingSection[] {
  const groups = SETTING_GROUPS.map((title) => ({
    title,
    settings: settings
      .filter((setting) => !isChanged(setting) && GROUP_OF_SETTING[setting.name] === title)
      .map((setting) => display(setting)),
  }));
  const changed = settings.filter(isChanged).map((setting) => {
    const { name, unit } = setting;
    return { ...display(setting), default: settingLines(name, setting.default, unit) };
  });
  return [
    { title: 'Changed from the default', settings: changed },
    ...groups.filter((group) => group.settings.length > 0),
  ];
}

/** A value that the server derived from other settings counts as a default. */
function isChanged({ name, origin, value, default: preset }: SettingInForce): boolean {
  return origin !== 'default' && formatSettingValue(name, value) !== formatSettingValue(name, preset);
}

function display(setting: SettingInForce): DisplayedSetting {
  const { name, environment, value, origin, unit, description, reason, fixedBy, ignoredBecause } = setting;
  return {
    name,
    environment,
    value: settingLines(name, value, unit),
    default: null,
    origin,
    description,
    reason,
    fixedBy,
    ignoredBecause,
  };
}
