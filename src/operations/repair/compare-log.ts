import { OperationRefused } from '../control/operation-refused.ts';
import type { StoredHead, RecordedHead } from '../../audit/proofs/head-file.ts';
import type { IssuedEntry } from '../../audit/proofs/issued-checkpoints.ts';
import { provenSize } from '../../audit/proofs/log-witness.ts';
import type { DataDirectory } from '../../composition/data-directory.ts';
import { LogDamaged, START } from '../../event-store/event-log.ts';
import { leafHash } from '../../audit/merkle/hashing.ts';
import { isFullTile, TILE_WIDTH, type TileRow } from '../../audit/merkle/tile.ts';
import { emptyTree } from '../../audit/merkle/tree.ts';
import type { TreeHead } from '../../audit/merkle/verification.ts';

/** How the files beside the log agree with its records. */
export interface Comparison {
  readonly head: TreeHead;
  /** Describes the events that are or may be lost; undefined if none are. */
  readonly loss: string | undefined;
  readonly headProblem: string | undefined;
  /** Every checkpoint that the records agree with. A lost one is among them if the recorded head has its size. */
  readonly issued: readonly TreeHead[];
  readonly issuedProblems: readonly string[];
  /** The correct contents of damaged tiles. */
  readonly wrongTiles: readonly TileRow[];
}

type ComparedFiles = Pick<DataDirectory, 'log' | 'tiles' | 'checkpoints' | 'heads' | 'keys'>;

/** @throws OperationRefused if the records are damaged or differ from those that were signed; restore a backup */
export async function compareLog(data: ComparedFiles): Promise<Comparison> {
  const read = data.heads.read();
  const recorded = read?.head;
  const entries = [...data.checkpoints.entries()];
  const kept = entries.flatMap((entry) => ('head' in entry ? [entry.head] : []));
  const lost = lostCheckpoint(recorded, kept.at(-1)?.size ?? 0);
  const signed = [...kept.map(({ size }) => size), ...(lost === undefined ? [] : [lost])];
  const { roots, head, wrongTiles } = await replayTree(data, new Set([...signed, recorded?.size ?? 0]));

  const issued = signed.map((size) => ({ size, rootHash: requireRoot(size, roots) }));
  for (const known of kept) requireSameRoot(known, roots, `checkpoint ${known.size} covers other records`);
  if (recorded !== undefined) requireSameRoot(recorded, roots, `${data.heads.name} refers to other records`);
  return {
    head,
    issued,
    wrongTiles,
    loss: describeLoss(data, read, head.size),
    headProblem: describeHeadProblem(read, data.heads.name),
    issuedProblems: [
      ...entries.flatMap((entry: IssuedEntry) => ('problem' in entry ? [entry.problem] : [])),
      ...(lost === undefined ? [] : [`the checkpoint over ${lost} records is missing`]),
    ],
  };
}

/** The size of the newest checkpoint, if the recorded head has it and its entry is missing. */
function lostCheckpoint(recorded: RecordedHead | undefined, newest: number): number | undefined {
  return recorded !== undefined && recorded.checkpoint > newest ? recorded.checkpoint : undefined;
}

/** The roots at `sizes`, as far as the log reaches, and the correct contents of damaged tiles. */
async function replayTree({ log, tiles }: ComparedFiles, sizes: ReadonlySet<number>) {
  const tree = emptyTree();
  const roots = new Map<number, Buffer>();
  const wrongTiles: TileRow[] = [];
  let waiting: Buffer[] = [];

  function addWaiting(): void {
    for (const row of tree.append(waiting)) {
      const kept = isFullTile(row) ? tiles.read(row.level, row.index) : undefined;
      if (kept !== undefined && !kept.equals(row.hashes)) wrongTiles.push(row);
    }
    waiting = [];
  }

  try {
    for await (const events of log.readAll(START)) {
      for (const { record, position } of events) {
        waiting.push(leafHash(record));
        if (!sizes.has(position) && waiting.length < TILE_WIDTH) continue;
        addWaiting();
        if (sizes.has(position)) roots.set(position, tree.root());
      }
    }
  } catch (error) {
    throw error instanceof LogDamaged ? notRepairable(error.message) : error;
  }
  addWaiting();
  return { roots, wrongTiles, head: { size: tree.size, rootHash: tree.root() } };
}

function requireRoot(size: number, roots: ReadonlyMap<number, Buffer>): Buffer {
  const root = roots.get(size);
  if (root !== undefined) return root;
  const issued = `a checkpoint over ${size} records was issued, but the log ends before`;
  throw notRepairable(`${issued}: continuing there would sign two histories`);
}

/** Has no effect if the log does not reach that size. */
function requireSameRoot({ size, rootHash }: TreeHead, roots: ReadonlyMap<number, Buffer>, otherwise: string): void {
  if (roots.get(size)?.equals(rootHash) === false) throw notRepairable(otherwise);
}

export function notRepairable(why: string): OperationRefused {
  return new OperationRefused(
    `this cannot be repaired without a backup: ${why}. Keep the data directory as it is, and restore the newest ` +
      'backup that verifies (grantlog restore FILE DIR)',
  );
}

function describeLoss(
  { heads, keys, tiles }: ComparedFiles,
  read: StoredHead | undefined,
  size: number,
): string | undefined {
  const known = provenSize(size, read?.head, tiles);
  if (known > size) return `the log ends at position ${size}, and events up to position ${known} were acknowledged`;
  const isFirst = read === undefined && (size === 0 || keys.needUpgrade);
  if (read?.head !== undefined || isFirst) return undefined;
  const problem = describeHeadProblem(read, `${heads.name}, which records where it should end,`);
  return `the log ends at position ${size}, and ${problem ?? ''}`;
}

function describeHeadProblem(read: StoredHead | undefined, name: string): string | undefined {
  if (read === undefined) return `${name} is missing`;
  return read.damagedCopies > 0 ? `${name} is damaged` : undefined;
}
