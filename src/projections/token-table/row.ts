import { CONFIRMATION_METHODS, type Confirmation } from '../../domain/confirmation.ts';
import type { CredentialHash, GrantId, UserId } from '../../domain/values.ts';
import type { Position } from '../../event-store/event-log.ts';
import { ID_LENGTH, writeBase64url, writeBase64urlPair } from './base64url.ts';

/**
 * A token takes 50 bytes if the client acts on its own behalf, 67 if the client acts for a user, and 73 after a refresh
 * has retired the token. The key or certificate that a token is bound to takes another 33 bytes. A row never changes.
 * The fields of a row are stored together, not in columns, so that a lookup waits for memory only once and a snapshot
 * can copy a range of rows as is. Numbers are little-endian on every machine.
 *
 *   0  33  key and grant id: 2 × 22 characters of base64url (132 bits each); lookups compare the first 16 bytes
 *  33   6  position of the event that issued the token
 *  39   5  time of issue, in seconds since the epoch
 *  44   2  time of expiry, in seconds since the start of its generation's hour
 *  46   4  number of the token's terms in its generation
 *  50  17  user id: 22 characters of base64url (owner and retired only)
 *  67   6  position of the event that retired the token (retired only)
 *   …  33  thumbprint of the key or certificate (32 bytes), and number of the confirmation method (bound only)
 */
export const ROW_BYTES = {
  client: 50,
  owner: 67,
  retired: 73,
  'bound-client': 83,
  'bound-owner': 100,
  'bound-retired': 106,
} as const;

/**
 * Whether the client acts on its own behalf or for a user (the resource owner), whether the token was retired, and
 * whether it is bound. Only users' tokens can be retired.
 */
export type RowKind = keyof typeof ROW_BYTES;

export const ROW_KINDS = Object.keys(ROW_BYTES) as readonly RowKind[];

/**
 * The first 128 bits of a token's SHA-256. Tokens are random bits that the server generated, so nobody can search for
 * collisions, and a collision by chance is practically impossible.
 */
const KEY_BYTES = 16;
const KEY_AND_GRANT_BYTES = 33;
const POSITION_OFFSET = 33;
const ISSUED_OFFSET = 39;
const EXPIRY_OFFSET = 44;
const TERMS_OFFSET = 46;
const USER_OFFSET = 50;
const USER_BYTES = 17;
const RETIRED_OFFSET = 67;
const TWO_32 = 2 ** 32;
const THUMBPRINT_BYTES = 32;

/** Returns the kind of a row that is not retired. */
export function kindOf({ userId, confirmation }: Pick<Row, 'userId' | 'confirmation'>): RowKind {
  if (confirmation !== undefined) return userId === null ? 'bound-client' : 'bound-owner';
  return userId === null ? 'client' : 'owner';
}

/** Returns the kind of the row after its token is retired, or undefined if such a token cannot be retired. */
export function retiredKindOf(kind: RowKind): RowKind | undefined {
  if (kind === 'owner') return 'retired';
  return kind === 'bound-owner' ? 'bound-retired' : undefined;
}

export const isRetired = (kind: RowKind): boolean => kind === 'retired' || kind === 'bound-retired';
const isBound = (kind: RowKind): boolean => kind !== 'client' && kind !== 'owner' && kind !== 'retired';
const isClientRow = (kind: RowKind): boolean => kind === 'client' || kind === 'bound-client';

export interface Row {
  readonly tokenHash: CredentialHash;
  readonly grantId: GrantId;
  /** Null if and only if the client acts on its own behalf. */
  readonly userId: UserId | null;
  readonly confirmation?: Confirmation | undefined;
  readonly issuedPosition: Position;
  readonly issuedAt: number;
  /** Seconds since the start of the generation's hour. */
  readonly expiresIn: number;
  readonly terms: number;
}

/** The fields of a retired token's row that differ from its previous row. */
interface Retirement extends Pick<Row, 'expiresIn' | 'terms'> {
  readonly retiredPosition: Position;
}

/**
 * The bytes of rows. A DataView reads and writes numbers several times faster than a Buffer (`npm run bench -- micro`).
 */
export interface Rows {
  readonly bytes: Buffer;
  readonly view: DataView;
}

export function rowsIn(bytes: Buffer): Rows {
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length) };
}

/**
 * Writes a row that is not retired.
 * @throws Error if an id or the hash violates its schema and could therefore not be read back
 */
export function writeRow({ bytes, view }: Rows, offset: number, row: Row): void {
  const { tokenHash, grantId, userId, confirmation, issuedPosition, issuedAt, expiresIn, terms } = row;
  if (grantId.length !== ID_LENGTH || (userId !== null && userId.length !== ID_LENGTH))
    throw new Error(`the grant id and the user id of a token must have ${ID_LENGTH} characters each`);
  writeBase64urlPair(bytes, offset, tokenHash, grantId);
  writePosition(view, offset + POSITION_OFFSET, issuedPosition);
  view.setUint32(offset + ISSUED_OFFSET, issuedAt, true);
  view.setUint8(offset + ISSUED_OFFSET + 4, issuedAt / TWO_32);
  view.setUint16(offset + EXPIRY_OFFSET, expiresIn, true);
  view.setUint32(offset + TERMS_OFFSET, terms, true);
  if (userId !== null) writeBase64url(bytes, offset + USER_OFFSET, userId);
  if (confirmation !== undefined)
    writeConfirmation(bytes, offset + (userId === null ? USER_OFFSET : RETIRED_OFFSET), confirmation);
}

function writeConfirmation(bytes: Buffer, offset: number, { method, thumbprint }: Confirmation): void {
  bytes.write(thumbprint, offset, THUMBPRINT_BYTES, 'base64url');
  bytes[offset + THUMBPRINT_BYTES] = CONFIRMATION_METHODS.indexOf(method);
}

/**
 * Copies the row of a user's token to a row for retired tokens, in the generation of the new expiry.
 * @param kind the kind of the copied row
 */
export function writeRetiredRow(
  { bytes, view }: Rows,
  offset: number,
  kind: RowKind,
  from: Rows,
  fromOffset: number,
  retirement: Retirement,
): void {
  from.bytes.copy(bytes, offset, fromOffset, fromOffset + ROW_BYTES.owner);
  if (kind === 'bound-owner')
    from.bytes.copy(bytes, offset + ROW_BYTES.retired, fromOffset + ROW_BYTES.owner, fromOffset + ROW_BYTES[kind]);
  view.setUint16(offset + EXPIRY_OFFSET, retirement.expiresIn, true);
  view.setUint32(offset + TERMS_OFFSET, retirement.terms, true);
  writePosition(view, offset + RETIRED_OFFSET, retirement.retiredPosition);
}

function writePosition(view: DataView, offset: number, position: Position): void {
  view.setUint32(offset, position, true); // keeps the low 32 bits
  view.setUint16(offset + 4, position / TWO_32, true);
}

function readPosition(view: DataView, offset: number): Position {
  return (view.getUint32(offset, true) + view.getUint16(offset + 4, true) * TWO_32) as Position;
}

/** Creates a row with only a key, for lookups. */
export function createKeyRow(): Rows {
  return rowsIn(Buffer.alloc(ROW_BYTES.client));
}

export function writeKey({ bytes }: Rows, tokenHash: CredentialHash): void {
  writeBase64url(bytes, 0, tokenHash);
}

export function hasKey({ bytes }: Rows, offset: number, { bytes: key }: Rows): boolean {
  for (let index = 0; index < KEY_BYTES; index += 1) if (bytes[offset + index] !== key[index]) return false;
  return true;
}

export function keyOf({ bytes }: Rows, offset: number): string {
  return bytes.toString('base64url', offset, offset + KEY_BYTES);
}

export function grantIdOf({ bytes }: Rows, offset: number): GrantId {
  return bytes.toString('base64url', offset, offset + KEY_AND_GRANT_BYTES).slice(ID_LENGTH) as GrantId;
}

/** Returns the user's id, or null if the client acts on its own behalf. */
export function userIdOf(kind: RowKind, { bytes }: Rows, offset: number): UserId | null {
  if (isClientRow(kind)) return null;
  return bytes
    .toString('base64url', offset + USER_OFFSET, offset + USER_OFFSET + USER_BYTES)
    .slice(0, ID_LENGTH) as UserId;
}

/** Returns the key or certificate that the token is bound to, or undefined if it is not bound. */
export function confirmationOf(kind: RowKind, { bytes }: Rows, offset: number): Confirmation | undefined {
  if (!isBound(kind)) return undefined;
  const methodOffset = offset + ROW_BYTES[kind] - 1;
  const method = CONFIRMATION_METHODS[bytes[methodOffset] ?? NaN];
  if (method === undefined) throw new RangeError('the row of a bound token has no known confirmation method');
  return { method, thumbprint: bytes.toString('base64url', methodOffset - THUMBPRINT_BYTES, methodOffset) };
}

/** Reports whether the row has a known confirmation method. Always true if the token is not bound. */
export function hasKnownMethod(kind: RowKind, { bytes }: Rows, offset: number): boolean {
  return !isBound(kind) || (bytes[offset + ROW_BYTES[kind] - 1] ?? NaN) < CONFIRMATION_METHODS.length;
}

export const issuedPositionOf = ({ view }: Rows, offset: number): Position =>
  readPosition(view, offset + POSITION_OFFSET);
/** Returns the position of the event that retired the token. Only for rows of retired tokens. */
export const retiredPositionOf = ({ view }: Rows, offset: number): Position =>
  readPosition(view, offset + RETIRED_OFFSET);
export const issuedAtOf = ({ view }: Rows, offset: number): number =>
  view.getUint32(offset + ISSUED_OFFSET, true) + view.getUint8(offset + ISSUED_OFFSET + 4) * TWO_32;
export const expiresInOf = ({ view }: Rows, offset: number): number => view.getUint16(offset + EXPIRY_OFFSET, true);
export const termsNumberOf = ({ view }: Rows, offset: number): number => view.getUint32(offset + TERMS_OFFSET, true);

/** Returns the first 32 bits of the hash, which the index uses to find the row. */
export const wordOf = ({ view }: Rows, offset: number): number => view.getUint32(offset, true);
