import { readdirSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivateDirectory, moveDurably } from '../../platform/files/private-files.ts';

/** Snapshots as bytes, by the position that they are of. */
export interface SnapshotStore {
  /** In ascending order. */
  positions(): readonly number[];
  /** Keeps what `chunks` come to, whole or not at all; durable when it resolves. */
  write(position: number, chunks: Iterable<Uint8Array>): Promise<void>;
  /** Each chunk is good until the next is asked for. */
  read(position: number): AsyncIterable<Uint8Array>;
  remove(position: number): Promise<void>;
}

export function memorySnapshotStore(): SnapshotStore {
  const kept = new Map<number, Buffer>();
  return {
    positions: () => [...kept.keys()].toSorted(ascending),
    write: async (position, chunks) => void kept.set(position, Buffer.concat([...chunks])),
    async *read(position) {
      yield kept.get(position) ?? Buffer.alloc(0);
    },
    remove: async (position) => void kept.delete(position),
  };
}

/** Several pieces of a large state lie in one chunk whole then. */
const READ_BYTES = 4_194_304;

/** Files in `directory`, which is created for its owner alone; drafts that a crash left there are removed. */
export function fileSnapshotStore(directory: string): SnapshotStore {
  makePrivateDirectory(directory);
  const pathOf = (position: number): string => join(directory, `${position}.snapshot`);
  const positions = new Set(
    readdirSync(directory).flatMap((name) => (/^[1-9]\d*\.snapshot$/.test(name) ? [Number.parseInt(name, 10)] : [])),
  );

  return {
    positions: () => [...positions].toSorted(ascending),

    async write(position, chunks) {
      const draft = `${pathOf(position)}.new`;
      const file = await open(draft, 'w', 0o600);
      try {
        for (const chunk of chunks) await file.writeFile(chunk); // each awaited: requests are answered in between
        await file.sync();
        await file.close();
        moveDurably(draft, pathOf(position));
        positions.add(position);
      } catch (error) {
        await file.close();
        await rm(draft, { force: true });
        throw error;
      }
    },

    async *read(position) {
      const file = await open(pathOf(position));
      try {
        // One buffer for all of it: a stream takes new memory for each chunk, and three times as long.
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

function ascending(one: number, other: number): number {
  return one - other;
}
