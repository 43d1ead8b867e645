import type { z } from 'zod';
import type { Text } from '../language/message.ts';
import type { Setting } from './setting.ts';
import { settings, type SettingName } from './settings.ts';

/**
 * Returns the problem with a new value, or undefined if there is none. The schema of the setting must accept the value.
 * @param before the value that it replaces, if the log has one
 */
export function settingProblem(name: SettingName, value: unknown, before?: unknown): Text | undefined {
  const declared: Setting<z.ZodType> = settings[name];
  return declared.problem?.(value, before);
}
