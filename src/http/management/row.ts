import type { QueryName, PathParameter } from '../../config/input-limits.ts';
import type { ObservedRevision } from '../../event-store/event-log.ts';
import type { OperationParts } from '../../operations/operation-context.ts';
import type { Schema } from '../openapi/operation.ts';

/** Below this, all addresses of the management API. */
export const PREFIX = '/o/admin/api';

/** The input of an operation, by its members. */
export type Input = Readonly<Record<string, unknown>>;

/** Why the client `caller` may not do this; undefined if it may. */
export type Power = (input: Input, parts: OperationParts, caller: string) => string | undefined;

/** A field of the query, and the member of the input that it sets. */
export interface QueryField {
  readonly member: string;
  readonly is: 'text' | 'number' | 'boolean';
}

export interface Body {
  /** A member of the input whose members are those of the body, beside the others. */
  readonly within?: string;
  /** Values of members that the body may leave out. */
  readonly defaults?: Input;
  /** Members that contain JSON as text. The body has the value itself, of this schema. */
  readonly json?: Readonly<Record<string, Schema>>;
  readonly limitBytes?: number;
}

/** - `one`: the result of the operation.
 * - `none`: nothing, because the caller knows the result.
 * - `list`: its results page by page, each known by the values of `key`.
 * - `report`: the first result describes the others, which are listed.
 */
export type Answer =
  | { readonly is: 'one'; readonly schema: Schema; readonly status?: 200 | 201 }
  | { readonly is: 'none' }
  | { readonly is: 'list'; readonly item: Schema; readonly key: readonly string[] }
  | { readonly is: 'report'; readonly header: Schema; readonly item: Schema; readonly key: readonly string[] };

/** An operation as programs call it. The route and its description follow from this. */
export interface ManagementRow {
  /** The name in operations.ts, which is that of the command. */
  readonly operation: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `PREFIX`. `{name}` stands for a parameter. */
  readonly path: string;
  /** The `operationId`. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** The member of the input that a parameter of the path sets. */
  readonly fromPath?: Readonly<Partial<Record<PathParameter, string>>>;
  readonly fromQuery?: Readonly<Partial<Record<QueryName, QueryField>>>;
  /** Members that this address determines. */
  readonly fixed?: Input;
  readonly body?: Body;
  readonly answer: Answer;
  /** Operations that the caller may not run itself. */
  readonly powers?: readonly Power[];
  /** Whether it reads much of the log, so that few run at once. */
  readonly isSlow?: boolean;
  /** The stream of the thing, for `ETag` and `If-Match`. */
  readonly revision?: (input: Input, parts: OperationParts) => ObservedRevision | undefined;
  /** The body of a request, for the description. */
  readonly example?: unknown;
}
