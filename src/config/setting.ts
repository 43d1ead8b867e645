import { z } from 'zod';
import { message, type Text } from '../language/message.ts';

/** The declaration of a setting in the table of settings. The message catalog contains its title and description. */
export interface Setting<Schema extends z.ZodType> {
  readonly schema: Schema;
  /** The default; if `defaultWhenConfigured` is present, only in the sample configuration. */
  readonly default: z.output<Schema>;
  /** The default in all other configurations, if different. */
  readonly defaultWhenConfigured?: z.output<Schema>;
  /** Completes "must be …". */
  readonly expects: Text;
  readonly unit?: 'seconds' | 'bytes';
  /**
   * Returns the reason to refuse a new value that the schema accepts, or undefined if the value is valid. Values in
   * the log are not checked again, because an earlier release may have accepted them and they must stay in effect.
   * @param previousValue the value in the log that the new value would replace, if the log contains a value
   */
  problem?(value: z.output<Schema>, previousValue?: unknown): Text | undefined;
  /** Whether the value is never displayed, not even in error messages. `isPublic` can make exceptions. */
  readonly secret?: true;
  /** Reports whether a value of a secret setting contains no secret and may therefore be displayed. */
  isPublic?(value: unknown): boolean;
  /** Whether the setting can change while the server runs: see `runTime`. */
  readonly atRunTime?: true;
}

/** The source of a setting's value. `change` stands for a change at run time, which the log records. */
export type Origin = 'default' | 'file' | 'environment' | 'change';

/** Returns the declaration unchanged. The call lets TypeScript infer the type of the schema. */
export function setting<Schema extends z.ZodType>(declaration: Setting<Schema>): Setting<Schema> {
  return declaration;
}

/**
 * Marks a setting as one that administrators can change while the server runs. Code must read such a setting when it
 * needs the value, never when the server is composed. Secrets, paths, keys and the addresses of this server must not be
 * run-time settings, because only the operator may set them.
 */
export function runTime<Schema extends z.ZodType>(declaration: Setting<Schema>) {
  return { ...declaration, atRunTime: true } as const;
}

export const TEN_YEARS_IN_SECONDS = 315_360_000;

export function seconds(min: number, max: number, defaultValue: number) {
  return setting({
    schema: z.int().min(min).max(max),
    default: defaultValue,
    expects: message('expects.seconds', { min: String(min), max: String(max) }),
    unit: 'seconds',
  });
}

export function wholeNumber(min: number, max: number, defaultValue: number) {
  return setting({
    schema: z.int().min(min).max(max),
    default: defaultValue,
    expects: message('expects.whole-number', { min: String(min), max: String(max) }),
  });
}

export function flag(defaultValue: boolean) {
  return setting({ schema: z.boolean(), default: defaultValue, expects: message('expects.flag') });
}

export function choice<const Names extends readonly [string, ...string[]]>(names: Names, defaultValue: Names[number]) {
  const schema = z.enum(names) as z.ZodType<Names[number]>;
  return setting({ schema, default: defaultValue, expects: message('expects.choice', { choices: names.join(', ') }) });
}
