import { hash } from 'node:crypto';
import type { PathParameter } from '../../config/input-limits.ts';
import type { OperationDeps } from '../../operations/operation-context.ts';
import type { Input, ManagementRow, Version } from './row.ts';

/** Reports whether the operation's responses have an `ETag`. */
export function isVersioned({ revision, version }: ManagementRow): boolean {
  return revision !== undefined || version !== undefined;
}

/** Returns the current version of the resource, or undefined if it does not exist. */
export function findVersion(
  { revision, version }: ManagementRow,
  input: Input,
  deps: OperationDeps,
): Version | undefined {
  const observedRevision = revision?.(input, deps);
  return observedRevision === undefined
    ? version?.(input, deps)
    : { tag: String(observedRevision.revision), basedOn: observedRevision };
}

/** Reports whether `If-Match` can refer to a version, either the resource's own or its parent's. */
export function isConditional(row: ManagementRow): boolean {
  return isVersioned(row) || row.parentVersion !== undefined;
}

/** Returns the version that `If-Match` refers to, or undefined if the resource does not exist. */
export function findConditionVersion(row: ManagementRow, input: Input, deps: OperationDeps): Version | undefined {
  return isVersioned(row) ? findVersion(row, input, deps) : row.parentVersion?.(input, deps);
}

/**
 * Returns the row. If its resource has no version, adds the version of the parent resource. For `/users/ada/roles/`,
 * for example, this is the version of the account.
 */
export function withParentVersion(row: ManagementRow, rows: readonly ManagementRow[]): ManagementRow {
  const [parent] = rows
    .filter((candidate) => isVersioned(candidate) && `${row.path}/`.startsWith(`${candidate.path}/`))
    .toSorted((a, b) => b.path.length - a.path.length);
  if (isVersioned(row) || parent === undefined) return row;
  const members = Object.entries(parent.fromPath ?? {}) as readonly (readonly [PathParameter, string])[];
  const parentInput = (input: Input): Input =>
    Object.fromEntries(members.map(([name, member]) => [member, input[row.fromPath?.[name] ?? '']]));
  return { ...row, parentVersion: (input, deps) => findVersion(parent, parentInput(input), deps) };
}

const TAG_CHARACTERS = 22;

/** Returns a 132-bit tag that depends only on the content. */
export function contentTag(content: unknown): string {
  return hash('sha256', JSON.stringify(content), 'base64url').slice(0, TAG_CHARACTERS);
}
