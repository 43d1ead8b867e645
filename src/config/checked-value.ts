import type { z } from 'zod';
import { message, type Text } from '../language/message.ts';
import { reservedMemberProblem } from './reserved-member.ts';
import type { Setting } from './setting.ts';
import { settings, type SettingName } from './settings.ts';

/** The maximum number of levels of lists and objects in a value. No setting needs as many. */
const MAX_DEPTH = 32;

/** The accepted value, the reason to refuse the value, or its mismatch with the setting's schema. */
export type CheckedValue = { readonly value: unknown } | { readonly problem: Text } | { readonly mismatch: z.ZodError };

/**
 * Checks a value of a setting, from any source.
 * @param previousValue the value in the log that the new value would replace, if the log contains a value
 */
export function checkValue(name: SettingName, value: unknown, previousValue?: unknown): CheckedValue {
  if (isTooDeep(value)) return { problem: message('setting-problem.too-deep', { most: MAX_DEPTH }) };
  const reservedProblem = reservedMemberProblem(value);
  if (reservedProblem !== undefined) return { problem: reservedProblem };
  const declaration: Setting<z.ZodType> = settings[name];
  const result = declaration.schema.safeParse(value);
  if (!result.success) return { mismatch: result.error };
  const problem = declaration.problem?.(result.data, previousValue);
  return problem === undefined ? { value: result.data } : { problem };
}

/**
 * Reports whether the value has more than `MAX_DEPTH` levels of lists and objects. Checks on a value are recursive,
 * so thousands of levels would exhaust the stack.
 */
function isTooDeep(value: unknown): boolean {
  let level = selectObjects([value]);
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth += 1)
    level = level.flatMap((object) => selectObjects(Object.values(object)));
  return level.length > 0;
}

function selectObjects(values: readonly unknown[]): readonly object[] {
  return values.filter((value) => typeof value === 'object' && value !== null);
}
