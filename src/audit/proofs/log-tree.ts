import type { Position } from '../../event-store/event-log.ts';
import type { Projection } from '../../event-store/projector.ts';
import { HASH_BYTES, leafHash } from '../merkle/hashing.ts';
import { consistencyProof, inclusionProof, type Proof } from '../merkle/proofs.ts';
import { isFullTile, leavesPerHash, partialTiles, TILE_WIDTH, type TileReader, type TileRow } from '../merkle/tile.ts';
import { emptyTree, resumeTree } from '../merkle/tree.ts';
import type { TreeHead } from '../merkle/verification.ts';
import { startHashingThread, type HashingThread, type TileToHash } from './hashing-thread.ts';
import type { TileStore } from './tile-store.ts';

/** The Merkle tree over the log's records: leaf `n` is the record at position `n + 1`. */
export interface LogTree extends Projection {
  /** The tree over everything applied so far. */
  head(): TreeHead;
  /** That the record at `position` is in the tree of the first `size` records. */
  proveInclusion(position: Position, size: number): Promise<Proof>;
  /** That the tree of the first `first` records is the beginning of the one of the first `second`. */
  proveConsistency(first: number, second: number): Promise<Proof>;
  /** The first `width` hashes of a tile; undefined when the tree does not have that many there. */
  tile(level: number, index: number, width: number): Buffer | undefined;
  /** Does `work`, which applies a great many events, and has a thread of its own hash for the tree: it is over in three quarters of the time. */
  withHashingThread<Result>(work: () => Promise<Result>, start?: () => HashingThread): Promise<Result>;
}

/** A thread that falls so far behind has no core for itself and is given up. While it starts, some thirty tiles wait for it. */
const MAX_PENDING_TILES = 128;

/** @param vouchedFor checks by size: each gets the head that the tree has at that size */
export function createLogTree(
  tiles: TileStore,
  vouchedFor: ReadonlyMap<number, (head: TreeHead) => void> = new Map(),
): LogTree {
  let tree = emptyTree();
  /** The rightmost tile of each level, as far as it is filled. */
  const partial = new Map<number, TileRow>();
  /** Records that wait to be added together: a tile's worth at a time costs a fifth of one by one. */
  let waiting: string[] = [];
  /** The tiles before those, which a thread hashes, in order. */
  let apart: TileToHash[] = [];
  let thread: HashingThread | undefined;

  function addWaiting(): void {
    for (const { records, result: hashed } of apart.splice(0))
      keep(hashed === undefined ? tree.append(records.map(leafHash)) : tree.appendTile(hashed));
    if (waiting.length > 0) keep(tree.append(waiting.splice(0).map(leafHash)));
  }

  function keep(rows: readonly TileRow[]): void {
    for (const row of rows) {
      partial.set(row.level, row);
      if (isFullTile(row)) tiles.add(row);
    }
  }

  /** Hands a full tile to the thread, if there is one, and takes what it has done meanwhile. */
  function endTile(): void {
    if (thread === undefined || waiting.length < TILE_WIDTH) return addWaiting();
    apart.push(thread.hash(waiting));
    waiting = [];
    const done = apart.findIndex(({ result: hashed }) => hashed === undefined);
    for (const { result: hashed } of apart.splice(0, done === -1 ? apart.length : done))
      if (hashed !== undefined) keep(tree.appendTile(hashed));
    if (apart.length <= MAX_PENDING_TILES) return;
    void thread.terminate();
    thread = undefined;
    addWaiting();
  }

  function edgeTile(level: number, index: number, width: number): Buffer {
    const hashes = tile(level, index, width);
    if (hashes === undefined) throw new Error(`tile ${index} of level ${level} is missing`);
    return hashes;
  }

  function tile(level: number, index: number, width: number): Buffer | undefined {
    addWaiting();
    const open = partial.get(level);
    const hashes = open?.index === index ? open.hashes : tiles.read(level, index);
    return hashes === undefined || hashes.length < width * HASH_BYTES
      ? undefined
      : hashes.subarray(0, width * HASH_BYTES);
  }

  const read: TileReader = async (level, index, width) => {
    const hashes = tile(level, index, width);
    if (hashes === undefined)
      throw new Error(
        `tile ${index} of level ${level} is missing; remove the snapshots and start the server, and it is made again`,
      );
    return hashes;
  };

  function head(): TreeHead {
    addWaiting();
    return { size: tree.size, rootHash: tree.root() };
  }

  /** As the tree was once: it only grows, so its tiles begin with those that it had then. */
  function headAt(size: number): TreeHead {
    return { size, rootHash: resumeTree(size, edgeTile).root() };
  }

  return {
    name: 'tree',
    head,
    tile,
    proveInclusion(position, size) {
      addWaiting();
      return inclusionProof(position - 1, size, read);
    },
    proveConsistency(first, second) {
      addWaiting();
      return consistencyProof(first, second, read);
    },
    apply({ record, position }) {
      waiting.push(record);
      if (position % TILE_WIDTH === 0) endTile();
      vouchedFor.get(position)?.(head());
    },
    async withHashingThread(work, start = startHashingThread) {
      const started = tryStart(start);
      thread = started;
      try {
        const result = await work();
        addWaiting();
        return result;
      } finally {
        thread = undefined;
        await started?.terminate();
      }
    },
    *contents() {
      const { size, rootHash } = head();
      yield [size, Buffer.from(rootHash).toString('base64')];
    },
    freeze() {
      addWaiting();
      const edge = partialTiles(tree.size).map(({ level, index, width }) =>
        edgeTile(level, index, width).toString('base64'),
      );
      return [
        Buffer.from(
          JSON.stringify({ size: tree.size, root: tree.root().toString('base64'), edge } satisfies FrozenTree),
        ),
      ];
    },
    restore(piece) {
      const frozen = JSON.parse(Buffer.from(piece).toString('utf8')) as FrozenTree;
      for (const [at, { level, index }] of partialTiles(frozen.size).entries()) {
        partial.set(level, { level, index, hashes: Buffer.from(frozen.edge[at] ?? '', 'base64') });
      }
      tree = resumeTree(frozen.size, edgeTile);
      if (tree.root().toString('base64') !== frozen.root) throw new Error('its tiles do not lead to its root');
      for (const { level, index } of lastFullTiles(frozen.size)) edgeTile(level, index, TILE_WIDTH);
      for (const [size, check] of vouchedFor) if (size <= frozen.size) check(headAt(size));
    },
  };
}

/** The tree as a snapshot has it: its right edge, as base64. Full tiles are where they are kept. */
interface FrozenTree {
  readonly size: number;
  readonly root: string;
  readonly edge: readonly string[];
}

/** Of each level the last tile that is full: where it is kept, those before it are, for they are written in order. */
function lastFullTiles(size: number): readonly { readonly level: number; readonly index: number }[] {
  const tiles = [];
  for (let level = 0; leavesPerHash(level + 1) <= size; level += 1)
    tiles.push({ level, index: Math.floor(size / leavesPerHash(level + 1)) - 1 });
  return tiles;
}

/** A system that has no thread to spare must not keep the server from starting: all is hashed here then. */
function tryStart(start: () => HashingThread): HashingThread | undefined {
  try {
    return start();
  } catch {
    return undefined;
  }
}
