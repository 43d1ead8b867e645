import type { SettingChanges } from '../../config/config.ts';
import { SETTING_NAMES, type SettingName } from '../../config/settings.ts';
import { SETTING_CLASSES, type SettingClass, type SimulatedSetting } from './setting-classes.ts';
import type { SimulatedSettings } from './simulated-settings.ts';

interface ExplainedSetting {
  readonly setting: SettingName;
  readonly because: string;
}

/** Setting changes, grouped by how much of their effect the log shows. */
export interface ClassifiedChanges {
  readonly simulated: SimulatedSettings;
  /** Changes that may affect requests, but the log does not show which ones. */
  readonly unknown: readonly ExplainedSetting[];
  /** Changes that do not affect responses to applications. */
  readonly withoutEffect: readonly ExplainedSetting[];
}

const classOf = (name: SettingName): SettingClass => SETTING_CLASSES[name];

export function classifyChanges(changes: SettingChanges): ClassifiedChanges {
  const changedSettings = SETTING_NAMES.filter((name) => Object.hasOwn(changes, name));
  const explain = (kind: SettingClass['kind']): readonly ExplainedSetting[] =>
    changedSettings.flatMap((setting) => {
      const settingClass = classOf(setting);
      return settingClass.kind === kind ? [{ setting, because: settingClass.reason }] : [];
    });
  const simulated = Object.fromEntries(changedSettings.filter(isSimulated).map((name) => [name, changes[name]]));
  return { simulated, unknown: explain('unknown'), withoutEffect: explain('no-effect') };
}

function isSimulated(name: SettingName): name is SimulatedSetting {
  return classOf(name).kind === 'simulated';
}
