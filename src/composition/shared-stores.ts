import { join } from 'node:path';
import { fileCheckpoints, type IssuedCheckpoints } from '../audit/proofs/issued-checkpoints.ts';
import { openSharedCheckpoints, type SharedCheckpoints } from '../audit/proofs/shared-checkpoints.ts';
import { sharedTileStore } from '../audit/proofs/shared-tiles.ts';
import { fileTileStore, type TileStore } from '../audit/proofs/tile-store.ts';
import type { EventLog } from '../event-store/event-log.ts';
import {
  CHECKPOINTS_CHANNEL,
  createCheckpointTable,
  readLargestSize,
} from '../event-store/postgres/checkpoint-table.ts';
import { createLeadership } from '../event-store/postgres/leadership.ts';
import { createSnapshotTables } from '../event-store/postgres/snapshot-tables.ts';
import { createTileTable } from '../event-store/postgres/tile-table.ts';
import type { SnapshotStore } from '../event-store/snapshots/snapshot-store.ts';
import type { StoredKeys } from '../platform/keys/key-store.ts';
import { connectPrimary, type Connection } from '../platform/postgres/connect.ts';
import type { PostgresAddress } from '../platform/postgres/connection-url.ts';

/** The data in the database that the nodes share in addition to the log. */
export interface SharedStores {
  readonly checkpoints: IssuedCheckpoints;
  readonly snapshots: SnapshotStore;
  readonly tiles: TileStore;
  /** Gives up leadership and closes the connection. */
  close(): void;
}

export interface SharedStoresDeps {
  readonly address: PostgresAddress;
  /** The directory that contains this node's copies of the shared data. */
  readonly dataDir: string;
  readonly keys: StoredKeys;
  readonly log: EventLog;
  readonly notice: (line: string) => void;
}

/** The leader gives up leadership if the database does not respond for this long. */
const LEADERSHIP_TIMEOUT_MILLISECONDS = 4_000;
const TILE_TIMEOUT_MILLISECONDS = 10_000;

/**
 * Opens the data that the nodes share in addition to the log.
 * @throws LogTampered if a checkpoint in the database was not stored by a node of this log
 */
export async function openSharedStores(deps: SharedStoresDeps): Promise<SharedStores> {
  const { address, dataDir, keys, log, notice } = deps;
  const connect = (purpose: string, timeoutMilliseconds: number, settings = {}): Promise<Connection> =>
    connectPrimary(address, { purpose, timeoutMilliseconds, settings });
  const snapshots = createSnapshotTables((milliseconds) => connect('snapshot', milliseconds));
  let checkpoints: SharedCheckpoints | undefined;
  const leadership = createLeadership({
    open: (settings) => connect('leadership', LEADERSHIP_TIMEOUT_MILLISECONDS, settings),
    attach: (connection) => connection.listen(CHECKPOINTS_CHANNEL, () => void checkpoints?.refresh().catch(() => {})),
    onBeat: async (connection) => {
      await snapshots.refresh(connection);
      if ((await readLargestSize(connection)) > (checkpoints?.newest()?.size ?? 0)) await checkpoints?.refresh();
    },
  });
  try {
    checkpoints = await openSharedCheckpoints({
      table: createCheckpointTable(leadership),
      copy: fileCheckpoints(join(dataDir, 'checkpoints'), keys),
      key: keys.attestation,
      knownSize: log.head(),
      leadership,
    });
    await snapshots.refresh(await leadership.connection());
    const tiles = sharedTileStore({
      localTiles: fileTileStore(dataDir, notice),
      table: createTileTable(() => connect('tiles', TILE_TIMEOUT_MILLISECONDS)),
      log,
    });
    return { checkpoints, snapshots, tiles, close: leadership.close };
  } catch (error) {
    leadership.close();
    throw error;
  }
}
