import type { Position } from '../../event-store/event-log.ts';
import type { Projection } from '../../event-store/projector.ts';
import { HASH_BYTES, leafHash } from '../merkle/hashing.ts';
import { consistencyProof, inclusionProof, type Proof } from '../merkle/proofs.ts';
import { perfectRoot } from '../merkle/perfect-subtree.ts';
import {
  isFullTile,
  leavesPerHash,
  partialTiles,
  TILE_WIDTH,
  widthInTree,
  type TileReader,
  type Tile,
} from '../merkle/tile.ts';
import { emptyTree, resumeTree } from '../merkle/tree.ts';
import type { TreeHead } from '../merkle/verification.ts';
import { startHashingThread, type HashingThread, type TileToHash } from './hashing-thread.ts';
import type { TileStore } from './tile-store.ts';

/** The Merkle tree of the log's records. Leaf `n` is the record at position `n + 1`. */
export interface LogTree extends Projection {
  /** Returns the tree head after all applied events. */
  head(): TreeHead;
  /** Returns the number of applied events. */
  size(): number;
  /** Proves that the record at `position` is in the tree of the first `size` records. */
  proveInclusion(position: Position, size: number): Promise<Proof>;
  /** Proves that the tree of the first `oldSize` records is a prefix of the tree of the first `newSize` records. */
  proveConsistency(oldSize: number, newSize: number): Promise<Proof>;
  /** Returns the first `width` hashes of a tile, or undefined if it has fewer or this node lacks it. */
  tile(level: number, index: number, width: number): Buffer | undefined;
  /** Like `tile`, but first recovers a full tile that this node lacks. */
  findTile(level: number, index: number, width: number): Promise<Buffer | undefined>;
  /** Returns the head at an earlier size. */
  headAt(size: number): Promise<TreeHead>;
  /** Runs the head checks that `restore` deferred because they may require recovered tiles. */
  checkRestored(): Promise<void>;
  /** Runs `work`, which applies many events, while a worker thread computes the hashes. */
  withHashingThread<Result>(work: () => Promise<Result>, start?: () => HashingThread): Promise<Result>;
}

/**
 * A thread that falls further behind than this is terminated, because it evidently has to share a processor. About
 * thirty tiles accumulate while a thread starts.
 */
const MAX_PENDING_TILES = 128;

/**
 * Creates an empty tree that stores its full tiles in `tiles`.
 * @param headChecks checks by size, each called with the tree's head at that size
 */
export function createLogTree(
  tiles: TileStore,
  headChecks: ReadonlyMap<number, (head: TreeHead) => void> = new Map(),
): LogTree {
  let tree = emptyTree();
  let appliedCount = 0;
  /** The rightmost tile of each level. */
  const rightmostTiles = new Map<number, Tile>();
  /** The records that will be appended together: at most one full tile. */
  let pendingRecords: string[] = [];
  /** The earlier tiles that the thread is hashing, in order. */
  let hashingTiles: TileToHash[] = [];
  let thread: HashingThread | undefined;
  /** The sizes in `headChecks`, up to the size of a restored snapshot, whose checks have not run yet. */
  let restoredSizes: readonly number[] = [];

  function appendPending(): void {
    for (const { records, result } of hashingTiles.splice(0))
      store(result === undefined ? tree.append(records.map(leafHash)) : tree.appendTile(result));
    if (pendingRecords.length > 0) store(tree.append(pendingRecords.splice(0).map(leafHash)));
  }

  function store(changedTiles: readonly Tile[]): void {
    for (const changedTile of changedTiles) {
      rightmostTiles.set(changedTile.level, changedTile);
      if (isFullTile(changedTile)) tiles.add(changedTile);
    }
  }

  /**
   * Passes a full tile to the thread, and appends the tiles that the thread has hashed. Without a thread, appends the
   * pending records.
   */
  function completeTile(): void {
    if (thread === undefined || pendingRecords.length < TILE_WIDTH) return appendPending();
    hashingTiles.push(thread.hash(pendingRecords));
    pendingRecords = [];
    const firstPendingIndex = hashingTiles.findIndex(({ result }) => result === undefined);
    for (const { result } of hashingTiles.splice(0, firstPendingIndex === -1 ? hashingTiles.length : firstPendingIndex))
      if (result !== undefined) store(tree.appendTile(result));
    if (hashingTiles.length <= MAX_PENDING_TILES) return;
    void thread.terminate();
    thread = undefined;
    appendPending();
  }

  function requireLocalTile(level: number, index: number, width: number): Buffer {
    const hashes = tile(level, index, width);
    if (hashes === undefined) throw new Error(`tile ${index} at level ${level} is missing`);
    return hashes;
  }

  function tile(level: number, index: number, width: number): Buffer | undefined {
    appendPending();
    const rightmostTile = rightmostTiles.get(level);
    const hashes = rightmostTile?.index === index ? rightmostTile.hashes : tiles.read(level, index);
    return hashes === undefined || hashes.length < width * HASH_BYTES
      ? undefined
      : hashes.subarray(0, width * HASH_BYTES);
  }

  const requireTile: TileReader = async (level, index, width) => {
    const hashes = await findTile(level, index, width);
    if (hashes === undefined)
      throw new Error(
        `tile ${index} at level ${level} is missing; remove the snapshots and start the server to recompute it`,
      );
    return hashes;
  };

  /**
   * Recovers only full tiles, because partial ones are in memory. A recovered tile is correct if its root is in the
   * tile above.
   */
  async function findTile(level: number, index: number, width: number): Promise<Buffer | undefined> {
    const storedHashes = tile(level, index, width);
    if (storedHashes !== undefined || tiles.recover === undefined) return storedHashes;
    if (widthInTree(level, index, tree.size) < TILE_WIDTH) return undefined;
    const hashes = await tiles.recover(level, index);
    const parentHashes = await findTile(level + 1, Math.floor(index / TILE_WIDTH), (index % TILE_WIDTH) + 1);
    if (hashes === undefined || parentHashes === undefined) return undefined;
    if (!perfectRoot(hashes).equals(parentHashes.subarray(-HASH_BYTES)))
      throw new Error(
        `the recovered tile ${index} at level ${level} does not match the tree: the data from which it was ` +
          'recovered has been changed',
      );
    tiles.add({ level, index, hashes });
    return hashes.subarray(0, width * HASH_BYTES);
  }

  async function headAt(size: number): Promise<TreeHead> {
    const edge = new Map<number, Uint8Array>();
    for (const { level, index, width } of partialTiles(size)) edge.set(level, await requireTile(level, index, width));
    return { size, rootHash: resumeTree(size, (level) => edge.get(level) ?? Buffer.alloc(0)).root() };
  }

  function head(): TreeHead {
    appendPending();
    return { size: tree.size, rootHash: tree.root() };
  }

  /** Returns the head at an earlier size. Tiles only grow, so each current tile starts with its earlier hashes. */
  function storedHeadAt(size: number): TreeHead {
    return { size, rootHash: resumeTree(size, requireLocalTile).root() };
  }

  return {
    name: 'tree',
    head,
    size: () => appliedCount,
    tile,
    findTile,
    headAt,
    async checkRestored() {
      for (const size of restoredSizes) headChecks.get(size)?.(await headAt(size));
      restoredSizes = [];
    },
    proveInclusion(position, size) {
      appendPending();
      return inclusionProof(position - 1, size, requireTile);
    },
    proveConsistency(oldSize, newSize) {
      appendPending();
      return consistencyProof(oldSize, newSize, requireTile);
    },
    apply({ record, position }) {
      pendingRecords.push(record);
      appliedCount = position;
      if (position % TILE_WIDTH === 0) completeTile();
      headChecks.get(position)?.(head());
    },
    async withHashingThread(work, start = startHashingThread) {
      const ownThread = tryStart(start);
      thread = ownThread;
      try {
        const result = await work();
        appendPending();
        return result;
      } finally {
        thread = undefined;
        await ownThread?.terminate();
      }
    },
    *contents() {
      const { size, rootHash } = head();
      yield [size, Buffer.from(rootHash).toString('base64')];
    },
    freeze() {
      appendPending();
      const edge = partialTiles(tree.size).map(({ level, index, width }) =>
        requireLocalTile(level, index, width).toString('base64'),
      );
      return [
        Buffer.from(
          JSON.stringify({ size: tree.size, root: tree.root().toString('base64'), edge } satisfies FrozenTree),
        ),
      ];
    },
    restore(piece) {
      const frozenTree = JSON.parse(Buffer.from(piece).toString('utf8')) as FrozenTree;
      for (const [height, { level, index }] of partialTiles(frozenTree.size).entries()) {
        rightmostTiles.set(level, { level, index, hashes: Buffer.from(frozenTree.edge[height] ?? '', 'base64') });
      }
      tree = resumeTree(frozenTree.size, requireLocalTile);
      appliedCount = frozenTree.size;
      if (tree.root().toString('base64') !== frozenTree.root) throw new Error('its tiles do not match its root');
      restoredSizes = [...headChecks.keys()].filter((size) => size <= frozenTree.size);
      if (tiles.recover !== undefined) return; // `checkRestored` runs the checks
      for (const { level, index } of lastFullTiles(frozenTree.size)) requireLocalTile(level, index, TILE_WIDTH);
      for (const size of restoredSizes) headChecks.get(size)?.(storedHeadAt(size));
      restoredSizes = [];
    },
  };
}

/** The tree in a snapshot. `edge` contains its partial tiles in base64; the full tiles are in the tile store. */
interface FrozenTree {
  readonly size: number;
  readonly root: string;
  readonly edge: readonly string[];
}

/**
 * Returns the last full tile of each level. Tiles are written in order, so if one is stored, so are all earlier tiles
 * of its level.
 */
function lastFullTiles(size: number): readonly { readonly level: number; readonly index: number }[] {
  const tiles = [];
  for (let level = 0; leavesPerHash(level + 1) <= size; level += 1)
    tiles.push({ level, index: Math.floor(size / leavesPerHash(level + 1)) - 1 });
  return tiles;
}

/** Starts a thread. Returns undefined if the system cannot start one; the main thread then computes the hashes. */
function tryStart(start: () => HashingThread): HashingThread | undefined {
  try {
    return start();
  } catch {
    return undefined;
  }
}
