import type { Login } from '../../domain/events.ts';
import type { EpochSeconds, GrantId, UserId } from '../../domain/values.ts';
import type { Position } from '../../event-store/event-log.ts';
import type { Exchange } from '../exchange.ts';
import { ID_CHARACTERS, writeOne } from '../token-table/base64url.ts';
import { rowsIn, type Rows } from '../token-table/row.ts';

/**
 * An exchange takes 147 bytes. A row never changes. Ids are 22 characters of base64url in 17 bytes; ids
 * that an exchange does not have are 0, and its terms show which. Numbers are little-endian on every machine.
 *
 *    0  17  grant id; lookups compare it
 *   17  17  grant id of the subject token
 *   34  17  grant id of the actor token
 *   51  17  grant id of the root of the chain
 *   68  17  user id of the subject
 *   85  32  hash of the session of the login at the root
 *  117   5  time of the login, in seconds since the epoch
 *  122   5  time of the exchange, in seconds since the epoch
 *  127   2  time of expiry, in seconds since the start of its hour
 *  129   6  position of its event
 *  135   4  number of its terms in its hour
 *  139   4  reference to the exchange before it from the same root and with an expiry in the same hour; 0 for the first
 *  143   4  number of such exchanges up to this one
 */
export const EXCHANGE_BYTES = 147;

const ID_BYTES = 17;
const PARENT_AT = 17;
const ACTOR_AT = 34;
const ROOT_AT = 51;
const USER_AT = 68;
const SESSION_AT = 85;
const SESSION_BYTES = 32;
const LOGIN_AT = 117;
const EXCHANGED_AT = 122;
const EXPIRY_AT = 127;
const POSITION_AT = 129;
const TERMS_AT = 135;
const PREVIOUS_AT = 139;
const COUNT_AT = 143;
const TWO_32 = 2 ** 32;

/** Fields that many exchanges share, so each combination is stored once. `null` marks values that the row contains. */
export interface ExchangeTerms extends Pick<Exchange, 'clientId' | 'mode' | 'chain' | 'depth' | 'issuers'> {
  readonly userId: null | undefined;
  readonly parent: Omit<Exchange['parent'], 'grantId'>;
  readonly actor: Omit<NonNullable<Exchange['actor']>, 'grantId'> | undefined;
  readonly root: Omit<Exchange['root'], 'grantId'>;
  readonly login: (Omit<Login, 'sessionHash' | 'authTime'> & { readonly sessionHash: null | undefined }) | undefined;
}

/** The relation of a row to others, and its expiry. */
interface RowLinks {
  readonly expiresIn: number;
  readonly terms: number;
  readonly previous: number;
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

/** @throws Error if an id violates its schema, so it could not be read back */
export function writeExchange({ bytes, view }: Rows, at: number, exchange: Exchange, links: RowLinks): void {
  const { grantId, userId, parent, actor, root, login, exchangedAt, position } = exchange;
  writeId(bytes, at, grantId);
  writeId(bytes, at + PARENT_AT, parent.grantId);
  if (actor !== undefined) writeId(bytes, at + ACTOR_AT, actor.grantId);
  writeId(bytes, at + ROOT_AT, root.grantId);
  if (userId !== null) writeId(bytes, at + USER_AT, userId);
  if (login !== undefined) {
    if (login.sessionHash !== null) bytes.write(login.sessionHash, at + SESSION_AT, SESSION_BYTES, 'base64url');
    writeSeconds(view, at + LOGIN_AT, login.authTime);
  }
  writeSeconds(view, at + EXCHANGED_AT, exchangedAt);
  view.setUint16(at + EXPIRY_AT, links.expiresIn, true);
  view.setUint32(at + POSITION_AT, position, true); // keeps the low 32 bits
  view.setUint16(at + POSITION_AT + 4, position / TWO_32, true);
  view.setUint32(at + TERMS_AT, links.terms, true);
  view.setUint32(at + PREVIOUS_AT, links.previous, true);
  view.setUint32(at + COUNT_AT, links.count, true);
}

/** @param hourBegin the start of the hour in which the exchange expires */
export function readExchange(
  rows: Rows,
  at: number,
  terms: ExchangeTerms,
  { hourBegin, isRevoked }: { readonly hourBegin: number; readonly isRevoked: boolean },
): Exchange {
  const { bytes, view } = rows;
  const { clientId, mode, chain, depth, issuers, login } = terms;
  const actor = actorOf(rows, at, terms);
  return {
    grantId: grantIdOf(rows, at),
    clientId,
    userId: userIdOf(rows, at, terms),
    mode,
    parent: { grantId: parentIdOf(rows, at), clientId: terms.parent.clientId },
    ...(actor && { actor }),
    chain,
    depth,
    root: { grantId: readId(bytes, at + ROOT_AT) as GrantId, clientId: terms.root.clientId },
    ...(issuers && { issuers }),
    ...(login && {
      login: {
        sessionHash:
          login.sessionHash === undefined
            ? null
            : bytes.toString('base64url', at + SESSION_AT, at + SESSION_AT + SESSION_BYTES),
        authTime: readSeconds(view, at + LOGIN_AT) as EpochSeconds,
        amr: login.amr,
        acr: login.acr,
      },
    }),
    expiresAt: (hourBegin + view.getUint16(at + EXPIRY_AT, true)) as EpochSeconds,
    exchangedAt: readSeconds(view, at + EXCHANGED_AT),
    position: positionOf(rows, at),
    isRevoked,
  };
}

export const grantIdOf = ({ bytes }: Rows, at: number): GrantId => readId(bytes, at) as GrantId;
export const parentIdOf = ({ bytes }: Rows, at: number): GrantId => readId(bytes, at + PARENT_AT) as GrantId;
export const termsNumberOf = ({ view }: Rows, at: number): number => view.getUint32(at + TERMS_AT, true);
export const previousOf = ({ view }: Rows, at: number): number => view.getUint32(at + PREVIOUS_AT, true);
export const countOf = ({ view }: Rows, at: number): number => view.getUint32(at + COUNT_AT, true);

export function userIdOf({ bytes }: Rows, at: number, { userId }: ExchangeTerms): UserId | null {
  return userId === undefined ? null : (readId(bytes, at + USER_AT) as UserId);
}

export function actorOf({ bytes }: Rows, at: number, { actor }: ExchangeTerms): Exchange['actor'] {
  return actor && { ...actor, grantId: readId(bytes, at + ACTOR_AT) as GrantId };
}

export function positionOf({ view }: Rows, at: number): Position {
  return (view.getUint32(at + POSITION_AT, true) + view.getUint16(at + POSITION_AT + 4, true) * TWO_32) as Position;
}

/** The offset of an id in a row, and the first 32 bits of that id, by which an index finds the row. */
export interface IdAt {
  readonly rows: Rows;
  readonly at: number;
}

export const ownId = (rows: Rows, at: number): IdAt => ({ rows, at });
export const parentId = (rows: Rows, at: number): IdAt => ({ rows, at: at + PARENT_AT });
export const rootId = (rows: Rows, at: number): IdAt => ({ rows, at: at + ROOT_AT });
export const wordOf = ({ rows, at }: IdAt): number => rows.view.getUint32(at, true);

/** Returns a function that writes an id outside a row, for lookups. The result is valid until the next call. */
export function createLookupId(): (id: string) => IdAt {
  const rows = rowsIn(Buffer.alloc(ID_BYTES));
  return (id) => {
    writeId(rows.bytes, 0, id);
    return { rows, at: 0 };
  };
}

export function isSameId(one: IdAt, other: IdAt): boolean {
  for (let index = 0; index < ID_BYTES; index += 1)
    if (one.rows.bytes[one.at + index] !== other.rows.bytes[other.at + index]) return false;
  return true;
}

function writeId(bytes: Uint8Array, at: number, id: string): void {
  if (id.length !== ID_CHARACTERS) throw new Error(`the ids of an exchange must have ${ID_CHARACTERS} characters`);
  writeOne(bytes, at, id);
}

function readId(bytes: Buffer, at: number): string {
  return bytes.toString('base64url', at, at + ID_BYTES).slice(0, ID_CHARACTERS);
}

function writeSeconds(view: DataView, at: number, seconds: number): void {
  view.setUint32(at, seconds, true); // keeps the low 32 bits
  view.setUint8(at + 4, seconds / TWO_32);
}

function readSeconds(view: DataView, at: number): number {
  return view.getUint32(at, true) + view.getUint8(at + 4) * TWO_32;
}
