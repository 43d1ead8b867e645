import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { HEAD_FILE } from '../audit/proofs/head-file.ts';
import { readNewestSize } from '../audit/proofs/issued-checkpoints.ts';
import type { KeyHistory } from '../platform/keys/key-store.ts';

/** Files and directories that are created only after the log key. */
const CREATED_AFTER_LOG_KEY = [HEAD_FILE, 'checkpoints', 'snapshots', 'tile'];

/**
 * Infers from the files in `dataDir` whether keys have been used, and whether the directory may predate the log key.
 * @param hasEvents whether the log contains events
 */
export function detectKeyHistory(dataDir: string, hasEvents: boolean): KeyHistory {
  const hasFile = (name: string): boolean => existsSync(join(dataDir, name));
  return {
    // Keys are durable before the first head is recorded, so a recorded head shows that keys have been used, even if
    // the log has lost its events.
    isNew: !hasEvents && !hasFile(HEAD_FILE) && readNewestSize(join(dataDir, 'checkpoints')) === 0,
    mayPredateLogKey: !CREATED_AFTER_LOG_KEY.some(hasFile),
  };
}
