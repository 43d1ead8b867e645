import { mkdirSync } from 'node:fs';
import { registerClient, type DrillClient } from './client.ts';
import { startDrillCluster, type DrillCluster } from './nodes.ts';
import type { Requests } from './requests.ts';
import { storedLog, type StoredLog } from './stored-log.ts';

/** A cluster with a client, and the events of its log that were read so far. */
export interface Scene {
  readonly cluster: DrillCluster;
  readonly client: DrillClient;
  readonly stored: StoredLog;
}

/** @param place a directory, which is created if it does not exist */
export async function openScene(
  place: string,
  { standby, requests }: { readonly standby: boolean; readonly requests: Requests },
): Promise<Scene> {
  mkdirSync(place, { recursive: true });
  const cluster = await startDrillCluster(place, { standby });
  try {
    return { cluster, client: await registerClient(cluster.nodes[0], requests), stored: storedLog() };
  } catch (error) {
    await cluster.close();
    throw error;
  }
}
