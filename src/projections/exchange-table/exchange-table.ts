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
  createIdEncoder,
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
 * Exchanges by grant, packed like access tokens. Each takes about 170 bytes with the indexes, instead of a kilobyte as
 * an object. Exchanges that expire in the same hour are removed together, without visiting each one.
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
  /** Functions that each read one part of an exchange from its row. */
  readonly read: {
    isRevoked(row: ExchangeRow): boolean;
    actor(row: ExchangeRow): Exchange['actor'];
    parent(row: ExchangeRow): Pick<Exchange, 'userId' | 'parent'>;
  };
  /** Returns the exchanges that descend from the grant, at any depth, oldest first. */
  listByRoot(root: GrantId): readonly Exchange[];
  countByRoot(root: GrantId): number;
  /** Removes the exchanges that expired in an hour that ended before `now` (seconds since the epoch). */
  expire(now: number): void;
  /** Yields the exchanges, oldest first. */
  entries(): Iterable<Exchange>;
  freeze(): Iterable<Uint8Array>;
}

/** The location of an exchange's row, and the terms of the exchange. */
export interface ExchangeRow {
  readonly segment: Segment;
  readonly offset: number;
  readonly terms: ExchangeTerms;
}

interface RootAndHour {
  readonly root: StoredId;
  readonly hour: Hour;
}

export function createExchangeTable(): ExchangeTable {
  const hours = new Map<number, Hour>();
  const register = createSegmentRegister<Segment>();
  const exists = (reference: number): boolean => locationOf(reference) !== undefined;
  const byId = createHashIndex(exists);
  /** The newest exchange for each root and hour. Its row refers to the previous exchange for that root and hour. */
  const byRoot = createHashIndex(exists);
  const encodeId = createIdEncoder();
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

  function hasRootAndHour(reference: number, { root, hour }: RootAndHour): boolean {
    const location = locationOf(reference);
    return (
      location !== undefined &&
      location.segment.hour === hour &&
      isSameId(rootId(location.segment.rows, location.offset), root)
    );
  }

  /**
   * Returns a reference to the newest exchange that descends from the root and expires in the hour, or undefined if no
   * exchange does.
   */
  function findNewest(root: StoredId, hour: Hour): number | undefined {
    return byRoot.find(wordOf(root), { root, hour }, hasRootAndHour);
  }

  return {
    insert(exchange) {
      const number = hourOf(exchange.expiresAt);
      const hour = hourFor(number);
      const segment = makeRoom(hour, register);
      const { rows, count: row } = segment;
      const offset = row * EXCHANGE_BYTES;
      const newestReference = findNewest(encodeId(exchange.root.grantId), hour);
      const previousLocation = newestReference === undefined ? undefined : locationOf(newestReference);
      writeExchange(rows, offset, exchange, {
        expirySecond: exchange.expiresAt - hour.start,
        termsNumber: internTerms(termsOf(exchange), hour),
        previousReference: newestReference ?? 0,
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
      locate(encodeId(grantId))?.segment.hour.revoked.add(grantId);
    },

    find(grantId) {
      const location = locate(encodeId(grantId));
      return location && exchangeAt(location);
    },

    locate: (grantId) => locate(encodeId(grantId)),
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
        for (let reference = findNewest(encodeId(root), hour) ?? 0; reference !== 0;) {
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
        const newestReference = findNewest(encodeId(root), hour);
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
  const termsNumber = termsNumberOf(segment.rows, offset);
  const terms = segment.hour.terms[termsNumber];
  if (terms === undefined)
    throw new RangeError(`the row of an exchange refers to terms ${termsNumber}, which do not exist`);
  return { segment, offset, terms };
}

function exchangeAt(location: Location): Exchange {
  const { segment, offset } = location;
  return readExchange(segment.rows, offset, rowAt(location).terms, {
    hourStart: segment.hour.start,
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
