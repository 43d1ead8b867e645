import { OperationRefused } from '../../operations/control/operation-refused.ts';
import type { Schema } from '../openapi/operation.ts';

/** The API has the names of JSON as in the rest of the server, with underscores. */

type Properties = Readonly<Record<string, Schema>>;

export function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The schema with the names of the API. */
export function renamed(schema: Schema): Schema {
  const { properties, required, items, anyOf } = schema as {
    readonly properties?: Properties;
    readonly required?: readonly string[];
    readonly items?: Schema;
    readonly anyOf?: readonly Schema[];
  };
  return {
    ...schema,
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, value]) => [toSnakeCase(name), renamed(value)]),
          ),
        }),
    ...(required === undefined ? {} : { required: required.map(toSnakeCase) }),
    ...(items === undefined ? {} : { items: renamed(items) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(renamed) }),
  };
}

/**
 * The value with the names of the operation, which `schema` has.
 * @throws OperationRefused an object has a member that the schema does not have
 */
export function toInputNames(value: unknown, schema: Schema, path: readonly string[] = []): unknown {
  const { properties, items, anyOf } = schema as {
    readonly properties?: Properties;
    readonly items?: Schema;
    readonly anyOf?: readonly Schema[];
  };
  if (Array.isArray(value)) {
    const of = items ?? anyOf?.find((each) => 'items' in each)?.['items'];
    return of === undefined ? value : value.map((each) => toInputNames(each, of as Schema, path));
  }
  if (typeof value !== 'object' || value === null) return value;
  const known = properties ?? (anyOf?.find((each) => 'properties' in each)?.['properties'] as Properties | undefined);
  if (known === undefined) return value;
  const names = new Map(Object.keys(known).map((name) => [toSnakeCase(name), name]));
  return Object.fromEntries(
    Object.entries(value).map(([given, inner]) => {
      const name = names.get(given);
      if (name === undefined) throw unknownMember([...path, given]);
      return [name, toInputNames(inner, known[name] ?? {}, [...path, given])];
    }),
  );
}

function unknownMember(path: readonly string[]): OperationRefused {
  const message = `there is no member ${JSON.stringify(path.at(-1))}`;
  return new OperationRefused(message, 'invalid', [{ path: path.slice(0, -1), message }]);
}
