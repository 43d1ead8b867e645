import type { z } from 'zod';
import type { Text } from '../language/message.ts';
import type { Setting } from './setting.ts';
import { settings, type SettingName } from './settings.ts';

/**
 * Returns the reason to refuse a new value that the schema of the setting accepts, or undefined if it is valid.
 * @param before the value that it replaces, if the log has one
 */
export function settingProblem(name: SettingName, value: unknown, before?: unknown): Text | undefined {
  const declared: Setting<z.ZodType> = settings[name];
  return declared.problem?.(value, before);
}
