import { hash } from 'node:crypto';
import type { OperationParts } from '../../operations/operation-context.ts';
import type { Input, ManagementRow, Version } from './row.ts';

/** Reports whether responses of the operation have an `ETag`, and changes obey `If-Match`. */
export function isVersioned({ revision, version }: ManagementRow): boolean {
  return revision !== undefined || version !== undefined;
}

/** Returns the current version of the resource, or undefined if it does not exist. */
export function versionOf({ revision, version }: ManagementRow, input: Input, parts: OperationParts) {
  const observed = revision?.(input, parts);
  return observed === undefined
    ? version?.(input, parts)
    : ({ tag: String(observed.revision), basedOn: observed } satisfies Version);
}

const TAG_CHARACTERS = 22;

/** Returns a tag of 128 bits that depends on the content alone. */
export function contentTag(content: unknown): string {
  return hash('sha256', JSON.stringify(content), 'base64url').slice(0, TAG_CHARACTERS);
}
