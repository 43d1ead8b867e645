import { z } from 'zod';
import type { Setting } from './setting.ts';
import { settings, type SettingName } from './settings.ts';

/** The form input for the value of a setting. */
export type SettingInput =
  | { readonly kind: 'choice'; readonly options: readonly string[] }
  /** Any number of the options, one per line. */
  | { readonly kind: 'choices'; readonly options: readonly string[] }
  /** An empty field means null if the setting can be null. */
  | {
      readonly kind: 'number';
      readonly canBeNull: boolean;
      readonly unit: 'seconds' | 'bytes' | null;
      readonly min: number;
      readonly max: number;
    }
  /** An empty field means null if the setting can be null. */
  | { readonly kind: 'text'; readonly canBeNull: boolean }
  /** A list with one entry per line. */
  | { readonly kind: 'lines' }
  | { readonly kind: 'json' };

/** The members of a JSON Schema that determine the input. */
interface Shape {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly items?: Shape;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly anyOf?: readonly Shape[];
}

/** Derives the input of a setting from its schema. */
export function deriveInput(name: SettingName): SettingInput {
  const schema = z.toJSONSchema(settings[name].schema, { io: 'input', unrepresentable: 'any' }) as Shape;
  const shapes = schema.anyOf ?? [schema];
  const options = shapes.find((shape) => shape.enum !== undefined)?.enum;
  if (options !== undefined) return { kind: 'choice', options };
  if (shapes.some(({ type }) => type === 'boolean')) return { kind: 'choice', options: ['true', 'false'] };
  const canBeNull = shapes.some(({ type }) => type === 'null');
  const number = shapes.find(({ type }) => type === 'integer');
  if (number !== undefined) {
    const { unit }: Setting<z.ZodType> = settings[name];
    return { kind: 'number', canBeNull, unit: unit ?? null, min: number.minimum ?? 0, max: number.maximum ?? Infinity };
  }
  const list = shapes.find(({ type }) => type === 'array');
  if (list?.items?.enum !== undefined) return { kind: 'choices', options: list.items.enum };
  if (list !== undefined) return { kind: 'lines' };
  if (shapes.some(({ type }) => type === 'object')) return { kind: 'json' };
  return { kind: 'text', canBeNull };
}

/** Formats a value for its form field. Null becomes an empty string, except in JSON. */
export function formatFieldValue({ kind }: SettingInput, value: unknown): string {
  if (kind === 'json') return JSON.stringify(value, null, 2);
  if (value === null) return '';
  if (kind === 'lines' || kind === 'choices') return (value as readonly string[]).join('\n');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Converts the text of a form field to the format of the environment variable. */
export function toEnvironmentValue(input: SettingInput, fieldText: string): string {
  const { kind } = input;
  const text = fieldText.trim();
  if (kind === 'text') return text === '' && input.canBeNull ? 'null' : text;
  if (kind === 'number') return text === '' ? 'null' : text;
  if (kind !== 'lines' && kind !== 'choices') return text;
  return JSON.stringify(text.split(/\r?\n/).flatMap((line) => line.trim() || []));
}
