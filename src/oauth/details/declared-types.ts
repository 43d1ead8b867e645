import type { DetailType } from '../../domain/resource-settings.ts';
import type { ClientId } from '../../domain/values.ts';
import { readDetailSchema, type DetailSchema } from './detail-schema.ts';

/** A type of authorization details that a resource server declares (RFC 9396 §2). */
export interface DeclaredType {
  readonly type: string;
  readonly sentence: string;
  /** The URI of the resource server. */
  readonly resource: string;
  /** The client that the resource server uses for introspection; null if no such client is registered. */
  readonly introspectionClient: ClientId | null;
  /** Returns the first violation of the schema, or undefined if the detail satisfies it. */
  readonly findProblem: DetailSchema['findProblem'];
}

interface DeclaringServer {
  readonly uri: string;
  readonly detailTypes: readonly DetailType[];
  readonly introspectionClient: ClientId | null;
}

/**
 * Returns the types that exactly one resource server declares, keyed by name. After concurrent changes, two servers may
 * declare the same type, so that it is ambiguous which of them a detail is for.
 */
export function declaredTypes(resources: readonly DeclaringServer[]): ReadonlyMap<string, DeclaredType> {
  const types = new Map<string, DeclaredType>();
  const ambiguousTypes = new Set<string>();
  for (const resource of resources)
    for (const detailType of resource.detailTypes)
      if (types.has(detailType.type)) ambiguousTypes.add(detailType.type);
      else types.set(detailType.type, toDeclaredType(detailType, resource));
  for (const type of ambiguousTypes) types.delete(type);
  return types;
}

/** Reads the schema on first use. A schema that this release cannot read accepts nothing. */
function toDeclaredType(
  { type, schema, sentence }: DetailType,
  { uri, introspectionClient }: DeclaringServer,
): DeclaredType {
  let parsedSchema: ReturnType<typeof readDetailSchema> | undefined;
  return {
    type,
    sentence,
    resource: uri,
    introspectionClient,
    findProblem(detail) {
      parsedSchema ??= readDetailSchema(schema);
      return 'problem' in parsedSchema ? { member: '', keyword: 'schema' } : parsedSchema.findProblem(detail);
    },
  };
}
