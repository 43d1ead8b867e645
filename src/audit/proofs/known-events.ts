import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileHeadStore, HEAD_FILE } from './head-file.ts';
import { fileCheckpoints, type CheckpointKeys } from './issued-checkpoints.ts';
import { provenSize } from './log-witness.ts';
import { fileTileStore } from './tile-store.ts';

/**
 * Returns a function that takes the position where the log ends, and returns the last position that is known to have
 * been acknowledged, according to the recorded head, the newest checkpoint and the tiles in `dataDir`. Writes nothing.
 * Ignores checkpoints that cannot be read or verified, because the server refuses to start with them anyway.
 */
export function readKnownEvents(dataDir: string, keys: CheckpointKeys): (end: number) => number {
  const recordedHead = fileHeadStore(join(dataDir, HEAD_FILE), keys.attestation).read()?.head;
  const signedSize = newestCheckpointSize(join(dataDir, 'checkpoints'), keys);
  const tiles = fileTileStore(dataDir);
  return (end) => Math.max(signedSize, provenSize(end, recordedHead, tiles));
}

function newestCheckpointSize(directory: string, keys: CheckpointKeys): number {
  if (!existsSync(directory)) return 0;
  try {
    return fileCheckpoints(directory, keys).newest()?.size ?? 0;
  } catch {
    return 0;
  }
}
