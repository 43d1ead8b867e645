import type { KeyObject } from 'node:crypto';
import { audit, type AuditFinding, type AuditSummary } from '../audit/auditor.ts';
import { LogDamaged, START, type EventLog, type Position, type RecordedEvent } from '../eventsourcing/event-log.ts';
import { openCheckpoint } from '../transparency/checkpoint.ts';
import { HASH_BYTES, leafHash } from '../transparency/hashing.ts';
import { createNoteSigner, parseVerifierKey } from '../transparency/note-key.ts';
import { isFullTile, TILE_WIDTH, type TileRow } from '../transparency/tile.ts';
import { emptyTree } from '../transparency/tree.ts';
import type { TreeHead } from '../transparency/verification.ts';
import type { Checkpoints } from './checkpoints.ts';
import type { TileStore } from './tile-store.ts';

/** A log as it lies there, with all that vouches for it; nothing is replayed to look at it. */
export interface Inspection {
  readonly log: Pick<EventLog, 'readAll' | 'head' | 'archive' | 'checkIndex'>;
  readonly tiles: Pick<TileStore, 'read'>;
  readonly checkpoints: Pick<Checkpoints, 'sizes' | 'find'>;
  /** Its checkpoints are signed with this key. */
  readonly key: KeyObject;
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
 * Holds every archived file against its seal, the index of streams against the records, every record against the tree it was sealed in, every full tile and every signed checkpoint
 * against the records, and the whole against the rules of the audit. What it yields last, besides the
 * audit's summary, is what was verified; any Damage or finding before it means that it was not.
 */
export async function* verifyLog(inspection: Inspection, signal: AbortSignal): AsyncGenerator<VerifyItem, void, void> {
  const sealed = createSealCheck(inspection);
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
      throw error instanceof LogDamaged ? error : new LogDamaged((last + 1) as Position, `it cannot be read (${String(error)})`, { cause: error });
    }
  }

  for await (const { message, position } of inspection.log.archive?.check(signal) ?? []) yield { damage: message, position };
  try {
    for await (const item of audit(recordsOnTheirWay(), { signal })) {
      yield* sealed.found();
      yield item;
    }
    yield* sealed.found();
    for await (const { message, position } of inspection.log.checkIndex?.(signal) ?? []) yield { damage: message, position };
    yield { verified: last, head };
    yield* sealed.conclude();
  } catch (error) {
    yield* sealed.found();
    if (!(error instanceof LogDamaged)) throw error;
    yield { damage: error.message, position: error.position };
  }
}

/** Told every record in order, it finds the tiles and checkpoints that do not agree with them. */
export function createSealCheck({ tiles, checkpoints, key }: Omit<Inspection, 'log'>) {
  const tree = emptyTree();
  const sizes = new Set(checkpoints.sizes());
  const damages: Damage[] = [];
  const counted = { checkpoints: 0, tiles: 0 };
  let waiting: Buffer[] = [];
  let soundUpTo = 0;
  let firstDamaged = Infinity;
  const damagedTiles = new Set<string>();

  function report(damage: string, position: number): void {
    firstDamaged = Math.min(firstDamaged, position);
    damages.push({ damage, position });
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
    const what = level === 0 ? 'the record is not the one that was sealed' : `a record from here to ${first + TILE_WIDTH ** level - 1} is not the one that was sealed`;
    report(`${what}, or tile ${index} of level ${level} was changed`, first);
  }

  function compareCheckpoint(head: TreeHead): void {
    counted.checkpoints += 1;
    const problem = checkpointProblem(checkpoints.find(head.size) ?? '', head, key);
    if (problem === undefined) soundUpTo = head.size;
    else report(`checkpoint ${head.size}: ${problem}`, firstDamaged <= head.size ? firstDamaged : soundUpTo + 1);
  }

  return {
    take(events: readonly RecordedEvent[]): void {
      for (const { record, position } of events) {
        waiting.push(leafHash(record));
        const isSigned = sizes.delete(position);
        if (isSigned || waiting.length === TILE_WIDTH) addWaiting();
        if (isSigned) compareCheckpoint({ size: tree.size, rootHash: tree.root() });
      }
    },
    found(): readonly Damage[] {
      return damages.splice(0);
    },
    *conclude(): Generator<VerifyItem, void, void> {
      addWaiting();
      yield* damages.splice(0);
      const missing = Math.min(...sizes);
      if (sizes.size > 0) yield { damage: `a checkpoint vouches for ${missing} records, and the log ends before`, position: tree.size + 1 };
      yield { size: tree.size, root: tree.root().toString('base64'), ...counted };
    },
  };
}

function checkpointProblem(note: string, head: TreeHead, key: KeyObject): string | undefined {
  try {
    const signer = createNoteSigner(note.split('\n', 1)[0] ?? '', key);
    const signed = openCheckpoint(note, parseVerifierKey(signer.verifierKey));
    const agrees = signed.size === head.size && Buffer.compare(signed.rootHash, head.rootHash) === 0;
    return agrees ? undefined : 'the records before it are not those that were signed';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function firstDifference(kept: Buffer, computed: Buffer): number {
  for (let at = 0; at < TILE_WIDTH; at += 1) {
    const range = [at * HASH_BYTES, (at + 1) * HASH_BYTES] as const;
    if (!kept.subarray(...range).equals(computed.subarray(...range))) return at;
  }
  return 0;
}
