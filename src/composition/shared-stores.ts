import { join } from 'node:path';
import { fileCheckpoints, type IssuedCheckpoints } from '../audit/proofs/issued-checkpoints.ts';
import { openSharedCheckpoints, type SharedCheckpoints } from '../audit/proofs/shared-checkpoints.ts';
import { CHECKPOINTS_CHANNEL, createCheckpointTable, readLargest } from '../event-store/postgres/checkpoint-table.ts';
import { createLeadership } from '../event-store/postgres/leadership.ts';
import type { StoredKeys } from '../platform/keys/key-store.ts';
import { connectPrimary } from '../platform/postgres/connect.ts';
import type { PostgresAddress } from '../platform/postgres/connection-url.ts';

/** What the nodes share in the database besides the log. */
export interface SharedStores {
  readonly checkpoints: IssuedCheckpoints;
  /** Gives up the leadership and closes the connection. */
  close(): void;
}

export interface SharedStoresParts {
  readonly address: PostgresAddress;
  /** For what this node keeps of it on its own disk. */
  readonly dataDir: string;
  readonly keys: StoredKeys;
  /** The number of events that this node knows of. */
  readonly head: number;
}

const STATEMENT_MILLISECONDS = 4_000;

/** @throws LogTampered a checkpoint in the database was not stored by a node of this log */
export async function openSharedStores({ address, dataDir, keys, head }: SharedStoresParts): Promise<SharedStores> {
  let opened: SharedCheckpoints | undefined;
  const leadership = createLeadership({
    open: (settings) =>
      connectPrimary(address, { purpose: 'leadership', timeoutMilliseconds: STATEMENT_MILLISECONDS, settings }),
    attach: (connection) => connection.listen(CHECKPOINTS_CHANNEL, () => void opened?.refresh().catch(() => {})),
    onBeat: async (connection) => {
      if ((await readLargest(connection)) > (opened?.newest()?.size ?? 0)) await opened?.refresh();
    },
  });
  try {
    opened = await openSharedCheckpoints({
      table: createCheckpointTable(leadership),
      copy: fileCheckpoints(join(dataDir, 'checkpoints'), keys),
      key: keys.attestation,
      head,
      leadership,
    });
    return { checkpoints: opened, close: leadership.close };
  } catch (error) {
    leadership.close();
    throw error;
  }
}
