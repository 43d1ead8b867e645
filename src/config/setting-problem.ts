import type { z } from 'zod';
import type { Setting } from './setting.ts';
import { settings, type SettingName } from './settings.ts';

/** The problem with a new value that the schema of the setting accepts; undefined if there is none. */
export function settingProblem(name: SettingName, value: unknown): string | undefined {
  const declared: Setting<z.ZodType> = settings[name];
  return declared.problem?.(value);
}
