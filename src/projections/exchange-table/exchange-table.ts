import type { GrantId } from '../../domain/values.ts';
import type { Exchange } from '../exchange.ts';
import { jsonPieces } from '../json-pieces.ts';
import { GENERATION_SECONDS, hourOf } from '../token-table/generations.ts';
import { createHashIndex } from '../token-table/hash-index.ts';
import { merge } from '../token-table/merge.ts';
import { createSegmentRegister, referenceTo, rowOf } from '../token-table/segment-register.ts';
import {
  createHour,
  isRevokedAt,
  locationsIn,
  internTerms,
  makeRoom,
  type Hour,
  type Location,
  type Segment,
} from './hour.ts';
import {
  actorOf,
  countOf,
  createLookupId,
  EXCHANGE_BYTES,
  isSameId,
  ownId,
  parentId,
  parentIdOf,
  positionOf,
  previousOf,
  readExchange,
  rootId,
  termsNumberOf,
  termsOf,
  userIdOf,
  wordOf,
  writeExchange,
  type ExchangeTerms,
  type StoredId,
} from './row.ts';

/**
 * Exchanges by grant, packed like access tokens: about 170 bytes each with the indexes, instead of a kilobyte for an
 * object. Exchanges that expire in the same hour are removed together, without visiting each one.
 */
export interface ExchangeTable {
  insert(exchange: Exchange): void;
  /** Revokes the exchange, if the table contains it. */
  revoke(grantId: GrantId): void;
  find(grantId: GrantId): Exchange | undefined;
  /** Like `find`, but returns the row without reading it. The row is valid until the next event. */
  locate(grantId: GrantId): ExchangeRow | undefined;
  /** Returns the row of the exchange that issued the subject token, if the table contains it. */
  parentOf(row: ExchangeRow): ExchangeRow | undefined;
  /** Functions that read one part of the exchange in a row. */
  readonly read: {
    isRevoked(row: ExchangeRow): boolean;
    actor(row: ExchangeRow): Exchange['actor'];
    parent(row: ExchangeRow): Pick<Exchange, 'userId' | 'parent'>;
  };
  /** Returns the exchanges of the chains that start with the grant, oldest first. */
  listByRoot(root: GrantId): readonly Exchange[];
  countByRoot(root: GrantId): number;
  /** Removes exchanges whose hour of expiry ended before `now` (seconds since the epoch). */
  expire(now: number): void;
  /** Yields the exchanges, oldest first. */
  entries(): Iterable<Exchange>;
  freeze(): Iterable<Uint8Array>;
}

/** The row of an exchange. */
export interface ExchangeRow {
  readonly segment: Segment;
  readonly offset: number;
  readonly terms: ExchangeTerms;
}

interface NewestFrom {
  readonly root: StoredId;
  readonly hour: Hour;
}

export function createExchangeTable(): ExchangeTable {
  const hours = new Map<number, Hour>();
  const register = createSegmentRegister<Segment>();
  const exists = (reference: number): boolean => locationOf(reference) !== undefined;
  const byId = createHashIndex(exists);
  /** The newest exchange of each root and hour, which refers to the one before it. */
  const byRoot = createHashIndex(exists);
  const lookupId = createLookupId();
  let oldestHour = Infinity;

  function locationOf(reference: number): Location | undefined {
    const segment = register.segmentOf(reference);
    const row = rowOf(reference);
    return segment === undefined || row >= segment.count ? undefined : { segment, offset: row * EXCHANGE_BYTES };
  }

  function hourFor(number: number): Hour {
    const existingHour = hours.get(number);
    if (existingHour !== undefined) return existingHour;
    const hour = createHour(number * GENERATION_SECONDS);
    hours.set(number, hour);
    oldestHour = Math.min(oldestHour, number);
    return hour;
  }

  /**
   * Reports whether the row exists and has this id. Index entries are only hints: the row may have been removed, and
   * its number reused.
   */
  function hasStoredId(reference: number, id: StoredId): boolean {
    const location = locationOf(reference);
    return location !== undefined && isSameId(ownId(location.segment.rows, location.offset), id);
  }

  function locate(id: StoredId): ExchangeRow | undefined {
    const reference = byId.find(wordOf(id), id, hasStoredId);
    const location = reference === undefined ? undefined : locationOf(reference);
    return location && rowAt(location);
  }

  function isFrom(reference: number, { root, hour }: NewestFrom): boolean {
    const location = locationOf(reference);
    return (
      location !== undefined &&
      location.segment.hour === hour &&
      isSameId(rootId(location.segment.rows, location.offset), root)
    );
  }

  /**
   * Returns the reference to the newest exchange from that root with an expiry in that hour; undefined if there is
   * none.
   */
  function newestFrom(root: StoredId, hour: Hour): number | undefined {
    return byRoot.find(wordOf(root), { root, hour }, isFrom);
  }

  return {
    insert(exchange) {
      const number = hourOf(exchange.expiresAt);
      const hour = hourFor(number);
      const segment = makeRoom(hour, register);
      const { rows, count: row } = segment;
      const offset = row * EXCHANGE_BYTES;
      const newestReference = newestFrom(lookupId(exchange.root.grantId), hour);
      const previousLocation = newestReference === undefined ? undefined : locationOf(newestReference);
      writeExchange(rows, offset, exchange, {
        expiresIn: exchange.expiresAt - hour.begin,
        terms: internTerms(termsOf(exchange), hour),
        previous: newestReference ?? 0,
        count:
          1 + (previousLocation === undefined ? 0 : countOf(previousLocation.segment.rows, previousLocation.offset)),
      });
      segment.count += 1;
      const reference = referenceTo(segment, row);
      byId.add(wordOf(ownId(rows, offset)), reference);
      const root = wordOf(rootId(rows, offset));
      if (newestReference === undefined) byRoot.add(root, reference);
      else byRoot.move(root, newestReference, reference);
      if (exchange.isRevoked) hour.revoked.add(exchange.grantId);
    },

    revoke(grantId) {
      locate(lookupId(grantId))?.segment.hour.revoked.add(grantId);
    },

    find(grantId) {
      const location = locate(lookupId(grantId));
      return location && exchangeAt(location);
    },

    locate: (grantId) => locate(lookupId(grantId)),
    parentOf: ({ segment, offset }) => locate(parentId(segment.rows, offset)),
    read: {
      isRevoked: isRevokedAt,
      actor: ({ segment, offset, terms }) => actorOf(segment.rows, offset, terms),
      parent: ({ segment: { rows }, offset, terms }) => ({
        userId: userIdOf(rows, offset, terms),
        parent: { grantId: parentIdOf(rows, offset), clientId: terms.parent.clientId },
      }),
    },

    listByRoot(root) {
      const exchanges: Exchange[] = [];
      for (const hour of hours.values()) {
        for (let reference = newestFrom(lookupId(root), hour) ?? 0; reference !== 0;) {
          const location = locationOf(reference);
          if (location === undefined) break;
          exchanges.push(exchangeAt(location));
          reference = previousOf(location.segment.rows, location.offset);
        }
      }
      return exchanges.toSorted((a, b) => a.position - b.position);
    },

    countByRoot(root) {
      let count = 0;
      for (const hour of hours.values()) {
        const newestReference = newestFrom(lookupId(root), hour);
        const location = newestReference === undefined ? undefined : locationOf(newestReference);
        if (location !== undefined) count += countOf(location.segment.rows, location.offset);
      }
      return count;
    },

    expire(now) {
      const currentHour = hourOf(now);
      if (oldestHour >= currentHour) return;
      for (const [number, { segments }] of hours) {
        if (number >= currentHour) continue;
        hours.delete(number);
        segments.forEach(register.remove);
      }
      oldestHour = Math.min(Infinity, ...hours.keys());
    },

    *entries() {
      const sources = [...hours.values()].map(locationsIn);
      for (const location of merge(sources, ({ segment: { rows }, offset }) => positionOf(rows, offset)))
        yield exchangeAt(location);
    },

    freeze() {
      const frozenHours = [...hours.values()].map(({ revoked, ...hour }) => {
        const frozenHour: Hour = { ...hour, segments: [], revoked: new Set(revoked) };
        // Rows are only added and never change, so the bytes of the current rows can be read later.
        for (const segment of hour.segments) frozenHour.segments.push({ ...segment, hour: frozenHour });
        return frozenHour;
      });
      return frozenPieces(frozenHours);
    },
  };
}

function rowAt({ segment, offset }: Location): ExchangeRow {
  const terms = segment.hour.terms[termsNumberOf(segment.rows, offset)];
  if (terms === undefined) throw new RangeError('an exchange has unknown terms');
  return { segment, offset, terms };
}

function exchangeAt(location: Location): Exchange {
  const { segment, offset } = location;
  return readExchange(segment.rows, offset, rowAt(location).terms, {
    hourBegin: segment.hour.begin,
    isRevoked: isRevokedAt(location),
  });
}

function* frozenPieces(hours: readonly Hour[]): Generator<Uint8Array, void, void> {
  for (const hour of hours)
    for (const segment of hour.segments)
      yield* jsonPieces({
        length: segment.count,
        slice: (from, to) =>
          Array.from({ length: Math.min(to, segment.count) - from }, (_, index) =>
            exchangeAt({ segment, offset: (from + index) * EXCHANGE_BYTES }),
          ),
      });
}
