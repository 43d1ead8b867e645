import type { Schema } from '../openapi/operation.ts';
import { arrayOf, object, STRING } from '../openapi/shared-responses.ts';

// Building blocks for response schemas.

export const STRINGS: Schema = arrayOf(STRING);
export const BOOLEAN: Schema = { type: 'boolean' };
export const INTEGER: Schema = { type: 'integer' };
export const COUNT: Schema = { type: 'integer', minimum: 0 };
export const TIME: Schema = { type: 'string', format: 'date-time' };
export const STRING_OR_NULL: Schema = { type: ['string', 'null'] };
export const TIME_OR_NULL: Schema = { type: ['string', 'null'], format: 'date-time' };
export const INTEGER_OR_NULL: Schema = { type: ['integer', 'null'] };
export const BOOLEAN_OR_NULL: Schema = { type: ['boolean', 'null'] };
export const STRINGS_OR_NULL: Schema = { type: ['array', 'null'], items: STRING };
/** An object whose members vary. */
export const ANY_OBJECT: Schema = { type: 'object' };

/** Returns an object schema that the OpenAPI document lists among its components under `title`. */
export function namedObject(
  title: string,
  properties: Readonly<Record<string, Schema>>,
  optional: readonly string[] = [],
) {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { title, ...object(properties, required) };
}

/** Returns properties with these names that all have the same schema. */
export function fields(names: readonly string[], schema: Schema): Readonly<Record<string, Schema>> {
  return Object.fromEntries(names.map((name) => [name, schema]));
}
