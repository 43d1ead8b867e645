import { join } from 'node:path';
import { fileCheckpoints, type Checkpoints } from './attestation/checkpoints.ts';
import { fileTileStore, type TileStore } from './attestation/tile-store.ts';
import { isNeverReused } from './domain/streams.ts';
import type { CommitObserver } from './eventsourcing/engines/group-commit.ts';
import { openLevelLog } from './eventsourcing/engines/level.ts';
import type { EventLog } from './eventsourcing/event-log.ts';
import type { Entropy } from './ports.ts';
import { fileSnapshotStore, type SnapshotStore } from './snapshots/snapshot-store.ts';
import { openKeys, type Keys } from './storage/keys.ts';
import { openPersonalKeys, type PersonalKeys } from './storage/personal-keys.ts';

/** What a data directory holds. Whoever opened it closes its log. */
export interface DataDirectory {
  readonly log: EventLog;
  readonly keys: Keys;
  readonly personalKeys: PersonalKeys;
  readonly tiles: TileStore;
  readonly checkpoints: Checkpoints;
  readonly snapshots: SnapshotStore;
}

/** @throws LogLocked another process has it open */
export async function openDataDirectory(dataDir: string, entropy: Entropy, observer?: CommitObserver): Promise<DataDirectory> {
  const archiving = { directory: join(dataDir, 'archive'), isNeverReused };
  const log = await openLevelLog({ location: join(dataDir, 'log'), archiving, observer });
  try {
    const keysDirectory = join(dataDir, 'keys');
    return {
      log, keys: openKeys(keysDirectory, entropy), personalKeys: openPersonalKeys(keysDirectory),
      tiles: fileTileStore(dataDir), checkpoints: fileCheckpoints(join(dataDir, 'checkpoints')), snapshots: fileSnapshotStore(join(dataDir, 'snapshots')),
    };
  } catch (error) {
    await log.close();
    throw error;
  }
}
