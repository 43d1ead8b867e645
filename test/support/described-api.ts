import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import type { DocumentedOperation, OpenApiDocument } from '../../src/http/openapi/document.ts';
import type { ApiResponse as DescribedResponse, Parameter, Schema } from '../../src/http/openapi/operation.ts';
import type { TestResponse } from './running-service.ts';

/** An operation of the description, with all references resolved. */
export interface DescribedOperation extends Omit<DocumentedOperation, 'responses'> {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<Record<string, DescribedResponse>>;
}

const ajv = new Ajv2020({
  strictTypes: false,
  allErrors: true,
  formats: { uri: (text: string) => URL.canParse(text), 'uri-reference': true, 'date-time': isTime },
});

/** Returns how `value` violates `schema`, or undefined if it does not. */
export function schemaViolation(schema: Schema, value: unknown): string | undefined {
  return ajv.validate(schema, value) ? undefined : ajv.errorsText();
}

function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text);
}

export function operationsOf(document: OpenApiDocument): readonly DescribedOperation[] {
  const paths = resolveReferences(document.paths, document) as Readonly<
    Record<string, Readonly<Record<string, Omit<DescribedOperation, 'method' | 'path'>>>>
  >;
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      ...operation,
      parameters: operation.parameters ?? [],
      method: method.toUpperCase(),
      path,
    })),
  );
}

/** Returns `value` with its references replaced by their targets. */
function resolveReferences(value: unknown, document: object): unknown {
  if (Array.isArray(value)) return value.map((entry: unknown) => resolveReferences(entry, document));
  if (typeof value !== 'object' || value === null) return value;
  if ('$ref' in value && typeof value.$ref === 'string') {
    const target = value.$ref
      .slice('#/'.length)
      .split('/')
      .reduce<unknown>((node, key) => (node as Readonly<Record<string, unknown>>)[key], document);
    expect(target, value.$ref).not.to.equal(undefined);
    return resolveReferences(target, document);
  }
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, resolveReferences(entry, document)]));
}

/** Fails unless the description contains the status, the headers, the media type and the body of the response. */
export function expectDescribed(
  { responses, operationId }: DescribedOperation,
  { status, headers, text, json }: TestResponse,
): void {
  const describedResponse = responses[String(status)];
  if (describedResponse === undefined)
    return expect.fail(`${operationId} responded with ${status}, which is not described: ${text}`);
  const name = `${operationId} ${status}`;
  for (const [header, { required, schema }] of Object.entries(describedResponse.headers ?? {})) {
    const value = headers.get(header);
    if (value === null) expect(required, `${name}: ${header} is missing`).not.to.equal(true);
    else expect(schemaViolation(schema, value), `${name}: ${header} is ${value}`).to.equal(undefined);
  }
  if (describedResponse.content === undefined) return void expect(text, name).to.equal('');
  const mediaType = (headers.get('content-type') ?? '').split(';')[0] ?? '';
  const { schema } = describedResponse.content[mediaType] ?? expect.fail(`${name} has the type ${mediaType}`);
  const isJson = /^application\/(?:.*\+)?json$/.test(mediaType);
  expect(schemaViolation(schema, isJson ? json : text), `${name}: ${text}`).to.equal(undefined);
}
