import type { SettingChanges } from '../../config/config.ts';
import { SETTING_NAMES, type SettingName } from '../../config/settings.ts';
import { CLASSIFICATION, type Classified, type JudgedSetting } from './classification.ts';
import type { Changed } from './judged-settings.ts';

interface Explained {
  readonly setting: SettingName;
  readonly because: string;
}

/** What was asked, taken apart by what can be said about it. */
export interface Asked {
  readonly judged: Changed;
  /** Which it may well break, and nobody can tell from the log what. */
  readonly unknown: readonly Explained[];
  readonly indifferent: readonly Explained[];
}

const classOf = (name: SettingName): Classified => CLASSIFICATION[name];

export function sortOut(changes: SettingChanges): Asked {
  const named = SETTING_NAMES.filter((name) => Object.hasOwn(changes, name));
  const explained = (as: Classified['as']): readonly Explained[] =>
    named.filter((name) => classOf(name).as === as).map((setting) => ({ setting, because: classOf(setting).says }));
  const judged = Object.fromEntries(named.filter(isJudged).map((name) => [name, changes[name]])) as Changed;
  return { judged, unknown: explained('unknown'), indifferent: explained('indifferent') };
}

function isJudged(name: SettingName): name is JudgedSetting {
  return classOf(name).as === 'judged';
}
