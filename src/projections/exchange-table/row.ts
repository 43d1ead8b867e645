import type { Login } from '../../domain/events.ts';
import type { EpochSeconds, GrantId, UserId } from '../../domain/values.ts';
import type { Position } from '../../event-store/event-log.ts';
import type { Exchange } from '../exchange.ts';
import { ID_LENGTH, writeBase64url } from '../token-table/base64url.ts';
import { rowsIn, type Rows } from '../token-table/row.ts';

/**
 * The row of an exchange takes 147 bytes and never changes. An id of 22 base64url characters takes 17 bytes. Fields
 * that the exchange does not have are 0; its terms show which. Numbers are little-endian on every machine.
 *
 *    0  17  grant id, which lookups compare
 *   17  17  grant id of the subject token
 *   34  17  grant id of the actor token
 *   51  17  grant id of the root of the chain
 *   68  17  user id of the subject
 *   85  32  session hash of the root's login
 *  117   5  time of the login, in seconds since the epoch
 *  122   5  time of the exchange, in seconds since the epoch
 *  127   2  time of expiry, in seconds since the start of its hour
 *  129   6  position of its event
 *  135   4  number that identifies its terms in its hour
 *  139   4  reference to the previous exchange with the same root and hour of expiry; 0 for the first
 *  143   4  count of the exchanges with that root and hour of expiry, up to and including this one
 */
export const EXCHANGE_BYTES = 147;

const ID_BYTES = 17;
const PARENT_OFFSET = 17;
const ACTOR_OFFSET = 34;
const ROOT_OFFSET = 51;
const USER_OFFSET = 68;
const SESSION_OFFSET = 85;
const SESSION_BYTES = 32;
const LOGIN_OFFSET = 117;
const EXCHANGED_OFFSET = 122;
const EXPIRY_OFFSET = 127;
const POSITION_OFFSET = 129;
const TERMS_OFFSET = 135;
const PREVIOUS_OFFSET = 139;
const COUNT_OFFSET = 143;
const TWO_32 = 2 ** 32;

/** Fields that many exchanges share, so each combination is stored once. `null` marks values that the row contains. */
export interface ExchangeTerms extends Pick<Exchange, 'clientId' | 'mode' | 'chain' | 'depth' | 'issuers'> {
  readonly userId: null | undefined;
  readonly parent: Omit<Exchange['parent'], 'grantId'>;
  readonly actor: Omit<NonNullable<Exchange['actor']>, 'grantId'> | undefined;
  readonly root: Omit<Exchange['root'], 'grantId'>;
  readonly login: (Omit<Login, 'sessionHash' | 'authTime'> & { readonly sessionHash: null | undefined }) | undefined;
}

/** The fields of a row that depend on its hour. */
interface HourFields {
  /** Seconds from the start of the hour to the expiry. */
  readonly expirySecond: number;
  readonly termsNumber: number;
  readonly previousReference: number;
  readonly count: number;
}

export function termsOf(exchange: Exchange): ExchangeTerms {
  const { clientId, userId, mode, parent, actor, chain, depth, root, issuers, login } = exchange;
  return {
    clientId,
    userId: userId === null ? undefined : null,
    mode,
    parent: { clientId: parent.clientId },
    actor: actor && { clientId: actor.clientId, userId: actor.userId },
    chain,
    depth,
    root: { clientId: root.clientId },
    ...(issuers && { issuers }),
    login: login && { amr: login.amr, acr: login.acr, sessionHash: login.sessionHash === null ? undefined : null },
  };
}

/**
 * Writes the row of an exchange.
 * @throws Error if an id has the wrong length, because it could not be read back
 */
export function writeExchange({ bytes, view }: Rows, offset: number, exchange: Exchange, hourFields: HourFields): void {
  const { grantId, userId, parent, actor, root, login, exchangedAt, position } = exchange;
  writeId(bytes, offset, grantId);
  writeId(bytes, offset + PARENT_OFFSET, parent.grantId);
  if (actor !== undefined) writeId(bytes, offset + ACTOR_OFFSET, actor.grantId);
  writeId(bytes, offset + ROOT_OFFSET, root.grantId);
  if (userId !== null) writeId(bytes, offset + USER_OFFSET, userId);
  if (login !== undefined) {
    if (login.sessionHash !== null) bytes.write(login.sessionHash, offset + SESSION_OFFSET, SESSION_BYTES, 'base64url');
    writeSeconds(view, offset + LOGIN_OFFSET, login.authTime);
  }
  writeSeconds(view, offset + EXCHANGED_OFFSET, exchangedAt);
  view.setUint16(offset + EXPIRY_OFFSET, hourFields.expirySecond, true);
  view.setUint32(offset + POSITION_OFFSET, position, true); // keeps the low 32 bits
  view.setUint16(offset + POSITION_OFFSET + 4, position / TWO_32, true);
  view.setUint32(offset + TERMS_OFFSET, hourFields.termsNumber, true);
  view.setUint32(offset + PREVIOUS_OFFSET, hourFields.previousReference, true);
  view.setUint32(offset + COUNT_OFFSET, hourFields.count, true);
}

/**
 * Reads the exchange in a row.
 * @param hourStart the start of the hour in which the exchange expires, in seconds since the epoch
 */
export function readExchange(
  rows: Rows,
  offset: number,
  terms: ExchangeTerms,
  { hourStart, isRevoked }: { readonly hourStart: number; readonly isRevoked: boolean },
): Exchange {
  const { bytes, view } = rows;
  const { clientId, mode, chain, depth, issuers, login } = terms;
  const actor = actorOf(rows, offset, terms);
  return {
    grantId: grantIdOf(rows, offset),
    clientId,
    userId: userIdOf(rows, offset, terms),
    mode,
    parent: { grantId: parentIdOf(rows, offset), clientId: terms.parent.clientId },
    ...(actor && { actor }),
    chain,
    depth,
    root: { grantId: readId(bytes, offset + ROOT_OFFSET) as GrantId, clientId: terms.root.clientId },
    ...(issuers && { issuers }),
    ...(login && {
      login: {
        sessionHash:
          login.sessionHash === undefined
            ? null
            : bytes.toString('base64url', offset + SESSION_OFFSET, offset + SESSION_OFFSET + SESSION_BYTES),
        authTime: readSeconds(view, offset + LOGIN_OFFSET) as EpochSeconds,
        amr: login.amr,
        acr: login.acr,
      },
    }),
    expiresAt: (hourStart + view.getUint16(offset + EXPIRY_OFFSET, true)) as EpochSeconds,
    exchangedAt: readSeconds(view, offset + EXCHANGED_OFFSET),
    position: positionOf(rows, offset),
    isRevoked,
  };
}

export const grantIdOf = ({ bytes }: Rows, offset: number): GrantId => readId(bytes, offset) as GrantId;
export const parentIdOf = ({ bytes }: Rows, offset: number): GrantId =>
  readId(bytes, offset + PARENT_OFFSET) as GrantId;
export const termsNumberOf = ({ view }: Rows, offset: number): number => view.getUint32(offset + TERMS_OFFSET, true);
export const previousOf = ({ view }: Rows, offset: number): number => view.getUint32(offset + PREVIOUS_OFFSET, true);
export const countOf = ({ view }: Rows, offset: number): number => view.getUint32(offset + COUNT_OFFSET, true);

export function userIdOf({ bytes }: Rows, offset: number, { userId }: ExchangeTerms): UserId | null {
  return userId === undefined ? null : (readId(bytes, offset + USER_OFFSET) as UserId);
}

export function actorOf({ bytes }: Rows, offset: number, { actor }: ExchangeTerms): Exchange['actor'] {
  return actor && { ...actor, grantId: readId(bytes, offset + ACTOR_OFFSET) as GrantId };
}

export function positionOf({ view }: Rows, offset: number): Position {
  return (view.getUint32(offset + POSITION_OFFSET, true) +
    view.getUint16(offset + POSITION_OFFSET + 4, true) * TWO_32) as Position;
}

/** The location of an id, in a row or outside. */
export interface StoredId {
  readonly rows: Rows;
  readonly offset: number;
}

export const ownId = (rows: Rows, offset: number): StoredId => ({ rows, offset });
export const parentId = (rows: Rows, offset: number): StoredId => ({ rows, offset: offset + PARENT_OFFSET });
export const rootId = (rows: Rows, offset: number): StoredId => ({ rows, offset: offset + ROOT_OFFSET });
/** Returns the first 32 bits of the id, which an index uses to find the row. */
export const wordOf = ({ rows, offset }: StoredId): number => rows.view.getUint32(offset, true);

/** Returns a function that encodes an id outside a row, for lookups. Its result is valid until its next call. */
export function createIdEncoder(): (id: string) => StoredId {
  const rows = rowsIn(Buffer.alloc(ID_BYTES));
  return (id) => {
    writeId(rows.bytes, 0, id);
    return { rows, offset: 0 };
  };
}

export function isSameId(left: StoredId, right: StoredId): boolean {
  for (let index = 0; index < ID_BYTES; index += 1)
    if (left.rows.bytes[left.offset + index] !== right.rows.bytes[right.offset + index]) return false;
  return true;
}

function writeId(bytes: Uint8Array, offset: number, id: string): void {
  if (id.length !== ID_LENGTH)
    throw new Error(`the ids of an exchange must have ${ID_LENGTH} characters, not ${id.length}`);
  writeBase64url(bytes, offset, id);
}

function readId(bytes: Buffer, offset: number): string {
  return bytes.toString('base64url', offset, offset + ID_BYTES).slice(0, ID_LENGTH);
}

function writeSeconds(view: DataView, offset: number, seconds: number): void {
  view.setUint32(offset, seconds, true); // keeps the low 32 bits
  view.setUint8(offset + 4, seconds / TWO_32);
}

function readSeconds(view: DataView, offset: number): number {
  return view.getUint32(offset, true) + view.getUint8(offset + 4) * TWO_32;
}
