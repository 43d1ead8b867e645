import type { z } from 'zod';
import { message, type Text } from '../language/message.ts';
import { isTooDeep, MAX_DEPTH } from './json-depth.ts';
import { reservedMemberProblem } from './reserved-member.ts';
import type { Setting } from './setting.ts';
import { settings, type SettingName } from './settings.ts';

/** An accepted value, the reason to refuse it, or its mismatch with the schema of the setting. */
export type CheckedValue = { readonly value: unknown } | { readonly problem: Text } | { readonly mismatch: z.ZodError };

/**
 * Checks a value of a setting, wherever it was entered.
 * @param before the value that it replaces, if the log has one
 */
export function checkValue(name: SettingName, value: unknown, before?: unknown): CheckedValue {
  if (isTooDeep(value)) return { problem: message('setting-problem.too-deep', { most: MAX_DEPTH }) };
  const reserved = reservedMemberProblem(value);
  if (reserved !== undefined) return { problem: reserved };
  const declared: Setting<z.ZodType> = settings[name];
  const checked = declared.schema.safeParse(value);
  if (!checked.success) return { mismatch: checked.error };
  const problem = declared.problem?.(checked.data, before);
  return problem === undefined ? { value: checked.data } : { problem };
}
