import type { Position } from '../eventsourcing/event-log.ts';
import type { Projection } from '../eventsourcing/projector.ts';
import { HASH_BYTES, leafHash } from '../transparency/hashing.ts';
import { consistencyProof, inclusionProof, type Proof } from '../transparency/proofs.ts';
import { isFullTile, TILE_WIDTH, type TileReader, type TileRow } from '../transparency/tile.ts';
import { emptyTree } from '../transparency/tree.ts';
import type { TreeHead } from '../transparency/verification.ts';
import type { TileStore } from './tile-store.ts';

/** The Merkle tree over the log's records: leaf `n` is the record at position `n + 1`. */
export interface LogTree extends Projection {
  /** The tree over everything applied so far. */
  head(): TreeHead;
  /** That the record at `position` is in the tree of the first `size` records. */
  inclusion(position: Position, size: number): Promise<Proof>;
  /** That the tree of the first `first` records is the beginning of the one of the first `second`. */
  consistency(first: number, second: number): Promise<Proof>;
  /** The first `width` hashes of a tile; undefined when the tree does not have that many there. */
  tile(level: number, index: number, width: number): Buffer | undefined;
}

/** @param reached told of each size at which somebody vouched for a root, when the tree gets there */
export function createLogTree(tiles: TileStore, vouchedFor: ReadonlyMap<number, (head: TreeHead) => void> = new Map()): LogTree {
  const tree = emptyTree();
  /** The rightmost tile of each level, as far as it is filled. */
  const partial = new Map<number, TileRow>();
  /** Hashes that wait to be added together: a tile's worth at a time costs a fifth of one by one. */
  let waiting: Buffer[] = [];

  function addWaiting(): void {
    if (waiting.length === 0) return;
    for (const row of tree.append(waiting)) {
      partial.set(row.level, row);
      if (isFullTile(row)) tiles.keep(row);
    }
    waiting = [];
  }

  function tile(level: number, index: number, width: number): Buffer | undefined {
    addWaiting();
    const open = partial.get(level);
    const hashes = open?.index === index ? open.hashes : tiles.read(level, index);
    return hashes === undefined || hashes.length < width * HASH_BYTES ? undefined : hashes.subarray(0, width * HASH_BYTES);
  }

  const read: TileReader = async (level, index, width) => {
    const hashes = tile(level, index, width);
    if (hashes === undefined) throw new Error(`tile ${index} of level ${level} is missing; start the server once, and it is made again`);
    return hashes;
  };

  function head(): TreeHead {
    addWaiting();
    return { size: tree.size, rootHash: tree.root() };
  }

  return {
    name: 'tree',
    head,
    tile,
    inclusion(position, size) {
      addWaiting();
      return inclusionProof(position - 1, size, read);
    },
    consistency(first, second) {
      addWaiting();
      return consistencyProof(first, second, read);
    },
    apply({ record, position }) {
      waiting.push(leafHash(record));
      if (waiting.length >= TILE_WIDTH) addWaiting();
      vouchedFor.get(position)?.(head());
    },
    *contents() {
      const { size, rootHash } = head();
      yield [size, Buffer.from(rootHash).toString('base64')];
    },
  };
}

