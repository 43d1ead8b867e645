import type { Mutable } from '../../domain/mutable.ts';
import type { CredentialHash, EpochSeconds, GrantId } from '../../domain/values.ts';
import type { Position } from '../../event-store/event-log.ts';
import type { AccessToken } from '../access-token.ts';
import { createEndedGrants } from './ended-grants.ts';
import { createGenerations, GENERATION_SECONDS, hourOf, type Generation } from './generations.ts';
import { createHashIndex } from './hash-index.ts';
import { merge } from './merge.ts';
import {
  confirmationOf,
  expiresInOf,
  grantIdOf,
  hasKey,
  hasKnownMethod,
  isRetired,
  issuedAtOf,
  issuedPositionOf,
  keyOf,
  kindOf,
  createKeyRow,
  retiredKindOf,
  retiredPositionOf,
  ROW_BYTES,
  ROW_KINDS,
  termsNumberOf,
  userIdOf,
  wordOf,
  writeKey,
  writeRetiredRow,
  writeRow,
  type RowKind,
  type Rows,
} from './row.ts';
import { createSegmentRegister, referenceTo, rowOf } from './segment-register.ts';
import { remainingRows, type Segment } from './segment.ts';
import { malformedPieceError, toPieces, readPiece, type Piece } from './snapshot-pieces.ts';

/**
 * Access tokens by hash, packed into rows of bytes. Rows are grouped into segments by the hour in which they expire,
 * and an index finds them by hash. `npm run bench -- memory` measures 57 bytes for each of 10,000,000 tokens of clients
 * that act on their own behalf, and 17 more for a user's token; a Map of objects takes 406 bytes per token and throws
 * an error at 16.7 million entries. A token that is bound to a key or certificate takes another 33 bytes. No operation
 * blocks the event loop for long: freezing 1,000,000 tokens takes a millisecond, because pieces are serialized lazily.
 *
 * A hash is never inserted twice, because tokens are 256 random bits.
 */
export interface TokenTable {
  insert(tokenHash: CredentialHash, token: AccessToken): void;
  /**
   * Returns the token, unless its generation was removed or, if its client acts on its own behalf, its grant has ended.
   * Does not check whether the token has expired.
   */
  find(tokenHash: CredentialHash): AccessToken | undefined;
  /** Returns the token even if its grant has ended, to explain what happened to it. */
  findRetained(tokenHash: CredentialHash): AccessToken | undefined;
  /** Reports whether `endGrant` ended the grant. A grant is forgotten only after all of its tokens have expired. */
  hasEnded(grantId: GrantId): boolean;
  /**
   * Invalidates the tokens of a grant to a client that acts on its own behalf. For a user's grant, callers of `find`
   * must check the grant.
   */
  endGrant(grantId: GrantId): void;
  /**
   * Makes a user's token expire at `endsAt` (seconds since the epoch) if it would expire later, because of the event at
   * `position`. Its row moves to the generation of the new expiry.
   */
  retire(tokenHash: CredentialHash, endsAt: EpochSeconds, position: Position): void;
  /** Removes the tokens that expired in hours that ended before `now` (seconds since the epoch). */
  expire(now: number): void;
  /** Returns the number of tokens in memory, including those of ended grants. */
  size(): number;
  /**
   * Yields all tokens that `find` would return, in the order of the events that issued or retired them, each with the
   * stored part of its hash in base64url. The table must not change during the iteration.
   */
  entries(): Iterable<readonly [key: string, token: AccessToken]>;
  /** Returns the current contents in pieces, serialized lazily. Later changes do not affect the pieces. */
  freeze(): Iterable<Uint8Array>;
  /**
   * Restores one piece from `freeze`. The pieces must be passed in their original order.
   * @throws Error if the piece is truncated or malformed
   */
  restore(piece: Uint8Array): void;
}

/** The segment and the offset of a row. */
interface RowLocation {
  readonly segment: Segment;
  readonly offset: number;
}

export function createTokenTable(): TokenTable {
  const register = createSegmentRegister<Segment>();
  const generations = createGenerations(register);
  const byKey = createHashIndex((reference) => register.segmentOf(reference)?.find(rowOf(reference)) !== undefined);
  const endedGrants = createEndedGrants();
  /** Reused for every lookup, so that lookups create no garbage. */
  const lookupKey = createKeyRow();

  /**
   * Reports whether the row exists and has this key. Index entries are only hints: the row may have been removed, and
   * its number reused.
   */
  function hasKeyAt(reference: number, key: Rows): boolean {
    const segment = register.segmentOf(reference);
    const offset = segment?.find(rowOf(reference));
    return segment !== undefined && offset !== undefined && hasKey(segment.rows(), offset, key);
  }

  /** Reports whether the token's grant has ended. Always false for a user's token, whose grant the callers check. */
  const hasEndedGrant = ({ userId, grantId }: Pick<AccessToken, 'userId' | 'grantId'>): boolean =>
    userId === null && endedGrants.has(grantId);

  /** During a restore, the piece that introduces the next rows. */
  let nextRows: Extract<Piece, { kind: 'rows' }> | undefined;
  /** During a restore, one bit for each of the next rows, set if the row was removed; undefined if no row was. */
  let removedBits: Uint8Array | undefined;

  function restoreRows(
    { rowKind, hour, count: expectedCount }: Extract<Piece, { kind: 'rows' }>,
    bytes: Uint8Array,
  ): void {
    if (bytes.length !== expectedCount * ROW_BYTES[rowKind])
      throw malformedPieceError('its length does not match the number of rows');
    const generation = generations.get(hour);
    const remainingBytes =
      removedBits === undefined ? bytes : remainingRows({ rows: bufferOf(bytes), removed: removedBits }, rowKind);
    removedBits = undefined;
    const segment = generation.restore(rowKind, remainingBytes);
    const [rows, count, termsCount] = [segment.rows(), segment.count(), generation.terms.count()];
    for (let row = 0, offset = 0; row < count; row += 1, offset += segment.rowBytes) {
      if (termsNumberOf(rows, offset) >= termsCount) throw malformedPieceError('a row refers to unknown terms');
      if (expiresInOf(rows, offset) >= GENERATION_SECONDS)
        throw malformedPieceError('a row does not expire in the hour of its generation');
      if (!hasKnownMethod(rowKind, rows, offset)) throw malformedPieceError('a confirmation method is unknown');
      byKey.addLater(wordOf(rows, offset), referenceTo(segment, row));
    }
  }

  function referenceOf(tokenHash: CredentialHash): number | undefined {
    writeKey(lookupKey, tokenHash);
    return byKey.find(wordOf(lookupKey, 0), lookupKey, hasKeyAt);
  }

  function locationOf(reference: number | undefined): RowLocation | undefined {
    const segment = reference === undefined ? undefined : register.segmentOf(reference);
    const offset = reference === undefined ? undefined : segment?.find(rowOf(reference));
    return segment === undefined || offset === undefined ? undefined : { segment, offset };
  }

  function findStored(tokenHash: CredentialHash): AccessToken | undefined {
    const location = locationOf(referenceOf(tokenHash));
    return location === undefined ? undefined : tokenAt(location);
  }

  return {
    insert(tokenHash, token) {
      if (hasEndedGrant(token)) return; // otherwise, it would become valid once `endedGrants` forgets the grant
      const { grantId, clientId, userId, scope, resource, exchanged } = token;
      const { confirmation, expiresAt, issuedAt, issuedPosition } = token;
      const { hour, terms, current } = generations.get(hourOf(expiresAt));
      const segment = current(kindOf(token));
      const row = {
        tokenHash,
        grantId,
        userId,
        confirmation,
        issuedPosition,
        issuedAt,
        expiresIn: expiresAt - hour * GENERATION_SECONDS,
        terms: terms.intern(exchanged ? { clientId, scope, resource, exchanged } : { clientId, scope, resource }),
      };
      const number = segment.append((rows, offset) => writeRow(rows, offset, row));
      writeKey(lookupKey, tokenHash);
      byKey.add(wordOf(lookupKey, 0), referenceTo(segment, number));
    },

    retire(tokenHash, endsAt, retiredPosition) {
      const reference = referenceOf(tokenHash);
      const location = locationOf(reference);
      if (reference === undefined || location === undefined || expiresAtOf(location) <= endsAt) return;
      const { segment, offset } = location;
      const retiredKind = retiredKindOf(segment.kind);
      if (retiredKind === undefined) return;
      const from = segment.rows();
      const { hour, terms, current } = generations.get(hourOf(endsAt));
      const retirement = {
        expiresIn: endsAt - hour * GENERATION_SECONDS,
        terms: terms.intern(segment.terms.get(termsNumberOf(from, offset))),
        retiredPosition,
      };
      const retiredSegment = current(retiredKind);
      const number = retiredSegment.append((rows, newOffset) =>
        writeRetiredRow(rows, newOffset, segment.kind, from, offset, retirement),
      );
      byKey.move(wordOf(from, offset), reference, referenceTo(retiredSegment, number));
      segment.remove(rowOf(reference));
    },

    find(tokenHash) {
      const token = findStored(tokenHash);
      return token === undefined || hasEndedGrant(token) ? undefined : token;
    },

    findRetained: findStored,

    hasEnded: endedGrants.has,

    endGrant(grantId) {
      const hour = generations.lastHour();
      if (hour !== undefined) endedGrants.add(hour, grantId);
    },

    expire(now) {
      if (generations.expire(now)) endedGrants.expire(hourOf(now));
    },

    size: () =>
      generations
        .all()
        .flatMap(({ segments }) => segments)
        .reduce((sum, segment) => sum + segment.count(), 0),

    *entries() {
      const locations = generations
        .all()
        .flatMap((generation) => ROW_KINDS.map((kind) => locationsIn(generation, kind)));
      for (const location of merge(locations, latestPositionOf)) {
        const token = tokenAt(location);
        if (!hasEndedGrant(token)) yield [keyOf(location.segment.rows(), location.offset), token];
      }
    },

    freeze: () =>
      toPieces(
        generations.all().map(({ hour, terms, segments }) => ({
          hour,
          terms: terms.freeze(),
          segments: segments.map(({ kind, freeze, count }) => ({ kind, frozenRows: freeze(), count: count() })),
        })),
        endedGrants.freeze(),
      ),

    restore(bytes) {
      if (nextRows !== undefined) {
        const rows = nextRows;
        nextRows = undefined;
        return restoreRows(rows, bytes);
      }
      const piece = readPiece(bytes);
      if (piece.kind === 'size') return byKey.reserve(piece.count);
      if (piece.kind === 'ended') return piece.grantIds.forEach((grantId) => endedGrants.add(piece.hour, grantId));
      if (piece.kind === 'removed') return void (removedBits = piece.bits);
      if (piece.kind === 'rows') return void (nextRows = piece);
      const generation = generations.get(piece.hour);
      for (const terms of piece.terms) {
        if (generation.terms.count() !== generation.terms.intern(terms)) throw malformedPieceError('it repeats terms');
      }
    },
  };
}

/** Yields the locations of rows of one kind, in the order in which the tokens were issued or retired. */
function* locationsIn({ segments }: Generation, kind: RowKind): Generator<RowLocation, void, void> {
  for (const segment of segments.filter((candidate) => candidate.kind === kind)) {
    for (const offset of segment.offsets()) yield { segment, offset };
  }
}

function latestPositionOf({ segment, offset }: RowLocation): number {
  return isRetired(segment.kind) ? retiredPositionOf(segment.rows(), offset) : issuedPositionOf(segment.rows(), offset);
}

function tokenAt({ segment, offset }: RowLocation): AccessToken {
  const rows = segment.rows();
  const { clientId, scope, resource, exchanged } = segment.terms.get(termsNumberOf(rows, offset));
  const token: Mutable<AccessToken> = {
    grantId: grantIdOf(rows, offset),
    clientId,
    userId: userIdOf(segment.kind, rows, offset),
    scope,
    resource,
    expiresAt: expiresAtOf({ segment, offset }),
    issuedAt: issuedAtOf(rows, offset),
    issuedPosition: issuedPositionOf(rows, offset),
  };
  const confirmation = confirmationOf(segment.kind, rows, offset);
  if (exchanged !== undefined) token.exchanged = exchanged;
  const issuedToken = confirmation === undefined ? token : { ...token, confirmation };
  return isRetired(segment.kind) ? { ...issuedToken, retiredPosition: retiredPositionOf(rows, offset) } : issuedToken;
}

function expiresAtOf({ segment, offset }: RowLocation): EpochSeconds {
  return (segment.hour * GENERATION_SECONDS + expiresInOf(segment.rows(), offset)) as EpochSeconds;
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
