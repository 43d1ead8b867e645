import type { z } from 'zod';
import { message, type Text } from '../language/message.ts';
import type { Setting } from './setting.ts';
import { settings, type SettingName } from './settings.ts';

/**
 * The source of the configuration, which determines some defaults. A server that has no configuration file and is not
 * embedded in a program uses the sample configuration.
 */
export type Basis = 'sample' | 'file' | 'program';

export interface EffectiveDefault {
  readonly value: unknown;
  /** The reason that this default applies; null if the default is the same in every configuration. */
  readonly reason: Text | null;
}

/** Returns the default of a setting in a configuration with this basis. */
export function effectiveDefault(name: SettingName, basis: Basis): EffectiveDefault {
  const setting: Setting<z.ZodType> = settings[name];
  if (setting.defaultWhenConfigured === undefined) return { value: setting.default, reason: null };
  return {
    value: basis === 'sample' ? setting.default : setting.defaultWhenConfigured,
    reason: message(`setting-reason.${basis}`),
  };
}
