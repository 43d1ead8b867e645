import type { TreeHead } from '../merkle/verification.ts';
import { TILE_WIDTH } from '../merkle/tile.ts';
import type { RecordedHead } from './head-file.ts';
import type { IssuedCheckpoints } from './issued-checkpoints.ts';
import type { TileStore } from './tile-store.ts';

/**
 * The log differs from the signed one, or has lost acknowledged events: records were changed, a disk lost them, or the
 * log was replaced. Also thrown if the evidence for that comparison is missing, damaged or contradictory.
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
  /** The checks by size. A replay calls each with the head at its size. A check that fails throws `LogTampered`. */
  readonly headChecks: ReadonlyMap<number, (head: TreeHead) => void>;
  /**
   * Checks that the log has reached every size that the evidence proves.
   * @throws LogTampered if a log of `size` events has lost events
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
    if (expected.size > 0)
      headChecks.set(expected.size, (head) => assertSameHead(head, { expected, evidence, advice }));
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
        `the events from ${size + 1} on are lost`;
      throw new LogTampered(`${problem}. ${advice}`);
    },
  };
}

/**
 * Returns how many events a log that now ends after `size` must have had, according to the recorded head and the next
 * tile.
 */
export function provenSize(size: number, recordedHead: TreeHead | undefined, tiles: Pick<TileStore, 'read'>): number {
  const nextTile = Math.floor(size / TILE_WIDTH);
  const provenByTiles = tiles.read(0, nextTile) === undefined ? 0 : (nextTile + 1) * TILE_WIDTH;
  return Math.max(recordedHead?.size ?? 0, provenByTiles);
}

const SIGNED_BY_CHECKPOINT = 'were signed in a checkpoint';
const RECORDED_BY_HEAD = 'existed when its head was recorded';

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
  /** The kind of evidence, as the end of a sentence about the records. */
  readonly evidence: string;
  readonly advice: string;
}

function assertSameHead(head: TreeHead, { expected, evidence, advice }: HeadExpectation): void {
  if (head.size === expected.size && Buffer.compare(expected.rootHash, head.rootHash) === 0) return;
  throw tamperedLogError(expected.size, evidence, advice);
}

function tamperedLogError(size: number, evidence: string, advice: string): LogTampered {
  const problem = `the log's first ${size} records are not those that ${evidence}`;
  return new LogTampered(`${problem}: they were changed or removed. ${advice}`);
}
