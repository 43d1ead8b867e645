import type { QueryName, PathParameter } from '../../config/input-limits.ts';
import type { ObservedRevision } from '../../event-store/event-log.ts';
import type { OperationDeps } from '../../operations/operation-context.ts';
import type { Schema } from '../openapi/operation.ts';

/** The path prefix of the management API. */
export const PREFIX = '/o/admin/api';

/** The input of an operation, by member name. */
export type Input = Readonly<Record<string, unknown>>;

/** Returns the reason why the client `caller` may not run the operation; undefined if it may. */
export type PowerCheck = (input: Input, deps: OperationDeps, caller: string) => string | undefined;

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
 * - `one`: the result of the operation.
 * - `none`: nothing, because the caller knows the result.
 * - `list`: its results page by page, each identified by the values of `key`.
 * - `report`: the first result, which describes the others, with the others page by page.
 */
export type RowResponse =
  | { readonly kind: 'one'; readonly schema: Schema; readonly status?: 200 | 201 }
  | { readonly kind: 'none' }
  | { readonly kind: 'list'; readonly item: Schema; readonly key: readonly string[] }
  | { readonly kind: 'report'; readonly header: Schema; readonly item: Schema; readonly key: readonly string[] };

/** The current version of a resource. */
export interface Version {
  /** Changes whenever the resource does. */
  readonly tag: string;
  /** The revision of the resource's stream; absent if the operation itself detects a change. */
  readonly basedOn?: ObservedRevision;
}

/** An operation of the management API. Its route and its description are derived from its row. */
export interface ManagementRow {
  /** The name in operations.ts, which is also the name of the command. */
  readonly operation: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `PREFIX`. `{name}` stands for a parameter. */
  readonly path: string;
  /** The `operationId`. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** The input member that each path parameter sets. */
  readonly fromPath?: Readonly<Partial<Record<PathParameter, string>>>;
  readonly fromQuery?: Readonly<Partial<Record<QueryName, QueryField>>>;
  /** Members that the path and method determine. */
  readonly constantInput?: Input;
  readonly body?: Body;
  readonly response: RowResponse;
  /** Checks that refuse the operation to callers that would gain power from it. */
  readonly powerChecks?: readonly PowerCheck[];
  /**
   * Whether it takes a long time, for example because it reads much of the log. Only one slow operation runs at a time.
   */
  readonly isSlow?: boolean;
  /** The revision of the stream that the operation reads or changes, for `ETag` and `If-Match`. */
  readonly revision?: (input: Input, deps: OperationDeps) => ObservedRevision | undefined;
  /** The version, if the revision of a stream does not identify it. */
  readonly version?: (input: Input, deps: OperationDeps) => Version | undefined;
  /** The version of the parent resource, which `If-Match` refers to if this one has no version: see version.ts. */
  readonly parentVersion?: ManagementRow['version'];
  /** An example request body, for the description. */
  readonly example?: unknown;
}
