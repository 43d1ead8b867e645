import { readdirSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivateDirectory, moveDurably } from '../../platform/files/private-files.ts';

/** Stores snapshots as bytes, by position. */
export interface SnapshotStore {
  /** Returns the positions in ascending order. */
  positions(): readonly number[];
  /** Stores all of `chunks` or nothing. The snapshot is durable when the promise resolves. */
  write(position: number, chunks: Iterable<Uint8Array>): Promise<void>;
  /** Reads a snapshot. Each chunk is valid until the next is requested. */
  read(position: number): AsyncIterable<Uint8Array>;
  remove(position: number): Promise<void>;
}

export function memorySnapshotStore(): SnapshotStore {
  const snapshots = new Map<number, Buffer>();
  return {
    positions: () => [...snapshots.keys()].toSorted(ascending),
    write: async (position, chunks) => void snapshots.set(position, Buffer.concat([...chunks])),
    async *read(position) {
      yield snapshots.get(position) ?? Buffer.alloc(0);
    },
    remove: async (position) => void snapshots.delete(position),
  };
}

/** Large enough that most pieces fit into one chunk. */
const READ_BYTES = 4_194_304;

/** Stores snapshots as files in `directory`, which is created with access only for its owner. */
export function fileSnapshotStore(directory: string): SnapshotStore {
  makePrivateDirectory(directory);
  const pathOf = (position: number): string => join(directory, `${position}.snapshot`);
  const positions = new Set(
    readdirSync(directory).flatMap((name) => (/^[1-9]\d*\.snapshot$/.test(name) ? [Number.parseInt(name, 10)] : [])),
  );

  return {
    positions: () => [...positions].toSorted(ascending),

    async write(position, chunks) {
      const temporaryPath = `${pathOf(position)}.new`;
      const file = await open(temporaryPath, 'w', 0o600);
      try {
        for (const chunk of chunks) await file.writeFile(chunk); // awaited, so that other requests can be answered
        await file.sync();
        await file.close();
        moveDurably(temporaryPath, pathOf(position));
        positions.add(position);
      } catch (error) {
        await file.close();
        await rm(temporaryPath, { force: true });
        throw error;
      }
    },

    async *read(position) {
      const file = await open(pathOf(position));
      try {
        // One buffer for the whole file: a stream would allocate a new one for each chunk.
        const chunk = Buffer.allocUnsafeSlow(READ_BYTES);
        for (;;) {
          const { bytesRead } = await file.read(chunk);
          if (bytesRead === 0) return;
          yield chunk.subarray(0, bytesRead);
        }
      } finally {
        await file.close();
      }
    },

    async remove(position) {
      positions.delete(position);
      await rm(pathOf(position), { force: true });
    },
  };
}

function ascending(left: number, right: number): number {
  return left - right;
}
