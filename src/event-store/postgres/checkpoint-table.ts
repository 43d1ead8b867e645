import type { Connection } from '../../platform/postgres/connect.ts';
import { LogUnreachable } from '../log-unreachable.ts';
import type { Leadership } from './leadership.ts';

/** A checkpoint as the database stores it. */
export interface CheckpointRow {
  readonly size: number;
  readonly root: Buffer;
  /** The code that authenticates the size and the root. */
  readonly code: string;
}

/** The checkpoints that the nodes share. Every method throws `LogUnreachable` if the database is not responding. */
export interface CheckpointTable {
  /** Stores a checkpoint unless one of at least its size is stored. Returns the largest. */
  issue(row: CheckpointRow): Promise<CheckpointRow>;
  /** Returns the first `limit` checkpoints that are larger than `size`, in ascending order. */
  after(size: number, limit: number): Promise<readonly CheckpointRow[]>;
}

/** The channel on which a node announces a new checkpoint to other nodes. */
export const CHECKPOINTS_CHANNEL = 'grantlog_checkpoints';

export function createCheckpointTable({
  connection,
  reset,
}: Pick<Leadership, 'connection' | 'reset'>): CheckpointTable {
  async function query(text: string, values: readonly unknown[]): Promise<readonly CheckpointRow[]> {
    const open = await connection();
    return open.query<CheckpointRow>({ text, values }).catch((error: unknown) => {
      reset(open);
      throw new LogUnreachable('the database is not responding', { cause: error });
    });
  }

  return {
    async issue({ size, root, code }) {
      const text = 'select size, root, code from grantlog.issue_checkpoint($1, $2, $3)';
      const [largest] = await query(text, [size, root, code]);
      if (largest === undefined) throw new LogUnreachable('the database has not stored the checkpoint');
      return largest;
    },
    after: (size, limit) =>
      query('select size, root, code from grantlog.checkpoints where size > $1 order by size limit $2', [size, limit]),
  };
}

/** Returns the size of the largest checkpoint, or 0 if the table is empty. */
export async function readLargestSize(connection: Pick<Connection, 'query'>): Promise<number> {
  const text = 'select coalesce(max(size), 0) as size from grantlog.checkpoints';
  const [row] = await connection.query<{ size: number }>({ name: 'largest-checkpoint', text });
  return row?.size ?? 0;
}
