import type { CredentialHash, GrantId, UserId } from '../../domain/values.ts';
import type { Position } from '../../eventsourcing/event-log.ts';

/**
 * One token in 66 bytes, never changed once written. One row after another in one array, not a column each: a look-up
 * then waits for memory once, and a snapshot copies a range as it is. Numbers are little-endian on every machine.
 *
 *   0  33  grant id and user id: 2 × 22 characters of base64url (132 bits each, so together whole bytes)
 *  33  16  the key
 *  49   6  position of the event that issued it: beyond 2^32 one day
 *  55   5  when it was issued, in seconds since the epoch: beyond 2^32 in 2106
 *  60   2  when it expires, in seconds since its generation's hour began
 *  62   4  number of its terms in its generation
 */
export const ROW_BYTES = 66;

/**
 * The first 128 bits of a token's SHA-256. Enough: two tokens that share them by chance are out of reach with any number
 * of tokens, and nobody can look for such a pair, as tokens are the server's own random bits.
 */
export const KEY_BYTES = 16;

/** Of a grant's, a user's; of a hash as many are kept. */
export const ID_CHARACTERS = 22;
const IDS_BYTES = 33;
const KEY_AT = IDS_BYTES;
const POSITION_AT = 49;
const ISSUED_AT = 55;
const EXPIRY_AT = 60;
const TERMS_AT = 62;
const NOBODY = 'A'.repeat(ID_CHARACTERS);

export interface Row {
  readonly tokenHash: CredentialHash;
  readonly grantId: GrantId;
  /** Null takes as much room: what has no user says so in its terms. */
  readonly userId: UserId | null;
  readonly issuedPosition: Position;
  readonly issuedAt: number;
  /** Seconds since the generation's hour began. */
  readonly expiresIn: number;
  readonly terms: number;
}

/** @throws Error an id or the hash is not as long as its schema says: the rest would be out of place */
export function writeRow(rows: Buffer, at: number, { tokenHash, grantId, userId, issuedPosition, issuedAt, expiresIn, terms }: Row): void {
  // All that is base64url in one call: 200 ns, most of what an insertion costs.
  const written = rows.write(`${grantId}${userId ?? NOBODY}${keyText(tokenHash)}`, at, IDS_BYTES + KEY_BYTES, 'base64url');
  if (written !== IDS_BYTES + KEY_BYTES) throw new Error('a token whose ids or hash have another length');
  rows.writeUIntLE(issuedPosition, at + POSITION_AT, 6);
  rows.writeUIntLE(issuedAt, at + ISSUED_AT, 5);
  rows.writeUInt16LE(expiresIn, at + EXPIRY_AT);
  rows.writeUInt32LE(terms, at + TERMS_AT);
}

/** Puts the key of that hash into the first bytes of `key`. */
export function writeKey(key: Buffer, tokenHash: CredentialHash): void {
  key.write(keyText(tokenHash), 0, KEY_BYTES, 'base64url');
}

/** 22 characters have four bits more than the key; decoding drops them. */
function keyText(tokenHash: CredentialHash): string {
  return tokenHash.slice(0, ID_CHARACTERS);
}

export function hasKey(rows: Buffer, at: number, key: Buffer): boolean {
  for (let index = 0; index < KEY_BYTES; index += 1) if (rows[at + KEY_AT + index] !== key[index]) return false;
  return true;
}

export function keyOf(rows: Buffer, at: number): string {
  return rows.toString('base64url', at + KEY_AT, at + KEY_AT + KEY_BYTES);
}

/** Grant id and user id; the latter means nothing where the terms say that the client acts for itself. */
export function idsOf(rows: Buffer, at: number): readonly [GrantId, UserId] {
  const ids = rows.toString('base64url', at, at + IDS_BYTES);
  return [ids.slice(0, ID_CHARACTERS) as GrantId, ids.slice(ID_CHARACTERS) as UserId];
}

export const issuedPositionOf = (rows: Buffer, at: number): Position => rows.readUIntLE(at + POSITION_AT, 6) as Position;
export const issuedAtOf = (rows: Buffer, at: number): number => rows.readUIntLE(at + ISSUED_AT, 5);
export const expiresInOf = (rows: Buffer, at: number): number => rows.readUInt16LE(at + EXPIRY_AT);
export const termsOf = (rows: Buffer, at: number): number => rows.readUInt32LE(at + TERMS_AT);

// Words: 32 bits as random as the hash itself, which the index finds it by.
export const keyWordOf = (rows: Buffer, at: number): number => rows.readUInt32LE(at + KEY_AT);
export const wordOfKey = (key: Buffer): number => key.readUInt32LE(0);
