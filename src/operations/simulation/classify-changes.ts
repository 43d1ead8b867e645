import type { SettingChanges } from '../../config/config.ts';
import { SETTING_NAMES, type SettingName } from '../../config/settings.ts';
import { SETTING_CLASSES, type SettingClass, type SimulatedSetting } from './setting-classes.ts';
import type { SimulatedSettings } from './simulated-settings.ts';

interface ExplainedSetting {
  readonly setting: SettingName;
  readonly because: string;
}

/** What was asked, taken apart by what can be said about it. */
export interface ClassifiedChanges {
  readonly simulated: SimulatedSettings;
  /** Which it may well break, and nobody can tell from the log what. */
  readonly unknown: readonly ExplainedSetting[];
  readonly indifferent: readonly ExplainedSetting[];
}

const classificationOf = (name: SettingName): SettingClass => SETTING_CLASSES[name];

export function classifyChanges(changes: SettingChanges): ClassifiedChanges {
  const named = SETTING_NAMES.filter((name) => Object.hasOwn(changes, name));
  const explained = (as: SettingClass['as']): readonly ExplainedSetting[] =>
    named
      .filter((name) => classificationOf(name).as === as)
      .map((setting) => ({ setting, because: classificationOf(setting).says }));
  const judged = Object.fromEntries(
    named.filter(isSimulated).map((name) => [name, changes[name]]),
  ) as SimulatedSettings;
  return { simulated: judged, unknown: explained('unknown'), indifferent: explained('indifferent') };
}

function isSimulated(name: SettingName): name is SimulatedSetting {
  return classificationOf(name).as === 'judged';
}
