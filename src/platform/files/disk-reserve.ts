import { rmSync, statSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Entropy } from '../ports.ts';

/** A file that only takes up space. The server removes it to be able to start and stop on a full disk. */
export interface DiskReserve {
  /** Returns the file size; 0 if the file does not exist. */
  bytes(): number;
  release(): void;
  /** Creates the file. If that fails, for example because the disk is full, resolves without leaving a file behind. */
  create(): Promise<void>;
}

/** The name of the file in the data directory. */
export const RESERVE_FILE = 'disk.reserve';

/** LevelDB writes a table of up to four megabytes when it opens. Tiles, the head and checkpoints need little space. */
export const RESERVE_BYTES = 16_777_216;

const BLOCK_BYTES = 1_048_576;

export function createDiskReserve(dataDir: string, entropy: Entropy): DiskReserve {
  const path = join(dataDir, RESERVE_FILE);
  let bytes = Math.min(RESERVE_BYTES, statSync(path, { throwIfNoEntry: false })?.size ?? 0);

  /** Writes random bytes, so that even a file system with compression allocates the full size. */
  async function write(): Promise<void> {
    const block = entropy.bytes(BLOCK_BYTES);
    const file = await open(path, 'w', 0o600);
    try {
      for (let offset = 0; offset < RESERVE_BYTES; offset += BLOCK_BYTES) await file.writeFile(block);
      await file.datasync();
    } finally {
      await file.close();
    }
    bytes = RESERVE_BYTES;
  }

  return {
    bytes: () => bytes,
    release() {
      rmSync(path, { force: true });
      bytes = 0;
    },
    async create() {
      try {
        await write();
      } catch {
        await rm(path, { force: true }).catch(() => {});
        bytes = 0;
      }
    },
  };
}
