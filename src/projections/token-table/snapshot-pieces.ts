import type { GrantId } from '../../domain/values.ts';
import type { EndedGrantsInHour } from './ended-grants.ts';
import { ID_LENGTH } from './base64url.ts';
import { ROW_BYTES, ROW_KINDS, type RowKind } from './row.ts';
import { SEGMENT_ROWS, type FrozenRows } from './segment.ts';
import type { Terms } from './terms.ts';

/**
 * The format of a piece: its kind (1 byte), a generation's hour (8, a float64), a count (4), and then terms as JSON in
 * UTF-8, grant ids in ASCII, or bits. Numbers are little-endian. Rows have no header, but follow the piece that
 * introduces them as a separate piece, exactly as in memory. Adding a header would mean copying the whole table.
 */
export type Piece =
  /** The first piece: the total number of rows, so that the index can be sized in advance. */
  | { readonly kind: 'size'; readonly count: number }
  | { readonly kind: 'terms'; readonly hour: number; readonly terms: readonly Terms[] }
  /** A bit for each row of the next segment, set if the row was removed. */
  | { readonly kind: 'removed'; readonly bits: Uint8Array }
  /** The next piece contains all rows of one segment. */
  | { readonly kind: 'rows'; readonly hour: number; readonly rowKind: RowKind; readonly count: number }
  /** Ended grants. The hour is that of the last generation that can contain their tokens. */
  | { readonly kind: 'ended'; readonly hour: number; readonly grantIds: readonly GrantId[] };

const SIZE = 1;
const TERMS = 2;
const ROWS = { client: 3, owner: 4, retired: 6, 'bound-client': 8, 'bound-owner': 9, 'bound-retired': 10 } as const;
const ENDED = 5;
const REMOVED = 7;
const HEADER_BYTES = 13;
/** The maximum number of terms or grants in a piece. */
const MAX_ITEMS_PER_PIECE = 4_096;

/** A segment at one point in time. */
interface FrozenSegment {
  readonly kind: RowKind;
  readonly frozenRows: FrozenRows;
  /** The number of rows that have not been removed. */
  readonly count: number;
}

/** A generation at one point in time. */
export interface FrozenGeneration {
  readonly hour: number;
  readonly terms: () => readonly Terms[];
  readonly segments: readonly FrozenSegment[];
}

/** Serializes the table. The terms of a generation come before its rows. */
export function* toPieces(
  generations: readonly FrozenGeneration[],
  endedGrants: readonly EndedGrantsInHour[],
): Generator<Uint8Array, void, void> {
  yield encodeHeader(
    SIZE,
    0,
    generations.flatMap(({ segments }) => segments).reduce((sum, { count }) => sum + count, 0),
  );
  for (const { hour, terms, segments } of generations) {
    yield* termsToPieces(hour, terms());
    for (const {
      kind,
      frozenRows: { rows, removed },
    } of segments) {
      if (removed !== undefined) yield Buffer.concat([encodeHeader(REMOVED, hour, removed.length), removed]);
      yield encodeHeader(ROWS[kind], hour, rows.length / ROW_BYTES[kind]);
      yield rows;
    }
  }
  for (const { hour, grantIds } of endedGrants) yield* endedGrantsToPieces(hour, grantIds());
}

function* termsToPieces(hour: number, terms: readonly Terms[]): Generator<Uint8Array, void, void> {
  for (let from = 0; from < terms.length; from += MAX_ITEMS_PER_PIECE) {
    const part = terms.slice(from, from + MAX_ITEMS_PER_PIECE);
    yield Buffer.concat([encodeHeader(TERMS, hour, part.length), Buffer.from(JSON.stringify(part))]);
  }
}

function* endedGrantsToPieces(hour: number, grantIds: readonly GrantId[]): Generator<Uint8Array, void, void> {
  for (let from = 0; from < grantIds.length; from += MAX_ITEMS_PER_PIECE) {
    const part = grantIds.slice(from, from + MAX_ITEMS_PER_PIECE);
    yield Buffer.concat([encodeHeader(ENDED, hour, part.length), Buffer.from(part.join(''), 'latin1')]);
  }
}

/**
 * Parses any piece except the rows themselves, which have no header.
 * @throws Error if the piece is truncated or malformed
 */
export function readPiece(bytes: Uint8Array): Piece {
  const piece = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (piece.length < HEADER_BYTES) throw malformedPieceError('its header is truncated');
  const [kind, hour, count] = [piece.readUInt8(0), piece.readDoubleLE(1), piece.readUInt32LE(9)];
  if (!Number.isSafeInteger(hour) || hour < 0) throw malformedPieceError('its hour is invalid');
  const content = piece.subarray(HEADER_BYTES);
  if (kind === SIZE && content.length === 0) return { kind: 'size', count };
  if (kind === TERMS) return { kind: 'terms', hour, terms: readTerms(content, count) };
  if (kind === ENDED) return { kind: 'ended', hour, grantIds: readGrantIds(content, count) };
  if (kind === REMOVED) return { kind: 'removed', bits: readBits(content, count) };
  const rowKind = ROW_KINDS.find((candidate) => ROWS[candidate] === kind);
  if (rowKind === undefined) throw malformedPieceError(`its kind is unknown: ${kind}`);
  if (count > SEGMENT_ROWS || content.length > 0)
    throw malformedPieceError(`it introduces more than ${SEGMENT_ROWS} rows, or is longer than its header`);
  return { kind: 'rows', hour, rowKind, count };
}

export function malformedPieceError(reason: string): Error {
  return new Error(`a piece of an access token snapshot is malformed: ${reason}`);
}

function encodeHeader(kind: number, hour: number, count: number): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES);
  bytes.writeUInt8(kind, 0);
  bytes.writeDoubleLE(hour, 1);
  bytes.writeUInt32LE(count, 9);
  return bytes;
}

function readTerms(bytes: Buffer, count: number): readonly Terms[] {
  const terms = parse(bytes);
  if (!Array.isArray(terms) || terms.length !== count || !terms.every(isTerms))
    throw malformedPieceError('its terms are invalid');
  return terms;
}

function readGrantIds(bytes: Buffer, count: number): readonly GrantId[] {
  if (bytes.length !== count * ID_LENGTH) throw malformedPieceError('its length does not match its number of grants');
  return Array.from(
    { length: count },
    (_, index) => bytes.toString('latin1', index * ID_LENGTH, (index + 1) * ID_LENGTH) as GrantId,
  );
}

function readBits(bytes: Buffer, count: number): Uint8Array {
  if (bytes.length !== count || count > SEGMENT_ROWS / 8)
    throw malformedPieceError('its length does not match its header, or is too great for one segment');
  return Uint8Array.from(bytes);
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw malformedPieceError('its terms are not valid JSON');
  }
}

function isTerms(value: unknown): value is Terms {
  if (typeof value !== 'object' || value === null) return false;
  const { clientId, scope, resource, exchanged = true }: Partial<Record<keyof Terms, unknown>> = value;
  return isString(clientId) && areStrings(scope) && areStrings(resource) && exchanged === true;
}

function areStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every(isString);
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}
