import type { z } from 'zod';
import { settings, type Setting, type SettingName } from './settings.ts';

/** Which configuration the defaults belong to: the sample configuration, unless somebody has chosen another one. */
export type Basis = 'sample' | 'file' | 'program';

const REASONS: Readonly<Record<Basis, string>> = {
  sample: 'no configuration file is named, so this is the sample configuration',
  file: 'a configuration file is named',
  program: 'another program embeds the server',
};

export interface EffectiveDefault {
  readonly value: unknown;
  /** Why it is this one; null where it is the same on every basis. */
  readonly reason: string | null;
}

export function effectiveDefault(name: SettingName, basis: Basis): EffectiveDefault {
  const described: Setting<z.ZodType> = settings[name];
  if (described.defaultWhenConfigured === undefined) return { value: described.default, reason: null };
  return { value: basis === 'sample' ? described.default : described.defaultWhenConfigured, reason: REASONS[basis] };
}
