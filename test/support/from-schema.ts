import * as fc from 'fast-check';
import type { Schema } from '../../src/http/openapi/operation.ts';

/** Values that the server knows, by field or parameter, so that some requests succeed. */
export type KnownValues = Readonly<Record<string, readonly unknown[]>>;

/** Generates small values that the schema allows. Supports the part of JSON Schema that the API description uses. */
export function fromSchema(schema: Schema, known: KnownValues = {}): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema['const']);
  if ('enum' in schema) return fc.constantFrom(...(schema['enum'] as readonly unknown[]));
  if ('oneOf' in schema)
    return fc.oneof(...(schema['oneOf'] as readonly Schema[]).map((alternative) => fromSchema(alternative, known)));
  const {
    type,
    items = {},
    minimum,
    maximum,
  } = schema as {
    readonly type?: string;
    readonly items?: Schema;
    readonly minimum?: number;
    readonly maximum?: number;
  };
  switch (type) {
    case 'integer':
      return fc.maxSafeInteger().map((n) => clamp(Math.abs(n) % 300, minimum ?? 0, maximum ?? 300));
    case 'array':
      return fc.array(fromSchema(items, known), { maxLength: 2 });
    case 'object':
      return anObject(schema, known);
    case 'string':
      return aString(schema);
    case undefined:
    default:
      throw new Error(`unsupported schema: ${JSON.stringify(schema)}`);
  }
}

/** Generates one of the known values for this name, or any value that the schema allows. */
export function fieldFrom(name: string, schema: Schema, known: KnownValues): fc.Arbitrary<unknown> {
  const values = known[name] ?? [];
  return values.length === 0
    ? fromSchema(schema, known)
    : fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...values) },
        { weight: 1, arbitrary: fromSchema(schema, known) },
      );
}

function anObject(schema: Schema, known: KnownValues): fc.Arbitrary<unknown> {
  const { properties = {}, required = [] } = schema as {
    readonly properties?: Readonly<Record<string, Schema>>;
    readonly required?: string[];
  };
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, fieldFrom(name, property, known)]),
  );
  return fc.record(fields, { requiredKeys: required });
}

/** The delimiters of forms, URLs and JSON, and letters of one to four bytes. */
const aCharacter = fc.constantFrom(...Array.from('ab0 -_.:/?#&=+%;,"\\\'<>éß日😀'));

function aString({
  minLength = 0,
  maxLength = 30,
  pattern,
  format,
}: {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
}): fc.Arbitrary<string> {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  if (format === 'uri')
    return fc.stringMatching(
      /^(?:https?|com\.example\.app):\/\/[a-z]{1,9}\.example(?::[1-9][0-9]{1,3})?(?:\/[a-z0-9._~%]{0,9})?$/,
    );
  return fc
    .string({ minLength, maxLength: Math.min(maxLength, 30), unit: aCharacter })
    .filter((text) => text.length <= maxLength);
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}
