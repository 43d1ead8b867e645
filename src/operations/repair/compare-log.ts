import { OperationRefused } from '../control/operation-refused.ts';
import type { StoredHead, RecordedHead } from '../../audit/proofs/head-file.ts';
import type { IssuedEntry } from '../../audit/proofs/issued-checkpoints.ts';
import { provenSize } from '../../audit/proofs/log-witness.ts';
import type { DataDirectory } from '../../composition/data-directory.ts';
import { LogDamaged, START } from '../../event-store/event-log.ts';
import { leafHash } from '../../audit/merkle/hashing.ts';
import { isFullTile, TILE_WIDTH, type Tile } from '../../audit/merkle/tile.ts';
import { emptyTree } from '../../audit/merkle/tree.ts';
import type { TreeHead } from '../../audit/merkle/verification.ts';

/** The result of comparing the files beside the log with its records. */
export interface Comparison {
  readonly head: TreeHead;
  /** Describes the events that are or may be lost, if any. */
  readonly loss: string | undefined;
  readonly headProblem: string | undefined;
  /** All issued checkpoints, including a lost one whose size is in the recorded head. The records agree with them. */
  readonly issuedCheckpoints: readonly TreeHead[];
  readonly issuedProblems: readonly string[];
  /** The correct contents of damaged tiles. */
  readonly correctedTiles: readonly Tile[];
}

type ComparedFiles = Pick<DataDirectory, 'log' | 'tiles' | 'checkpoints' | 'heads' | 'keys'>;

/**
 * Compares the files beside the log with its records.
 * @throws OperationRefused if the records are damaged, differ from the signed records, or end before a checkpoint; only
 *   a backup helps in these cases
 */
export async function compareLog(data: ComparedFiles): Promise<Comparison> {
  const storedHead = data.heads.read();
  const recordedHead = storedHead?.head;
  const entries = [...data.checkpoints.entries()];
  const checkpoints = entries.flatMap((entry) => ('head' in entry ? [entry.head] : []));
  const lostSize = lostCheckpointSize(recordedHead, checkpoints.at(-1)?.size ?? 0);
  const sizes = [...checkpoints.map(({ size }) => size), ...(lostSize === undefined ? [] : [lostSize])];
  const { roots, head, correctedTiles } = await replayTree(data, new Set([...sizes, recordedHead?.size ?? 0]));

  const issuedCheckpoints = sizes.map((size) => ({ size, rootHash: requireRoot(size, roots) }));
  for (const checkpoint of checkpoints)
    requireSameRoot(checkpoint, roots, `checkpoint ${checkpoint.size} covers different records`);
  if (recordedHead !== undefined)
    requireSameRoot(recordedHead, roots, `${data.heads.name} refers to different records`);
  return {
    head,
    issuedCheckpoints,
    correctedTiles,
    loss: describeLoss(data, storedHead, head.size),
    headProblem: describeHeadProblem(storedHead, data.heads.name),
    issuedProblems: [
      ...entries.flatMap((entry: IssuedEntry) => ('problem' in entry ? [entry.problem] : [])),
      ...(lostSize === undefined ? [] : [`the checkpoint of ${lostSize} records is missing`]),
    ],
  };
}

/** Returns the size of the newest checkpoint according to the recorded head, if its entry is missing. */
function lostCheckpointSize(recordedHead: RecordedHead | undefined, newestSize: number): number | undefined {
  return recordedHead !== undefined && recordedHead.checkpoint > newestSize ? recordedHead.checkpoint : undefined;
}

/** Returns the log's head, its roots at the `sizes` that it reaches, and the correct contents of damaged tiles. */
async function replayTree({ log, tiles }: ComparedFiles, sizes: ReadonlySet<number>) {
  const tree = emptyTree();
  const roots = new Map<number, Buffer>();
  const correctedTiles: Tile[] = [];
  let pendingHashes: Buffer[] = [];

  function addPendingHashes(): void {
    for (const tile of tree.append(pendingHashes)) {
      const storedTile = isFullTile(tile) ? tiles.read(tile.level, tile.index) : undefined;
      if (storedTile !== undefined && !storedTile.equals(tile.hashes)) correctedTiles.push(tile);
    }
    pendingHashes = [];
  }

  try {
    for await (const events of log.readAll(START)) {
      for (const { record, position } of events) {
        pendingHashes.push(leafHash(record));
        if (!sizes.has(position) && pendingHashes.length < TILE_WIDTH) continue;
        addPendingHashes();
        if (sizes.has(position)) roots.set(position, tree.root());
      }
    }
  } catch (error) {
    throw error instanceof LogDamaged ? notRepairableError(error.message) : error;
  }
  addPendingHashes();
  return { roots, correctedTiles, head: { size: tree.size, rootHash: tree.root() } };
}

function requireRoot(size: number, roots: ReadonlyMap<number, Buffer>): Buffer {
  const root = roots.get(size);
  if (root !== undefined) return root;
  const problem = `a checkpoint of ${size} records was issued, but the log is shorter`;
  throw notRepairableError(`${problem}: if it grew to that size again, it would contradict the checkpoint`);
}

/** Throws if the log had a different root at that size. Does nothing if the log does not reach that size. */
function requireSameRoot({ size, rootHash }: TreeHead, roots: ReadonlyMap<number, Buffer>, problem: string): void {
  if (roots.get(size)?.equals(rootHash) === false) throw notRepairableError(problem);
}

/** Returns the refusal for a repair that needs a backup. */
export function notRepairableError(reason: string): OperationRefused {
  return new OperationRefused(
    `this cannot be repaired without a backup: ${reason}. Keep the data directory as it is, and restore the newest ` +
      'backup that verifies (grantlog restore FILE DIR)',
  );
}

function describeLoss(
  { heads, keys, tiles }: ComparedFiles,
  storedHead: StoredHead | undefined,
  size: number,
): string | undefined {
  const provenEnd = provenSize(size, storedHead?.head, tiles);
  if (provenEnd > size)
    return `the log ends at position ${size}, but events up to position ${provenEnd} were acknowledged`;
  const isHeadOptional = storedHead === undefined && (size === 0 || keys.needsUpgrade);
  if (storedHead?.head !== undefined || isHeadOptional) return undefined;
  const problem = describeHeadProblem(storedHead, `${heads.name}, which records where it should end,`);
  return `the log ends at position ${size}, and ${problem ?? ''}, so later events may be missing`;
}

function describeHeadProblem(storedHead: StoredHead | undefined, name: string): string | undefined {
  if (storedHead === undefined) return `${name} is missing`;
  return storedHead.damagedCopies > 0 ? `${name} is damaged` : undefined;
}
