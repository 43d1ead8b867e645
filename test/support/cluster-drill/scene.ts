import { mkdirSync } from 'node:fs';
import { registerClient, type DrillClient } from './client.ts';
import { startDrillCluster, type DrillCluster } from './nodes.ts';
import type { Requests } from './requests.ts';
import { createStoredLog, type StoredLog } from './stored-log.ts';

/** A cluster with a client, and the events of its log that have been read so far. */
export interface Scene {
  readonly cluster: DrillCluster;
  readonly client: DrillClient;
  readonly storedLog: StoredLog;
}

/** @param directory created if it does not exist */
export async function openScene(
  directory: string,
  { standby, requests }: { readonly standby: boolean; readonly requests: Requests },
): Promise<Scene> {
  mkdirSync(directory, { recursive: true });
  const cluster = await startDrillCluster(directory, { standby });
  try {
    return { cluster, client: await registerClient(cluster.nodes[0], requests), storedLog: createStoredLog() };
  } catch (error) {
    await cluster.close();
    throw error;
  }
}
