import { join } from 'node:path';
import { fileHeadStore, HEAD_FILE, type HeadStore } from './attestation/head-file.ts';
import { fileCheckpoints, type IssuedCheckpoints } from './attestation/issued-checkpoints.ts';
import { fileTileStore, type TileStore } from './attestation/tile-store.ts';
import { isNeverReused } from './domain/streams.ts';
import type { CommitObserver } from './eventsourcing/engines/group-commit.ts';
import { openLevelLog } from './eventsourcing/engines/level.ts';
import { START, type EventLog } from './eventsourcing/event-log.ts';
import { keysUseOf } from './keys-use.ts';
import type { Entropy } from './ports.ts';
import { fileSnapshotStore, type SnapshotStore } from './snapshots/snapshot-store.ts';
import { openClientKeys, type ClientKeys } from './storage/client-keys.ts';
import { openKeys, type StoredKeys } from './storage/keys.ts';
import { openPersonalKeys, type PersonalKeys } from './storage/personal-keys.ts';

/** What a data directory holds. Whoever opened it closes its log. */
export interface DataDirectory {
  readonly log: EventLog;
  readonly keys: StoredKeys;
  readonly personalKeys: PersonalKeys;
  readonly clientKeys: ClientKeys;
  readonly tiles: TileStore;
  readonly checkpoints: IssuedCheckpoints;
  readonly heads: HeadStore;
  readonly snapshots: SnapshotStore;
}

export interface OpeningDataDirectory {
  /** Makes the keys of a new directory. */
  readonly entropy: Entropy;
  readonly observer?: CommitObserver | undefined;
  /** Receives a line for the operator about failures in the background. */
  readonly notice: (line: string) => void;
}

/**
 * @throws LogLocked another process has it open
 * @throws LogDamaged LevelDB's files are damaged
 * @throws Error a key file is damaged, or missing although the key was used
 */
export async function openDataDirectory(
  dataDir: string, { entropy, observer, notice }: OpeningDataDirectory,
): Promise<DataDirectory> {
  const archiving = { directory: join(dataDir, 'archive'), isNeverReused };
  const log = await openLevelLog({ location: join(dataDir, 'log'), archiving, observer });
  try {
    const keysDirectory = join(dataDir, 'keys');
    const keys = openKeys(keysDirectory, entropy, keysUseOf(dataDir, log.head() !== START));
    return {
      log, keys,
      personalKeys: openPersonalKeys(keysDirectory),
      clientKeys: openClientKeys(keysDirectory),
      tiles: fileTileStore(dataDir, notice),
      checkpoints: fileCheckpoints(join(dataDir, 'checkpoints'), keys),
      heads: fileHeadStore(join(dataDir, HEAD_FILE), keys.attestation),
      snapshots: fileSnapshotStore(join(dataDir, 'snapshots')),
    };
  } catch (error) {
    await log.close();
    throw error;
  }
}
