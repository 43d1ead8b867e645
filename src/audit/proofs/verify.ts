import { audit, type AuditFinding, type AuditSummary } from '../rules/auditor.ts';
import { LogDamaged, START, type EventLog, type Position, type RecordedEvent } from '../../event-store/event-log.ts';
import { HASH_BYTES, leafHash } from '../merkle/hashing.ts';
import { isFullTile, TILE_WIDTH, type TileRow } from '../merkle/tile.ts';
import { emptyTree } from '../merkle/tree.ts';
import type { TreeHead } from '../merkle/verification.ts';
import type { HeadStore, StoredHead } from './head-file.ts';
import type { IssuedCheckpoints, IssuedEntry } from './issued-checkpoints.ts';
import type { TileStore } from './tile-store.ts';

/** A log as it lies there, with all that vouches for it; nothing is replayed to look at it. */
export interface Inspection {
  readonly log: Pick<EventLog, 'readAll' | 'head' | 'archive' | 'checkFiles' | 'checkIndex'>;
  readonly tiles: Pick<TileStore, 'read'>;
  readonly checkpoints: Pick<IssuedCheckpoints, 'count' | 'entries'>;
  /** The recorded head; undefined while a backup is restored. */
  readonly heads: Pick<HeadStore, 'name' | 'read'> | undefined;
}

/** Something that is not as it was written, and where; the first one is where to look. */
export interface Damage {
  readonly damage: string;
  readonly position: number;
}

export interface VerifyProgress {
  readonly verified: number;
  readonly head: number;
}

export interface Verified {
  readonly size: number;
  readonly root: string;
  readonly checkpoints: number;
  readonly tiles: number;
}

export type VerifyItem = Damage | VerifyProgress | Verified | AuditFinding | AuditSummary;

/**
 * Holds every file of the log against its checksums and seals, the index of streams against the records, every record
 * against the tree it was sealed in, every full tile, every checkpoint issued and the recorded head against the
 * records, and the whole against the rules of the audit. What it yields last, besides the audit's summary, is what was
 * verified; any Damage or finding before it means that it was not.
 */
export async function* verifyLog(inspection: Inspection, signal: AbortSignal): AsyncGenerator<VerifyItem, void, void> {
  const sealed = createEvidenceCheck(inspection);
  const head = inspection.log.head();
  let last: Position = START;

  async function* recordsOnTheirWay(): AsyncGenerator<readonly RecordedEvent[], void, void> {
    try {
      for await (const events of inspection.log.readAll(START)) {
        sealed.take(events);
        last = events.at(-1)?.position ?? last;
        yield events;
      }
    } catch (error) {
      throw error instanceof LogDamaged
        ? error
        : new LogDamaged((last + 1) as Position, `it cannot be read (${String(error)})`, { cause: error });
    }
  }

  const { log } = inspection;
  for await (const { message, position } of log.checkFiles?.(signal) ?? []) yield { damage: message, position };
  for await (const { message, position } of log.archive?.check(signal) ?? []) yield { damage: message, position };
  try {
    for await (const item of audit(recordsOnTheirWay(), { signal })) {
      yield* sealed.found();
      yield item;
    }
    yield* sealed.found();
    for await (const { message, position } of inspection.log.checkIndex?.(signal) ?? [])
      yield { damage: message, position };
    yield { verified: last, head };
    yield* sealed.conclude();
  } catch (error) {
    yield* sealed.found();
    if (!(error instanceof LogDamaged)) throw error;
    yield { damage: error.message, position: error.position };
  }
}

/** The files that the records of a log are compared with. */
export type Evidence = Pick<Inspection, 'tiles' | 'heads'> & {
  readonly checkpoints: Pick<IssuedCheckpoints, 'entries'>;
};

/** Takes every record in order and finds the tiles, checkpoints and recorded head that do not agree with them. */
export function createEvidenceCheck({ tiles, checkpoints, heads }: Evidence) {
  const tree = emptyTree();
  const issued = checkpoints.entries();
  const recorded = heads?.read();
  const damages: Damage[] = [];
  const counted = { checkpoints: 0, tiles: 0 };
  let waiting: Buffer[] = [];
  let soundUpTo = 0;
  let firstDamaged = Infinity;
  const damagedTiles = new Set<string>();
  let next = nextIssued();

  function report(damage: string, position: number): void {
    firstDamaged = Math.min(firstDamaged, position);
    damages.push({ damage, position });
  }

  /** Reports damaged entries before it: their sizes are not known. */
  function nextIssued(): TreeHead | undefined {
    for (let entry = nextEntry(issued); entry !== undefined; entry = nextEntry(issued)) {
      if ('head' in entry) return entry.head;
      report(entry.problem, soundUpTo + 1);
    }
    return undefined;
  }

  function addWaiting(): void {
    for (const row of tree.append(waiting)) compareTile(row);
    waiting = [];
  }

  /**
   * Also the beginning of a tile: at a checkpoint it tells which record it is that was changed. A tile
   * that is not kept is no damage: it is made again from the records.
   */
  function compareTile(row: TileRow): void {
    const { level, index, hashes } = row;
    const kept = tiles.read(level, index);
    if (kept === undefined) return;
    const isFull = isFullTile(row);
    if (isFull) counted.tiles += 1;
    const name = `${level}/${index}`;
    if (damagedTiles.has(name) || (isFull ? kept : kept.subarray(0, hashes.length)).equals(hashes)) return;
    damagedTiles.add(name);
    const at = firstDifference(kept, hashes);
    const first = (index * TILE_WIDTH + at) * TILE_WIDTH ** level + 1;
    const what =
      level === 0
        ? 'the record is not the one that was sealed'
        : `a record from here to ${first + TILE_WIDTH ** level - 1} is not the one that was sealed`;
    report(`${what}, or tile ${index} of level ${level} was changed`, first);
  }

  function compareWith(known: TreeHead, name: string): void {
    if (tree.root().equals(known.rootHash)) {
      soundUpTo = known.size;
      return;
    }
    const position = firstDamaged <= known.size ? firstDamaged : soundUpTo + 1;
    report(`${name}: the records before it are not those that were signed`, position);
  }

  function compareAt(position: number): void {
    addWaiting();
    if (recorded?.head?.size === position) compareWith(recorded.head, heads?.name ?? '');
    if (next?.size !== position) return;
    counted.checkpoints += 1;
    compareWith(next, `checkpoint ${position}`);
    next = nextIssued();
  }

  return {
    take(events: readonly Pick<RecordedEvent, 'record' | 'position'>[]): void {
      for (const { record, position } of events) {
        waiting.push(leafHash(record));
        if (position === next?.size || position === recorded?.head?.size) compareAt(position);
        else if (waiting.length === TILE_WIDTH) addWaiting();
      }
    },
    found(): readonly Damage[] {
      return damages.splice(0);
    },
    /** Over all the records so far. */
    root(): Buffer {
      addWaiting();
      return tree.root();
    },
    *conclude(): Generator<VerifyItem, void, void> {
      addWaiting();
      yield* damages.splice(0);
      const end = tree.size + 1;
      const beyond = `a checkpoint vouches for ${next?.size ?? 0} records, and the log ends before`;
      if (next !== undefined) yield { damage: beyond, position: end };
      for (const damage of headProblems(recorded, tree.size, heads?.name ?? '')) yield { damage, position: end };
      yield { size: tree.size, root: tree.root().toString('base64'), ...counted };
    },
  };
}

function nextEntry(entries: Iterator<IssuedEntry, void>): IssuedEntry | undefined {
  const { value } = entries.next();
  return value ?? undefined;
}

function* headProblems(recorded: StoredHead | undefined, size: number, name: string): Generator<string, void, void> {
  if (recorded === undefined) return;
  const { head, damagedCopies: damaged } = recorded;
  if (damaged > 0 && head !== undefined) yield `one of the two copies in ${name} is damaged`;
  if (head === undefined) yield `${name} is damaged: neither copy of the recorded head can be read`;
  if (head === undefined || head.size <= size) return;
  yield `${name} says that events up to position ${head.size} were acknowledged, and the log ends before`;
}

function firstDifference(kept: Buffer, computed: Buffer): number {
  for (let at = 0; at < TILE_WIDTH; at += 1) {
    const range = [at * HASH_BYTES, (at + 1) * HASH_BYTES] as const;
    if (!kept.subarray(...range).equals(computed.subarray(...range))) return at;
  }
  return 0;
}
