import { z } from 'zod';
import { message, type Text } from '../language/message.ts';

/** A setting, as declared in the table of settings. Its title and description are in the catalog. */
export interface Setting<Schema extends z.ZodType> {
  readonly schema: Schema;
  /** The default in the sample configuration. */
  readonly default: z.output<Schema>;
  /** The default in other configurations, if it differs. */
  readonly defaultWhenConfigured?: z.output<Schema>;
  /** Completes "must be …". */
  readonly expects: Text;
  readonly unit?: 'seconds' | 'bytes';
  /**
   * Returns the reason to refuse a new value that the schema accepts, or undefined if it is valid. Values in the log
   * are not checked: an earlier release may have accepted them, and they should keep their effect.
   * @param previousValue the value that it replaces, if the log has one
   */
  problem?(value: z.output<Schema>, previousValue?: unknown): Text | undefined;
  /** Never displayed, not even in an error message. */
  readonly secret?: true;
  /** Reports whether this value of a secret setting contains no secret, so that it may be displayed. */
  isPublic?(value: unknown): boolean;
  /** Whether it can change while the server runs: see `runTime`. */
  readonly atRunTime?: true;
}

/** The source of a value. `change` is a change at run time, which is recorded in the log. */
export type Origin = 'default' | 'file' | 'environment' | 'change';

/** Returns the declaration. The call infers the type of its schema. */
export function setting<Schema extends z.ZodType>(declaration: Setting<Schema>): Setting<Schema> {
  return declaration;
}

/**
 * Marks a setting that administrators can change while the server runs. Code reads it at each request, never when the
 * server is composed. Secrets, paths, keys and the addresses of this server are never run-time settings: only the
 * operator of the machine can set them.
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
