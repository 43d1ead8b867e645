import { OperationRefused } from '../../operations/control/operation-refused.ts';
import type { Schema } from '../openapi/operation.ts';

// The API's member names are in snake case, as in the JSON of the other endpoints.

type Properties = Readonly<Record<string, Schema>>;

export function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Returns the schema with the API's member names. */
export function withApiNames(schema: Schema): Schema {
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
            Object.entries(properties).map(([name, value]) => [toSnakeCase(name), withApiNames(value)]),
          ),
        }),
    ...(required === undefined ? {} : { required: required.map(toSnakeCase) }),
    ...(items === undefined ? {} : { items: withApiNames(items) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(withApiNames) }),
  };
}

/**
 * Returns the value with the API's member names replaced by the names in `schema`, the schema of the operation's input.
 * @throws OperationRefused if an object has a member that is not in the schema
 */
export function toInputNames(value: unknown, schema: Schema, path: readonly string[] = []): unknown {
  const { properties, items, anyOf } = schema as {
    readonly properties?: Properties;
    readonly items?: Schema;
    readonly anyOf?: readonly Schema[];
  };
  if (Array.isArray(value)) {
    const itemSchema = items ?? anyOf?.find((candidate) => 'items' in candidate)?.['items'];
    return itemSchema === undefined ? value : value.map((item) => toInputNames(item, itemSchema as Schema, path));
  }
  if (typeof value !== 'object' || value === null) return value;
  const memberSchemas =
    properties ?? (anyOf?.find((candidate) => 'properties' in candidate)?.['properties'] as Properties | undefined);
  if (memberSchemas === undefined) return value;
  const names = new Map(Object.keys(memberSchemas).map((name) => [toSnakeCase(name), name]));
  return Object.fromEntries(
    Object.entries(value).map(([apiName, memberValue]) => {
      const name = names.get(apiName);
      if (name === undefined) throw unknownMember([...path, apiName]);
      return [name, toInputNames(memberValue, memberSchemas[name] ?? {}, [...path, apiName])];
    }),
  );
}

function unknownMember(path: readonly string[]): OperationRefused {
  const message = `there is no member ${JSON.stringify(path.at(-1))}`;
  return new OperationRefused(message, 'invalid', [{ path: path.slice(0, -1), message }]);
}
