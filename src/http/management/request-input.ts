import { z } from 'zod';
import type { PathParameter, QueryName } from '../../config/input-limits.ts';
import { findReservedMember } from '../../config/reserved-member.ts';
import { OperationRefused } from '../../operations/control/operation-refused.ts';
import { inputSchemaOf } from '../../operations/operations.ts';
import type { Schema } from '../openapi/operation.ts';
import { pathParameter } from '../pipeline/path-parameter.ts';
import { queryOf } from '../pipeline/query.ts';
import { readJsonObject } from '../pipeline/read-json.ts';
import type { RequestContext } from '../pipeline/state.ts';
import { toInputNames, toSnakeCase } from './naming.ts';
import type { Input, ManagementRow, QueryField } from './row.ts';

const BODY_BYTES = 65_536;

/** The properties of an object, as JSON Schema. */
interface ObjectSchema {
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
}

const schemas = new Map<string, ObjectSchema>();

/** Returns the JSON Schema of the operation's input. Its member names are the operation's, not the API's. */
export function inputJsonSchemaFor(operation: string): ObjectSchema {
  const schema = schemas.get(operation) ?? toObjectSchema(z.toJSONSchema(inputSchemaOf(operation), { io: 'input' }));
  schemas.set(operation, schema);
  return schema;
}

/** Returns the schema of the request body, with the operation's member names, or undefined if the row has no body. */
export function bodySchemaFor({
  operation,
  fromPath,
  fromQuery,
  constantInput,
  body,
}: ManagementRow): Schema | undefined {
  if (body === undefined) return undefined;
  const { properties, required } = inputJsonSchemaFor(operation);
  const namesSetElsewhere = new Set([
    ...Object.values(fromPath ?? {}),
    ...Object.values(fromQuery ?? {}).map(({ member }) => member),
    ...Object.keys(constantInput ?? {}),
  ]);
  const { container = '', defaults = {}, json = {} } = body;
  const innerMembers = container === '' ? [] : Object.entries(memberSchemas(properties[container] ?? {}));
  const outerMembers = Object.entries(properties).filter(
    ([name]) => name !== container && !namesSetElsewhere.has(name),
  );
  const members = [...outerMembers, ...innerMembers].map(([name, schema]) => [
    name,
    json[name] ?? (Object.hasOwn(defaults, name) ? { ...schema, default: defaults[name] } : schema),
  ]);
  return {
    type: 'object',
    properties: Object.fromEntries(members) as Readonly<Record<string, Schema>>,
    required: outerMembers
      .map(([name]) => name)
      .filter((name) => required.includes(name) && !Object.hasOwn(defaults, name)),
    additionalProperties: false,
  };
}

/**
 * Reads the operation's input from a request.
 * @throws OperationRefused if a query field is invalid, or a member of the body is unknown or invalid
 * @throws PageError if the query cannot be read
 * @throws OAuthError if the body cannot be read
 */
export async function readInput(ctx: RequestContext, row: ManagementRow): Promise<Input> {
  const pathMembers = Object.entries(row.fromPath ?? {}).map(([name, member]) => [
    member,
    pathParameter(ctx, name as PathParameter),
  ]);
  const query = queryOf(ctx);
  const queryMembers = Object.entries(row.fromQuery ?? {}).flatMap(([name, field]) => {
    const text = query.text(name as QueryName);
    return text === undefined ? [] : [[field.member, parseField(name, text, field)]];
  });
  const bodyMembers = await readBodyMembers(ctx, row);
  return { ...row.constantInput, ...bodyMembers, ...Object.fromEntries([...queryMembers, ...pathMembers]) } as Input;
}

async function readBodyMembers(ctx: RequestContext, row: ManagementRow): Promise<Input> {
  const { body } = row;
  const schema = bodySchemaFor(row);
  if (body === undefined || schema === undefined) return {};
  const { container = '', defaults = {}, json = {}, limitBytes = BODY_BYTES } = body;
  const requestBody = await readJsonObject(ctx, limitBytes, 'invalid_request');
  const reservedPath = findReservedMember(requestBody);
  if (reservedPath !== undefined) throw invalidValue(reservedPath.join('.'), 'no member may have this name');
  const input = toInputNames(requestBody, schema) as Input;
  const members = Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, Object.hasOwn(json, name) ? toJsonText(name, value) : value]),
  );
  if (container === '') return { ...defaults, ...members };
  const innerMembers = memberSchemas(inputJsonSchemaFor(row.operation).properties[container] ?? {});
  const isInnerMember = ([name]: readonly [string, unknown]): boolean => Object.hasOwn(innerMembers, name);
  const entries = Object.entries(members);
  return {
    ...defaults,
    ...Object.fromEntries(entries.filter((entry) => !isInnerMember(entry))),
    [container]: Object.fromEntries(entries.filter(isInnerMember)),
  };
}

/**
 * Converts a value to the JSON text that the operation takes; null stays null. Refuses a string, because it could be
 * either a JSON value or JSON text.
 */
function toJsonText(name: string, value: unknown): unknown {
  if (value === null) return null;
  if (typeof value === 'object') return JSON.stringify(value);
  throw invalidValue(toSnakeCase(name), 'must be a JSON object or array');
}

function parseField(name: string, text: string, { kind }: QueryField): unknown {
  if (kind === 'text') return text;
  if (kind === 'number') return /^\d{1,15}$/.test(text) ? Number(text) : refuse(name, 'must be a whole number');
  return text === 'true' ? true : text === 'false' ? false : refuse(name, 'must be true or false');
}

function refuse(name: string, message: string): never {
  throw invalidValue(name, message);
}

export function invalidValue(name: string, message: string): OperationRefused {
  return new OperationRefused(`${name}: ${message}`, 'invalid', [{ path: [name], message }]);
}

/** Returns the schemas of an object's members, or of a record's values if its schema lists the keys. */
function memberSchemas(schema: Schema): Readonly<Record<string, Schema>> {
  const { properties, propertyNames, additionalProperties } = schema as {
    readonly properties?: Readonly<Record<string, Schema>>;
    readonly propertyNames?: { readonly enum?: readonly string[] };
    readonly additionalProperties?: Schema;
  };
  const keySchemas = propertyNames?.enum?.map((name) => [name, additionalProperties ?? {}] as const);
  return properties ?? Object.fromEntries(keySchemas ?? []);
}

function toObjectSchema(schema: Schema): ObjectSchema {
  const { properties = {}, required = [] } = schema as Partial<ObjectSchema>;
  return { properties, required };
}
