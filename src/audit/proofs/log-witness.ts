import type { TreeHead } from '../merkle/verification.ts';
import { TILE_WIDTH } from '../merkle/tile.ts';
import { fileHeadStore, HEAD_FILE, type RecordedHead, type HeadStore } from './head-file.ts';
import { fileCheckpoints, type IssuedCheckpoints, type CheckpointKeys } from './issued-checkpoints.ts';
import { fileTileStore, type TileStore } from './tile-store.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The log differs from the signed one, or has lost acknowledged events: records were changed, a disk lost them, or the
 * log was replaced. Also thrown if the evidence for the comparison is missing, damaged or contradictory.
 */
export class LogTampered extends Error {
  override readonly name = 'LogTampered';
}

const ADVICE =
  'Keep the data directory unchanged, and restore the newest backup that verifies (grantlog restore FILE DIR): ' +
  'everything recorded after it, including revocations, is lost. grantlog log repair shows the alternatives';

const SHARED_ADVICE =
  'The database was changed, was restored to an earlier point, or is a standby that lacked the newest events. Set ' +
  'GRANTLOG_LOG to the database that has them. If they are lost, restore the backup that reaches furthest: ' +
  'everything recorded after it, including revocations, is lost (docs/operations.md, recover to a point in time). ' +
  'Keep the data directories of all nodes: they show how far the log had reached';

/**
 * Evidence, stored beside the log, of what the log must contain: the recorded head, the newest checkpoint and the
 * tiles.
 */
export interface LogWitness {
  readonly newestCheckpoint: TreeHead | undefined;
  /** The checks by size. A replay calls each with the head at that size. A check that fails throws `LogTampered`. */
  readonly headChecks: ReadonlyMap<number, (head: TreeHead) => void>;
  /**
   * Checks that a log of `size` events is as long as the evidence proves.
   * @throws LogTampered if the log has lost events
   */
  assertReached(size: number): void;
}

/**
 * Collects the evidence of what the log must contain.
 * @throws LogTampered if the evidence itself is damaged or contradictory
 */
export function createLogWitness({
  checkpoints,
  recordedHead,
  tiles,
}: {
  /** Shared with the other nodes if the log is shared. */
  readonly checkpoints: Pick<IssuedCheckpoints, 'newest' | 'shared'>;
  readonly recordedHead: RecordedHead | undefined;
  readonly tiles: Pick<TileStore, 'read'>;
}): LogWitness {
  const advice = checkpoints.shared === undefined ? ADVICE : SHARED_ADVICE;
  const newestCheckpoint = readNewest(checkpoints, advice);
  const checkpointSize = newestCheckpoint?.size ?? 0;
  if (recordedHead !== undefined && recordedHead.checkpoint > checkpointSize) {
    const problem = `a checkpoint of ${recordedHead.checkpoint} records was issued`;
    throw new LogTampered(`${problem}, but the newest stored one covers ${checkpointSize}. ${advice}`);
  }
  const headChecks = new Map<number, (head: TreeHead) => void>();
  const addCheck = (expected: TreeHead, evidence: string): void => {
    if (expected.size === 0) return;
    const otherCheck = headChecks.get(expected.size);
    headChecks.set(expected.size, (head) => {
      assertSameHead(head, { expected, evidence, advice });
      otherCheck?.(head);
    });
  };
  if (recordedHead !== undefined) addCheck(recordedHead, RECORDED_BY_HEAD);
  if (newestCheckpoint !== undefined) addCheck(newestCheckpoint, SIGNED_BY_CHECKPOINT);

  return {
    newestCheckpoint,
    headChecks,
    assertReached(size) {
      if (size < checkpointSize) throw tamperedLogError(checkpointSize, SIGNED_BY_CHECKPOINT, advice);
      const acknowledgedSize = provenSize(size, recordedHead, tiles);
      if (size >= acknowledgedSize) return;
      const problem =
        `the log ends at position ${size}, but events up to position ${acknowledgedSize} were acknowledged: ` +
        `the events from position ${size + 1} on are lost`;
      throw new LogTampered(`${problem}. ${advice}`);
    },
  };
}

/**
 * Returns the number of events that a log of `size` events must have had at some time, according to the recorded head
 * and the tile that contains the next event. The result can be smaller than `size`.
 */
export function provenSize(size: number, recordedHead: TreeHead | undefined, tiles: Pick<TileStore, 'read'>): number {
  const nextTile = Math.floor(size / TILE_WIDTH);
  const provenByTiles = tiles.read(0, nextTile) === undefined ? 0 : (nextTile + 1) * TILE_WIDTH;
  return Math.max(recordedHead?.size ?? 0, provenByTiles);
}

const SIGNED_BY_CHECKPOINT = 'were signed in a checkpoint';
const RECORDED_BY_HEAD = 'existed when the head was recorded';

function readNewest(checkpoints: Pick<IssuedCheckpoints, 'newest'>, advice: string): TreeHead | undefined {
  try {
    return checkpoints.newest();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== undefined) throw cause; // an I/O error
    throw new LogTampered(`the newest checkpoint differs from the one that this server stored. ${advice}`, { cause });
  }
}

interface HeadExpectation {
  readonly expected: TreeHead;
  /** The kind of evidence, as the end of a clause that starts with "the records that". */
  readonly evidence: string;
  readonly advice: string;
}

function assertSameHead(head: TreeHead, { expected, evidence, advice }: HeadExpectation): void {
  if (head.size === expected.size && Buffer.compare(expected.rootHash, head.rootHash) === 0) return;
  throw tamperedLogError(expected.size, evidence, advice);
}

function tamperedLogError(size: number, evidence: string, advice: string): LogTampered {
  const problem = `the first ${size} records of the log differ from those that ${evidence}`;
  return new LogTampered(`${problem}: records were changed or removed. ${advice}`);
}

const HEAD_ADVICE =
  'Without it, nothing shows whether the end of the log is missing. Keep the data directory unchanged. grantlog log ' +
  'repair --accept-loss checks everything else and records the head again. Alternatively, restore a backup (grantlog ' +
  'restore FILE DIR)';

const SHARED_HEAD_ADVICE =
  'The log is in a database, and this file is evidence of how far the log had reached. Keep a copy of the file, ' +
  'remove the original, and run grantlog log verify: it compares the log with its checkpoints';

const OTHER_COPY = 'the server uses the other copy and will rewrite the damaged one';

/**
 * Reads the recorded head. If one of its two copies is damaged, reports that and uses the other copy.
 * @param mayBeMissing true if the log is empty or shared, or was written by an earlier release
 * @throws LogTampered if the head is missing and `mayBeMissing` is false, or if neither copy can be read
 */
export function readRecordedHead(
  heads: HeadStore,
  {
    mayBeMissing,
    isShared,
    notice,
  }: {
    readonly mayBeMissing: boolean;
    /** Whether other nodes share the log. */
    readonly isShared: boolean;
    readonly notice: (line: string) => void;
  },
): RecordedHead | undefined {
  const storedHead = heads.read();
  if (storedHead === undefined && mayBeMissing) return undefined;
  const file = `${heads.name}, which records the length of the log,`;
  if (storedHead === undefined) throw new LogTampered(`${file} is missing. ${HEAD_ADVICE}`);
  if (storedHead.head === undefined)
    throw new LogTampered(`${file} is damaged. ${isShared ? SHARED_HEAD_ADVICE : HEAD_ADVICE}`);
  if (storedHead.damagedCopies > 0) notice(`one of the two copies in ${heads.name} is damaged; ${OTHER_COPY}`);
  return storedHead.head;
}

/**
 * Returns a function that takes the position where the log ends, and returns the last position that is known to have
 * been acknowledged, according to the recorded head, the newest checkpoint and the tiles in `dataDir`. Writes nothing.
 * Ignores all checkpoints if the newest cannot be read or verified, because the server then refuses to start anyway.
 */
export function readKnownEvents(dataDir: string, keys: CheckpointKeys): (end: number) => number {
  const recordedHead = fileHeadStore(join(dataDir, HEAD_FILE), keys.attestation).read()?.head;
  const signedSize = readCheckpointSize(join(dataDir, 'checkpoints'), keys);
  const tiles = fileTileStore(dataDir);
  return (end) => Math.max(signedSize, provenSize(end, recordedHead, tiles));
}

function readCheckpointSize(directory: string, keys: CheckpointKeys): number {
  if (!existsSync(directory)) return 0;
  try {
    return fileCheckpoints(directory, keys).newest()?.size ?? 0;
  } catch {
    return 0;
  }
}
