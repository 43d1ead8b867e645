import { PolicyDeclarationError } from '../../policy/declaration.ts';
import { allOf } from '../../policy/combinators.ts';
import { toSecurityRequirements, type SecurityRequirement } from '../../policy/open-api-security.ts';
import type { Policy } from '../../policy/policy.ts';
import { policiesOf } from '../pipeline/require-policy.ts';
import type { RouteTable } from '../pipeline/route-table.ts';
import type { Route } from '../route.ts';
import { header, INSUFFICIENT_SCOPE, UNAUTHENTICATED } from './shared-responses.ts';
import { TAGS, type ApiResponse, type Operation, type Parameter, type Schema } from './operation.ts';
import { securitySchemes, type ServerProperties, type SecurityScheme } from './security-schemes.ts';

/** An operation in the document. Its responses and headers may be references. */
export interface DocumentedOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly SecurityRequirement[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: NonNullable<Operation['body']> };
  readonly responses: Readonly<Record<string, ApiResponse | Reference>>;
}

export interface Reference {
  readonly $ref: string;
}

/** The subset of OpenAPI 3.1 that Grantlog uses. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, ApiResponse>>;
    readonly headers: Readonly<Record<string, object>>;
  };
}

/** The version of the API. Changes that break clients require a new version. */
const VERSION = '1';

const DESCRIPTION = `The response to a HEAD request is the response to a GET request without its body.
Paths work with and without a trailing slash, except for the paths of tiles.
A method that the path does not support gets 405 with \`Allow\`, or 401 or 403 if the caller may not use the path.
This document does not describe most pages.`;

const HEADERS = {
  RequestId: header('Identifies the request to the operator and to `grantlog why`.', {
    type: 'string',
    pattern: '^[A-Za-z0-9_][A-Za-z0-9_-]{21}$',
  }),
  NoStore: header('The response must not be stored.', { const: 'no-store' }),
};

/** An operation that at least some callers may use. */
interface PermittedOperation {
  readonly operation: Operation;
  readonly security: readonly SecurityRequirement[];
  /** Whether a policy guards the operation's route. */
  readonly isGuarded: boolean;
}

/**
 * Collects the operations that the routes declare and that at least some callers may use, and derives their security
 * requirements from the policies in their pipelines.
 * @throws PolicyDeclarationError if an operation describes a different route, or has both a policy and public security,
 *   or neither
 */
export function permittedOperations({ routes, find }: RouteTable<Route>): readonly PermittedOperation[] {
  return routes.flatMap((route) => {
    const policies = route.pipeline.flatMap(policiesOf);
    return (route.openApi ?? []).flatMap((operation) => {
      if (find(operation.method, examplePath(operation))?.route !== route) {
        throw new PolicyDeclarationError(
          'open-api',
          `${operation.id} must describe the route that declares it`,
          route.path,
        );
      }
      const security = securityFor(operation, policies, route.path);
      return security === undefined ? [] : [{ operation, security, isGuarded: policies.length > 0 }];
    });
  });
}

/** Returns the OpenAPI 3.1 document that describes the operations. */
export function describeApi(operations: readonly PermittedOperation[], server: ServerProperties): OpenApiDocument {
  const components: SharedComponents = { schemas: {}, responses: {} };
  const paths: Record<string, Record<string, DocumentedOperation>> = {};
  for (const { operation, security, isGuarded } of operations) {
    const item = (paths[operation.path] ??= {});
    item[operation.method.toLowerCase()] = toDocumentedOperation(operation, security, isGuarded, components);
  }
  const allOperations = Object.values(paths).flatMap((item) => Object.values(item));
  return {
    openapi: '3.1.0',
    info: { title: 'Grantlog', version: VERSION, description: DESCRIPTION.replaceAll('\n', ' ') },
    servers: [{ url: server.issuer }],
    tags: Object.entries(TAGS)
      .filter(([name]) => allOperations.some(({ tags }) => tags.includes(name)))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: securitySchemes(
        server,
        new Set(allOperations.flatMap(({ security }) => security).flatMap(Object.keys)),
      ),
      ...components,
      headers: HEADERS,
    },
  };
}

function examplePath({ path }: Operation): string {
  return path.replaceAll(/\{\w+\}/g, '0');
}

/**
 * Returns the operation's security requirements, or undefined if its policies allow no caller.
 * @throws PolicyDeclarationError if the operation has both a policy and public security, or neither
 */
function securityFor(
  { id, method, publicSecurity }: Operation,
  policies: readonly Policy[],
  route: string,
): readonly SecurityRequirement[] | undefined {
  if (policies.length > 0 === (publicSecurity !== undefined))
    throw new PolicyDeclarationError('open-api', `${id} must have either a policy or public security`, route);
  return publicSecurity ?? toSecurityRequirements(allOf(...policies), method);
}

/** Components that operations refer to, by name. */
interface SharedComponents {
  readonly schemas: Record<string, Schema>;
  readonly responses: Record<string, ApiResponse>;
}

function toDocumentedOperation(
  operation: Operation,
  security: readonly SecurityRequirement[],
  isGuarded: boolean,
  shared: SharedComponents,
): DocumentedOperation {
  const { id, tag, summary, description, parameters, body, responses } = operation;
  const allResponses: Readonly<Record<string, ApiResponse>> = {
    ...(isGuarded ? { 401: UNAUTHENTICATED, 403: INSUFFICIENT_SCOPE } : {}),
    ...responses,
  };
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    security,
    ...(parameters === undefined ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: { required: true, content: hoistSchemas(body, shared.schemas) } }),
    responses: Object.fromEntries(
      Object.entries(allResponses).map(([status, response]) => [status, toResponse(response, shared)]),
    ),
  };
}

function toResponse(
  { name, ...response }: ApiResponse,
  { schemas, responses }: SharedComponents,
): ApiResponse | Reference {
  const documentedResponse = hoistSchemas(withHeaders(response), schemas);
  if (name === undefined) return documentedResponse;
  responses[name] = documentedResponse;
  return { $ref: `#/components/responses/${name}` };
}

function withHeaders(response: ApiResponse): ApiResponse {
  const commonHeaders = {
    'X-Request-Id': { $ref: '#/components/headers/RequestId' },
    'Cache-Control': { $ref: '#/components/headers/NoStore' },
  };
  return {
    ...response,
    headers: { ...commonHeaders, ...response.headers } as unknown as NonNullable<ApiResponse['headers']>,
  };
}

/** Members whose values are arbitrary JSON, never schemas. */
const JSON_MEMBERS = new Set(['example', 'examples', 'default', 'enum', 'const']);

/** Returns the value with references in place of the schemas that have a title, and adds these to `schemas`. */
function hoistSchemas<T>(value: T, schemas: Record<string, Schema>): T {
  if (Array.isArray(value)) return value.map((entry: unknown) => hoistSchemas(entry, schemas)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([key, entry]: [string, unknown]) => [
      key,
      JSON_MEMBERS.has(key) ? entry : hoistSchemas(entry, schemas),
    ]),
  );
  if (typeof copy['title'] !== 'string') return copy as T;
  const { title, ...schema } = copy;
  schemas[title] = schema;
  return { $ref: `#/components/schemas/${title}` } as T;
}
