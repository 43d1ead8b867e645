import type { OpenApiDocument } from './document.ts';
import type { Schema } from './operation.ts';

/** Returns the alternatives in a schema, or the schema itself if it has no alternatives. */
export function variants(schema: Schema): readonly Schema[] {
  return (schema['oneOf'] as readonly Schema[] | undefined) ?? [schema];
}

/** Returns the alternatives in a body schema, with references resolved. */
export function bodyVariants(document: OpenApiDocument, schema: Schema): readonly Schema[] {
  return variants(schema).map((variant) => {
    const reference = variant['$ref'];
    return typeof reference === 'string' ? (document.components.schemas[referencedName(reference)] ?? {}) : variant;
  });
}

/** Returns the members of an object schema, and the names of the required ones. */
export function membersOf(schema: Schema): {
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
} {
  const { properties = {}, required = [] } = schema as Partial<ReturnType<typeof membersOf>>;
  return { properties, required };
}

/** Returns the component name at the end of a reference. */
export function referencedName(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
