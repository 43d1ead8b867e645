import type { Connection } from '../../platform/postgres/connect.ts';
import { LogUnreachable } from '../log-unreachable.ts';
import type { Leadership } from './leadership.ts';

/** A checkpoint as the database stores it. */
export interface CheckpointRow {
  readonly size: number;
  readonly root: Buffer;
  /** The MAC over the size and the root. */
  readonly mac: string;
}

/** The checkpoints that the nodes share. Every method throws `LogUnreachable` if the database is not responding. */
export interface CheckpointTable {
  /**
   * Stores a checkpoint unless one of the same or a larger size is already stored. Returns the largest stored
   * checkpoint.
   */
  issue(row: CheckpointRow): Promise<CheckpointRow>;
  /** Returns the first `limit` checkpoints that are larger than `size`, in ascending order. */
  readAfter(size: number, limit: number): Promise<readonly CheckpointRow[]>;
}

/** The channel that notifies other nodes of a new checkpoint. */
export const CHECKPOINTS_CHANNEL = 'grantlog_checkpoints';

export function createCheckpointTable({
  connection,
  reset,
}: Pick<Leadership, 'connection' | 'reset'>): CheckpointTable {
  async function query(text: string, values: readonly unknown[]): Promise<readonly CheckpointRow[]> {
    const client = await connection();
    return client.query<CheckpointRow>({ text, values }).catch((error: unknown) => {
      reset(client);
      throw new LogUnreachable('the database is not responding', { cause: error });
    });
  }

  return {
    async issue({ size, root, mac }) {
      const text = 'select size, root, code as mac from grantlog.issue_checkpoint($1, $2, $3)';
      const [largestRow] = await query(text, [size, root, mac]);
      if (largestRow === undefined) throw new LogUnreachable('the database did not store the checkpoint');
      return largestRow;
    },
    readAfter: (size, limit) =>
      query('select size, root, code as mac from grantlog.checkpoints where size > $1 order by size limit $2', [
        size,
        limit,
      ]),
  };
}

/** Returns the size of the largest stored checkpoint, or 0 if the table is empty. */
export async function readLargestSize(connection: Pick<Connection, 'query'>): Promise<number> {
  const text = 'select coalesce(max(size), 0) as size from grantlog.checkpoints';
  const [row] = await connection.query<{ size: number }>({ name: 'largest-checkpoint', text });
  return row?.size ?? 0;
}
