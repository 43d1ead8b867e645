import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { HEAD_FILE } from '../audit/proofs/head-file.ts';
import { readNewestSize } from '../audit/proofs/issued-checkpoints.ts';
import type { KeyHistory } from '../platform/keys/key-store.ts';

/** Files that are created only after the log's key. */
const CREATED_AFTER_LOG_KEY = [HEAD_FILE, 'checkpoints', 'snapshots', 'tile'];

/**
 * Infers from the files of `dataDir` whether its keys have been used, and whether it may be older than the log's key.
 * @param hasEvents whether its log contains events
 */
export function detectKeyHistory(dataDir: string, hasEvents: boolean): KeyHistory {
  const hasFile = (name: string): boolean => existsSync(join(dataDir, name));
  return {
    // Keys are durable before the head is first recorded. A log that has lost its events is therefore not new.
    isNew: !hasEvents && !hasFile(HEAD_FILE) && readNewestSize(join(dataDir, 'checkpoints')) === 0,
    mayPredateLogKey: !CREATED_AFTER_LOG_KEY.some(hasFile),
  };
}
