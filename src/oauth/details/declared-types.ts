import type { DetailType } from '../../domain/resource-settings.ts';
import type { ClientId } from '../../domain/values.ts';
import { readDetailSchema, type DetailSchema } from './detail-schema.ts';

/** A type of authorization details that a resource server declares (RFC 9396 §2). */
export interface DeclaredType {
  readonly type: string;
  readonly sentence: string;
  /** The URI of the resource server. */
  readonly resource: string;
  /** The client with which the resource server introspects; null if it has registered none. */
  readonly introspectionClient: ClientId | null;
  /** Returns the first violation of the schema, or undefined if the detail satisfies it. */
  readonly problemOf: DetailSchema['problemOf'];
}

interface DeclaringServer {
  readonly uri: string;
  readonly detailTypes: readonly DetailType[];
  readonly introspectionClient: ClientId | null;
}

/**
 * Returns the types that exactly one resource server declares, keyed by name. Concurrent changes can give two servers
 * the same type; then it is ambiguous which server a detail is for.
 */
export function declaredTypes(resources: readonly DeclaringServer[]): ReadonlyMap<string, DeclaredType> {
  const found = new Map<string, DeclaredType>();
  const ambiguous = new Set<string>();
  for (const resource of resources)
    for (const declared of resource.detailTypes)
      if (found.has(declared.type)) ambiguous.add(declared.type);
      else found.set(declared.type, toDeclared(declared, resource));
  for (const type of ambiguous) found.delete(type);
  return found;
}

/** Reads the schema on first use. A schema that this release cannot read accepts nothing. */
function toDeclared(
  { type, schema, sentence }: DetailType,
  { uri, introspectionClient }: DeclaringServer,
): DeclaredType {
  let read: ReturnType<typeof readDetailSchema> | undefined;
  return {
    type,
    sentence,
    resource: uri,
    introspectionClient,
    problemOf(detail) {
      read ??= readDetailSchema(schema);
      return 'problem' in read ? { member: '', keyword: 'schema' } : read.problemOf(detail);
    },
  };
}
