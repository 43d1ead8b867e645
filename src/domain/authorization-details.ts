import { isSameValue } from './same-value.ts';
import type { CredentialHash } from './values.ts';

/** An element of `authorization_details` (RFC 9396 §2): a JSON object with a type. */
export interface AuthorizationDetail {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** A detail, as recorded in events. */
export interface RecordedDetail {
  readonly type: string;
  /** The SHA-256 hash of the detail's JSON and a random salt. The salt prevents guessing the content from its hash. */
  readonly hash: CredentialHash;
  /** The sealed JSON and salt. Absent if an earlier event in the stream contains them. */
  readonly sealed?: string | undefined;
  /** The hash of the granted detail that this detail narrows; absent if the two are equal. */
  readonly narrows?: CredentialHash | undefined;
}

/** A requested detail, as recorded in events. */
export type RequestedDetail = Pick<RecordedDetail, 'type' | 'hash'>;

/**
 * Reports whether `requested` is within the access that `granted` allows. Both details must have the same members. A
 * list of strings may be a non-empty subset of the granted list; every other member must be equal.
 */
export function isWithinDetail(requested: AuthorizationDetail, granted: AuthorizationDetail): boolean {
  const names = Object.keys(granted);
  if (Object.keys(requested).length !== names.length) return false;
  return names.every((name) => Object.hasOwn(requested, name) && isWithinMember(requested[name], granted[name]));
}

function isWithinMember(requested: unknown, granted: unknown): boolean {
  if (isSameValue(requested, granted)) return true;
  return (
    isStringList(requested) &&
    isStringList(granted) &&
    requested.length > 0 &&
    requested.every((item) => granted.includes(item))
  );
}

function isStringList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** Reports whether each detail equals or narrows a granted detail of the same type. */
export function areDetailsWithin(
  details: readonly RecordedDetail[] | undefined,
  granted: readonly RecordedDetail[] | undefined,
): boolean {
  return (details ?? []).every(({ type, hash, narrows = hash }) =>
    granted?.some((detail) => detail.hash === narrows && detail.type === type),
  );
}

/** Reports whether both lists contain the same details, in any order. */
export function haveSameDetails(
  left: readonly RecordedDetail[] | undefined,
  right: readonly RecordedDetail[] | undefined,
): boolean {
  const [leftHashes, rightHashes] = [collectHashes(left), collectHashes(right)];
  return leftHashes.size === rightHashes.size && [...leftHashes].every((hash) => rightHashes.has(hash));
}

function collectHashes(details: readonly RecordedDetail[] | undefined): ReadonlySet<string> {
  return new Set(details?.map(({ hash }) => hash));
}

/** Returns the canonical JSON of a value: members are sorted by name, so equal values have equal JSON. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = value as Readonly<Record<string, unknown>>;
  const entries = Object.keys(members)
    .toSorted()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(members[name])}`);
  return `{${entries.join(',')}}`;
}
