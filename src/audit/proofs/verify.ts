import { audit, type AuditFinding, type AuditSummary } from '../rules/auditor.ts';
import { LogDamaged, START, type EventLog, type Position, type RecordedEvent } from '../../event-store/event-log.ts';
import { HASH_BYTES, leafHash } from '../merkle/hashing.ts';
import { isFullTile, TILE_WIDTH, type Tile } from '../merkle/tile.ts';
import { emptyTree } from '../merkle/tree.ts';
import type { TreeHead } from '../merkle/verification.ts';
import type { HeadStore, StoredHead } from './head-file.ts';
import type { IssuedCheckpoints, IssuedEntry } from './issued-checkpoints.ts';
import type { TileStore } from './tile-store.ts';

/** A stored log and its evidence, opened without replaying the log. */
export interface Inspection {
  readonly log: Pick<EventLog, 'readAll' | 'head' | 'archive' | 'checkFiles' | 'checkIndex'>;
  readonly tiles: Pick<TileStore, 'read'>;
  readonly checkpoints: Pick<IssuedCheckpoints, 'count' | 'entries'>;
  /** The recorded head; undefined while a backup is being restored. */
  readonly heads: Pick<HeadStore, 'name' | 'read'> | undefined;
}

/**
 * A difference between the stored data and the data originally written, with its position. The first difference is
 * usually the cause of the others.
 */
export interface Damage {
  readonly damage: string;
  readonly position: number;
}

export interface VerifyProgress {
  readonly verified: number;
  readonly head: number;
}

export interface VerifiedLog {
  readonly size: number;
  readonly root: string;
  readonly checkpoints: number;
  readonly tiles: number;
}

export type VerifyItem = Damage | VerifyProgress | VerifiedLog | AuditFinding | AuditSummary;

/**
 * Verifies all files against their checksums and seals, the stream index against the records, and the records against
 * the tiles, checkpoints and recorded head. Also audits the log. The log is intact if this yields neither `Damage` nor
 * a finding. `VerifiedLog` comes last, after the audit summary. If the records cannot be read because of damage, yields
 * neither the audit summary nor `VerifiedLog`.
 */
export async function* verifyLog(inspection: Inspection, signal: AbortSignal): AsyncGenerator<VerifyItem, void, void> {
  const evidence = createEvidenceCheck(inspection);
  let lastPosition: Position = START;

  async function* checkedRecords(): AsyncGenerator<readonly RecordedEvent[], void, void> {
    try {
      for await (const events of inspection.log.readAll(START)) {
        evidence.addRecords(events);
        lastPosition = events.at(-1)?.position ?? lastPosition;
        yield events;
      }
    } catch (error) {
      throw error instanceof LogDamaged
        ? error
        : new LogDamaged((lastPosition + 1) as Position, `the event cannot be read (${String(error)})`, {
            cause: error,
          });
    }
  }

  const { log } = inspection;
  for await (const { message, position } of log.checkFiles?.(signal) ?? []) yield { damage: message, position };
  for await (const { message, position } of log.archive?.check(signal) ?? []) yield { damage: message, position };
  try {
    const head = log.head();
    for await (const item of audit(checkedRecords(), { signal })) {
      yield* evidence.takeDamage();
      yield item;
    }
    yield* evidence.takeDamage();
    for await (const { message, position } of inspection.log.checkIndex?.(signal) ?? [])
      yield { damage: message, position };
    yield { verified: lastPosition, head };
    yield* evidence.conclude();
  } catch (error) {
    yield* evidence.takeDamage();
    if (!(error instanceof LogDamaged)) throw error;
    yield { damage: error.message, position: error.position };
  }
}

/** The evidence that the records of a log are compared with. */
export type Evidence = Pick<Inspection, 'tiles' | 'heads'> & {
  readonly checkpoints: Pick<IssuedCheckpoints, 'entries'>;
};

/**
 * Creates a check that receives every record in order, and reports the tiles, the checkpoints and the recorded head
 * that contradict the records.
 */
export function createEvidenceCheck({ tiles, checkpoints, heads }: Evidence) {
  const tree = emptyTree();
  const issuedEntries = checkpoints.entries();
  const storedHead = heads?.read();
  const defects: Damage[] = [];
  const counts = { checkpoints: 0, tiles: 0 };
  let pendingLeaves: Buffer[] = [];
  let lastMatchingSize = 0;
  let firstDamagedPosition = Infinity;
  const damagedTiles = new Set<string>();
  let nextCheckpoint = readNextCheckpoint();

  function report(damage: string, position: number): void {
    firstDamagedPosition = Math.min(firstDamagedPosition, position);
    defects.push({ damage, position });
  }

  /** Returns the next readable checkpoint. Reports the damaged entries before it, whose sizes are unknown. */
  function readNextCheckpoint(): TreeHead | undefined {
    for (let entry = nextEntry(issuedEntries); entry !== undefined; entry = nextEntry(issuedEntries)) {
      if ('head' in entry) return entry.head;
      report(entry.problem, lastMatchingSize + 1);
    }
    return undefined;
  }

  function appendPending(): void {
    for (const tile of tree.append(pendingLeaves)) compareTile(tile);
    pendingLeaves = [];
  }

  /**
   * Compares a tile with the stored full tile. At a checkpoint, compares a partial tile with the start of the stored
   * tile, to identify the changed record. A missing tile is not damage, because the records suffice to recompute it.
   */
  function compareTile(tile: Tile): void {
    const { level, index, hashes } = tile;
    const storedHashes = tiles.read(level, index);
    if (storedHashes === undefined) return;
    const isFull = isFullTile(tile);
    if (isFull) counts.tiles += 1;
    const name = `${level}/${index}`;
    if (damagedTiles.has(name) || (isFull ? storedHashes : storedHashes.subarray(0, hashes.length)).equals(hashes))
      return;
    damagedTiles.add(name);
    const hashIndex = findFirstDifference(storedHashes, hashes);
    const firstPosition = (index * TILE_WIDTH + hashIndex) * TILE_WIDTH ** level + 1;
    const records =
      level === 0 ? 'the record' : `one of the records ${firstPosition} to ${firstPosition + TILE_WIDTH ** level - 1}`;
    report(`${records} or tile ${index} at level ${level} has been changed`, firstPosition);
  }

  function compareWith(expected: TreeHead, name: string): void {
    if (tree.root().equals(expected.rootHash)) {
      lastMatchingSize = expected.size;
      return;
    }
    const position = firstDamagedPosition <= expected.size ? firstDamagedPosition : lastMatchingSize + 1;
    report(`${name}: the records that it covers have been changed or removed`, position);
  }

  function compareAt(position: number): void {
    appendPending();
    if (storedHead?.head?.size === position) compareWith(storedHead.head, heads?.name ?? '');
    if (nextCheckpoint?.size !== position) return;
    counts.checkpoints += 1;
    compareWith(nextCheckpoint, `checkpoint ${position}`);
    nextCheckpoint = readNextCheckpoint();
  }

  return {
    addRecords(events: readonly Pick<RecordedEvent, 'record' | 'position'>[]): void {
      for (const { record, position } of events) {
        pendingLeaves.push(leafHash(record));
        if (position === nextCheckpoint?.size || position === storedHead?.head?.size) compareAt(position);
        else if (pendingLeaves.length === TILE_WIDTH) appendPending();
      }
    },
    /** Returns the damage found since the previous call. */
    takeDamage(): readonly Damage[] {
      return defects.splice(0);
    },
    /** Returns the tree's root after all records so far. */
    root(): Buffer {
      appendPending();
      return tree.root();
    },
    *conclude(): Generator<VerifyItem, void, void> {
      appendPending();
      yield* defects.splice(0);
      const end = tree.size + 1;
      const problem = `a checkpoint covers ${nextCheckpoint?.size ?? 0} records, but the log ends earlier`;
      if (nextCheckpoint !== undefined) yield { damage: problem, position: end };
      for (const damage of findHeadProblems(storedHead, tree.size, heads?.name ?? '')) yield { damage, position: end };
      yield { size: tree.size, root: tree.root().toString('base64'), ...counts };
    },
  };
}

function nextEntry(entries: Iterator<IssuedEntry, void>): IssuedEntry | undefined {
  const { value } = entries.next();
  return value ?? undefined;
}

function* findHeadProblems(
  storedHead: StoredHead | undefined,
  size: number,
  name: string,
): Generator<string, void, void> {
  if (storedHead === undefined) return;
  const { head, damagedCopies } = storedHead;
  if (damagedCopies > 0 && head !== undefined) yield `one of the two copies in ${name} is damaged`;
  if (head === undefined) yield `${name} is damaged: neither copy of the recorded head can be read`;
  if (head === undefined || head.size <= size) return;
  yield `${name} shows that events up to position ${head.size} were acknowledged, but the log ends earlier`;
}

function findFirstDifference(storedHashes: Buffer, computedHashes: Buffer): number {
  for (let index = 0; index < TILE_WIDTH; index += 1) {
    const range = [index * HASH_BYTES, (index + 1) * HASH_BYTES] as const;
    if (!storedHashes.subarray(...range).equals(computedHashes.subarray(...range))) return index;
  }
  return 0;
}
