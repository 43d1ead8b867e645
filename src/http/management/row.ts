import type { QueryName, PathParameter } from '../../config/input-limits.ts';
import type { ObservedRevision } from '../../event-store/event-log.ts';
import type { OperationDeps } from '../../operations/operation-context.ts';
import type { Schema } from '../openapi/operation.ts';

/** The path prefix of the management API. */
export const PREFIX = '/o/admin/api';

/** The input of an operation, by member name. */
export type Input = Readonly<Record<string, unknown>>;

/** Returns the reason why the client with the id `caller` cannot run the operation, or undefined if it can. */
export type PrivilegeCheck = (input: Input, deps: OperationDeps, caller: string) => string | undefined;

/** A query field: its type, and the input member that it sets. */
export interface QueryField {
  readonly member: string;
  readonly kind: 'text' | 'number' | 'boolean';
}

export interface Body {
  /** The input member whose members are at the top level of the body. */
  readonly container?: string;
  /** The default values of optional body members. */
  readonly defaults?: Input;
  /** Members that the operation takes as JSON text. In the body, each is a JSON value that matches the given schema. */
  readonly json?: Readonly<Record<string, Schema>>;
  readonly limitBytes?: number;
}

/**
 * The content of a successful response:
 * - `one`: the operation's only result.
 * - `none`: nothing, because the caller already knows the result.
 * - `list`: a page of the results. The values of the members in `key` identify a result.
 * - `report`: the first result, which describes the other results, and a page of those.
 */
export type RowResponse =
  | { readonly kind: 'one'; readonly schema: Schema; readonly status?: 200 | 201 }
  | { readonly kind: 'none' }
  | { readonly kind: 'list'; readonly item: Schema; readonly key: readonly string[] }
  | { readonly kind: 'report'; readonly header: Schema; readonly item: Schema; readonly key: readonly string[] };

/** The current version of a resource. */
export interface Version {
  /** A tag that changes whenever the resource changes. */
  readonly tag: string;
  /** The revision of the resource's stream; absent if the operation itself detects concurrent changes. */
  readonly basedOn?: ObservedRevision;
}

/** An operation of the management API. The row determines its route and its OpenAPI description. */
export interface ManagementRow {
  /** The name of the operation in operations.ts. Most commands have the same name. */
  readonly operation: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path below `PREFIX`, without the slash at its end. `{name}` stands for a parameter. */
  readonly path: string;
  /** The `operationId` in the OpenAPI document. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** The input member that each path parameter sets. */
  readonly fromPath?: Readonly<Partial<Record<PathParameter, string>>>;
  readonly fromQuery?: Readonly<Partial<Record<QueryName, QueryField>>>;
  /** The values of input members that the body cannot set. A query field overrides the value of its member. */
  readonly constantInput?: Input;
  readonly body?: Body;
  readonly response: RowResponse;
  /** Checks that refuse the operation to callers that would gain privileges from it. */
  readonly privilegeChecks?: readonly PrivilegeCheck[];
  /**
   * Whether the operation can take a long time, for example because it reads much of the log. Only one slow operation
   * runs at a time.
   */
  readonly isSlow?: boolean;
  /**
   * Returns the revision of the stream that the operation reads or changes, for `ETag` and `If-Match`, or undefined if
   * the resource does not exist.
   */
  readonly revision?: (input: Input, deps: OperationDeps) => ObservedRevision | undefined;
  /** Returns the version of the resource. Replaces `revision` if no stream's revision identifies the version. */
  readonly version?: (input: Input, deps: OperationDeps) => Version | undefined;
  /**
   * Returns the version of the parent resource, which `If-Match` refers to if this resource has no version: see
   * version.ts.
   */
  readonly parentVersion?: ManagementRow['version'];
  /** An example request body, for the OpenAPI document. */
  readonly example?: unknown;
}
