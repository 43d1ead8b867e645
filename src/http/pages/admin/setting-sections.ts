import { formatSettingValue, type EffectiveSetting } from '../../../config/effective-settings.ts';
import { GROUP_OF_SETTING, SETTING_GROUPS } from '../../../config/setting-groups.ts';
import { settingLines, type SettingLine } from './setting-lines.ts';

type DisplayedSetting = Pick<EffectiveSetting, 'name' | 'environment' | 'origin' | 'description' | 'reason'> & {
  readonly value: readonly SettingLine[];
  /** Null where the value is the default, or follows from other settings. */
  readonly default: readonly SettingLine[] | null;
};

export interface SettingSection {
  readonly title: string;
  readonly settings: readonly DisplayedSetting[];
}

/** Settings by subject. Those that differ from their default come first, in a section of their own. */
export function settingSections(settings: readonly EffectiveSetting[]): readonly SettingSection[] {
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
function isChanged({ name, origin, value, default: preset }: EffectiveSetting): boolean {
  return origin !== 'default' && formatSettingValue(name, value) !== formatSettingValue(name, preset);
}

function display({ name, environment, value, origin, unit, description, reason }: EffectiveSetting): DisplayedSetting {
  return {
    name,
    environment,
    value: settingLines(name, value, unit),
    default: null,
    origin,
    description,
    reason,
  };
}
