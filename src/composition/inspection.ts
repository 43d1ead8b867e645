import { memoryCheckpoints } from '../audit/proofs/issued-checkpoints.ts';
import { DISCARDING_TILE_STORE } from '../audit/proofs/tile-store.ts';
import type { Inspection } from '../audit/proofs/verify.ts';
import type { Config } from '../config/config.ts';
import { openStorage } from './open-storage.ts';
import { damagedLog } from '../event-store/damaged-log.ts';
import { LogDamaged, type EventLog } from '../event-store/event-log.ts';
import type { Entropy } from '../platform/ports.ts';
import { createProjectionsAsOf, type ProjectionsAsOf } from './running-projections.ts';
import { createSnapshots } from '../event-store/snapshots/snapshots.ts';
import { createVaults } from './vaults.ts';

/** The data directory of a stopped server, or a log in a database, opened for inspection without a replay. */
export interface OpenInspection extends Inspection {
  readonly log: EventLog;
  readonly projectionsAsOf: ProjectionsAsOf;
  readonly issuer: () => string | null;
  close(): Promise<void>;
}

type InspectionConfig = Pick<
  Config,
  'dataDir' | 'log' | 'archive' | 'keys' | 'keysSecret' | 'snapshotEvents' | 'issuer'
>;

/**
 * Opens the log and everything stored with it for inspection. If the log is too damaged to open, every read throws the
 * `LogDamaged` error.
 * @throws LogLocked if another process has the data directory open
 */
export async function openInspection(
  config: InspectionConfig,
  entropy: Entropy,
  notice: Notice = () => {},
): Promise<OpenInspection> {
  try {
    return await inspectStorage(config, entropy, notice);
  } catch (error) {
    if (error instanceof LogDamaged) return inspectDamagedLog(config, error);
    throw error;
  }
}

type Notice = (line: string) => void;

async function inspectStorage(config: InspectionConfig, entropy: Entropy, notice: Notice): Promise<OpenInspection> {
  const storage = await openStorage(config, { entropy, notice });
  const { log, keys, tiles, checkpoints, heads, snapshots: store } = storage;
  const snapshots = createSnapshots({
    store,
    key: keys.snapshots,
    log,
    everyEvents: config.snapshotEvents,
    notice,
    space: { isLow: () => false }, // an inspection writes no snapshots
  });
  return {
    log,
    tiles,
    checkpoints,
    heads,
    issuer: () => config.issuer,
    async close() {
      await log.close();
      storage.closeKeys?.();
    },
    projectionsAsOf: createProjectionsAsOf(log, snapshots, createVaults(storage, entropy).unsealers),
  };
}

function inspectDamagedLog(config: InspectionConfig, damage: LogDamaged): OpenInspection {
  const log = damagedLog(damage);
  return {
    log,
    tiles: DISCARDING_TILE_STORE,
    checkpoints: memoryCheckpoints(),
    heads: undefined,
    issuer: () => config.issuer,
    projectionsAsOf: () => Promise.reject(damage),
    close: log.close,
  };
}
