import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileHeadStore, HEAD_FILE } from './head-file.ts';
import { fileCheckpoints, type CheckpointKeys } from './issued-checkpoints.ts';
import { provenSize } from './log-witness.ts';
import { fileTileStore } from './tile-store.ts';

/**
 * Reads the files beside the log in `dataDir`. Returns a function that determines the last position known to have been
 * acknowledged, for a log that ends at `end`. Writes nothing. Ignores damaged files, because the server refuses to
 * start with them anyway.
 */
export function readKnownEvents(dataDir: string, keys: CheckpointKeys): (end: number) => number {
  const recorded = fileHeadStore(join(dataDir, HEAD_FILE), keys.attestation).read()?.head;
  const signed = newestCheckpointIn(join(dataDir, 'checkpoints'), keys);
  const tiles = fileTileStore(dataDir);
  return (end) => Math.max(signed, provenSize(end, recorded, tiles));
}

function newestCheckpointIn(directory: string, keys: CheckpointKeys): number {
  if (!existsSync(directory)) return 0;
  try {
    return fileCheckpoints(directory, keys).newest()?.size ?? 0;
  } catch {
    return 0;
  }
}
