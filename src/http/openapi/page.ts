import type { MessageKey } from '../../language/catalog.ts';
import { message, type Text } from '../../language/message.ts';
import { SCHEME_NAMES, type SecurityRequirement } from '../../policy/open-api-security.ts';
import type { PageContext } from '../pages/page-context.ts';
import { FORM } from '../media-types.ts';
import { curlExample } from './curl-example.ts';
import type { DocumentedOperation, OpenApiDocument, Reference } from './document.ts';
import type { ApiResponse, Content, Parameter, Schema } from './operation.ts';
import { bodyVariants, membersOf, referencedName, variants } from './schema-members.ts';
import { CLIENT_CERTIFICATE } from './security-schemes.ts';

/** A parameter, or a member of a body. */
export interface Field {
  readonly name: string;
  readonly isRequired: boolean;
  /** A human-readable name of the type. */
  readonly type: string;
  readonly text: string;
}

/** A group of fields: the parameters in one location, a variant of the body, or a schema. */
interface FieldGroup {
  readonly title: Text;
  readonly fields: readonly Field[];
}

interface OperationLocals {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly text: string;
  /** The accepted ways to authenticate. An operation with an empty list requires no authentication. */
  readonly ways: readonly { readonly text: Text; readonly scopes: readonly string[] }[];
  /** The parameters by their location in the request, and the variants of the body. */
  readonly inputs: readonly FieldGroup[];
  /** The successful responses and redirects. `schema` is the name of the body's schema, or null if it has none. */
  readonly responses: readonly {
    readonly status: string;
    readonly text: string;
    readonly type: string;
    readonly schema: string | null;
  }[];
  /** The statuses of refusals and failures. */
  readonly refusals: readonly string[];
  /** A curl command; null if the operation is for browsers, or needs nothing but its URL. */
  readonly example: string | null;
}

export interface ApiDescriptionLocals extends PageContext {
  readonly groups: readonly {
    readonly title: string;
    readonly text: string;
    readonly operations: readonly OperationLocals[];
  }[];
  /** The statuses of refusals and failures, with their meanings. */
  readonly statuses: readonly { readonly status: string; readonly texts: readonly string[] }[];
  /** The schemas of response bodies. */
  readonly schemas: readonly FieldGroup[];
}

/** Returns the page locals for the OpenAPI document. */
export function apiPageLocals(document: OpenApiDocument): Omit<ApiDescriptionLocals, keyof PageContext> {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
  const groups = document.tags.map(({ name, description }) => ({
    title: name,
    text: withoutMarkdown(description),
    operations: operations
      .filter(({ operation }) => operation.tags.includes(name))
      .map(({ path, method, operation }) => operationLocals(document, path, method, operation)),
  }));
  const namedSchemas = new Set(
    groups
      .flatMap((group) => group.operations)
      .flatMap(({ responses }) => responses)
      .map(({ schema }) => schema),
  );
  const schemas = Object.entries(document.components.schemas)
    .filter(([name]) => namedSchemas.has(name))
    .map(([title, schema]) => ({ title, fields: mergeFields(variants(schema).map(schemaFields)) }));
  return { groups, schemas, statuses: errorStatuses(document, operations) };
}

function operationLocals(
  document: OpenApiDocument,
  path: string,
  method: string,
  operation: DocumentedOperation,
): OperationLocals {
  const responses = Object.entries(operation.responses);
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    text: withoutMarkdown(operation.description ?? ''),
    ways: operation.security.flatMap(describeSecurity),
    inputs: [
      ...parameterGroups(operation.parameters ?? []),
      ...bodyGroups(document, operation.requestBody?.content ?? {}),
    ],
    responses: responses
      .filter(([status]) => status < '400')
      .map(([status, response]) => ({ status, ...responseLocals(response) })),
    refusals: responses.map(([status]) => status).filter((status) => status >= '400'),
    example: curlExample(document, path, method, operation),
  };
}

/** Returns the error statuses of all operations, each with its meanings. */
function errorStatuses(
  document: OpenApiDocument,
  operations: readonly { readonly operation: DocumentedOperation }[],
): ApiDescriptionLocals['statuses'] {
  const meanings = new Map<string, Set<string>>();
  for (const [status, response] of operations.flatMap(({ operation }) => Object.entries(operation.responses))) {
    if (status < '400') continue;
    const definition = '$ref' in response ? document.components.responses[referencedName(response.$ref)] : response;
    meanings.set(status, (meanings.get(status) ?? new Set()).add(withoutMarkdown(definition?.description ?? '')));
  }
  return [...meanings]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([status, texts]) => ({ status, texts: [...texts] }));
}

/**
 * Returns the ways to meet the requirement. Credentials in the form are described together with those in the header:
 * see `CLIENT_AUTHENTICATION`.
 */
function describeSecurity(requirement: SecurityRequirement): OperationLocals['ways'] {
  return Object.entries(requirement).map(([scheme, scopes]) => {
    if (scheme === SCHEME_NAMES.token)
      return { text: message(scopes.length === 0 ? 'api.any-token' : 'api.token-with'), scopes };
    if (scheme === CLIENT_CERTIFICATE) return { text: message('api.client-certificate'), scopes };
    return { text: message(scheme === SCHEME_NAMES.session ? 'api.session' : 'api.client'), scopes };
  });
}

const PARAMETER_GROUP_TITLES = {
  path: 'api.in-path',
  query: 'api.in-query',
  header: 'api.headers',
} as const satisfies Record<Parameter['in'], MessageKey>;

function parameterGroups(parameters: readonly Parameter[]): readonly FieldGroup[] {
  return Object.entries(PARAMETER_GROUP_TITLES)
    .map(([location, key]) => ({
      title: message(key),
      fields: parameters
        .filter((parameter) => parameter.in === location)
        .map(({ name, required = false, schema, description }) => ({
          name,
          isRequired: required,
          type: typeName(schema),
          text: withoutMarkdown(description),
        })),
    }))
    .filter(({ fields }) => fields.length > 0);
}

function bodyGroups(document: OpenApiDocument, content: Content): readonly FieldGroup[] {
  const [body] = Object.entries(content);
  if (body === undefined) return [];
  const [mediaType, { schema }] = body;
  const firstTitle = mediaType === FORM ? message('api.in-form') : message('api.in-json');
  return bodyVariants(document, schema).map((variant, index) => ({
    title: index === 0 ? firstTitle : message('api.or'),
    fields: schemaFields(variant),
  }));
}

function responseLocals(response: ApiResponse | Reference) {
  if ('$ref' in response) return { text: referencedName(response.$ref), type: '', schema: null };
  const [schema] = Object.values(response.content ?? {}).map((content) => content.schema);
  if (schema === undefined || typeName(schema) === 'text')
    return { text: withoutMarkdown(response.description), type: '', schema: null };
  const reference = [schema, schema['items'] as Schema | undefined]
    .map((candidate) => candidate?.['$ref'])
    .find((ref) => typeof ref === 'string');
  return {
    text: withoutMarkdown(response.description),
    type: reference === undefined ? '' : typeName(schema),
    schema: reference === undefined ? null : referencedName(reference),
  };
}

function schemaFields(schema: Schema): readonly Field[] {
  const { properties, required } = membersOf(schema);
  return Object.entries(properties).map(([name, property]) => {
    const { description = '' } = property as { readonly description?: string };
    return { name, isRequired: required.includes(name), type: typeName(property), text: withoutMarkdown(description) };
  });
}

/** Returns the fields of all variants. A field is required if every variant requires it. */
function mergeFields(fieldsByVariant: readonly (readonly Field[])[]): readonly Field[] {
  const names = new Set(fieldsByVariant.flat().map(({ name }) => name));
  return [...names].flatMap((name) => {
    const matches = fieldsByVariant.flatMap((fields) => fields.filter((field) => field.name === name));
    const types = [...new Set(matches.map(({ type }) => type))].join(' or ');
    return matches.slice(0, 1).map((field) => ({
      ...field,
      type: types,
      isRequired: matches.length === fieldsByVariant.length && matches.every(({ isRequired }) => isRequired),
    }));
  });
}

/** Removes backticks, the only CommonMark syntax in the descriptions. */
function withoutMarkdown(text: string): string {
  return text.replaceAll('`', '');
}

function typeName(schema: Schema): string {
  const {
    $ref,
    const: constant,
    enum: values,
    type,
    items,
    oneOf,
    minimum,
    maximum,
    maxLength,
  } = schema as {
    readonly $ref?: string;
    readonly const?: unknown;
    readonly enum?: readonly unknown[];
    readonly type?: string;
    readonly items?: Schema;
    readonly oneOf?: readonly Schema[];
    readonly minimum?: number;
    readonly maximum?: number;
    readonly maxLength?: number;
  };
  if ($ref !== undefined) return referencedName($ref);
  if (constant !== undefined) return JSON.stringify(constant);
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' or ');
  if (oneOf !== undefined) return oneOf.map(typeName).join(' or ');
  if (items !== undefined) return `list of ${typeName(items)}`;
  if (type === 'integer') return `whole number${minimum === undefined ? '' : `, ${minimum} to ${maximum ?? '…'}`}`;
  return type === 'string'
    ? `text${maxLength === undefined ? '' : `, at most ${maxLength} characters`}`
    : (type ?? 'bytes');
}
