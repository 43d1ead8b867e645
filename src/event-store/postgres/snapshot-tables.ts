import { withConnection, type Connection } from '../../platform/postgres/connect.ts';
import type { SnapshotStore } from '../snapshots/snapshot-store.ts';

/** Snapshots in the database, where every node finds them. */
export interface SharedSnapshotStore extends SnapshotStore {
  /** Reads the positions of the stored snapshots, which `positions` returns until the next call. */
  refresh(connection: Pick<Connection, 'query'>): Promise<void>;
}

const PIECE_BYTES = 1_048_576;

/** At startup, a node reads one piece at a time, and must not wait long for a database that is not responding. */
const READ_TIMEOUT_MILLISECONDS = 10_000;
/** One statement removes a whole snapshot, which may take up many gigabytes. */
const CHANGE_TIMEOUT_MILLISECONDS = 600_000;

/**
 * One transaction stores a snapshot, so only complete ones are visible. A snapshot is read piece by piece. If it is
 * removed while it is being read, the bytes end early, and the missing last frame shows that it is incomplete.
 * @param open opens a connection for one snapshot, with a time limit (in milliseconds) for each statement
 */
export function createSnapshotTables(open: (milliseconds: number) => Promise<Connection>): SharedSnapshotStore {
  let positions: readonly number[] = [];

  const openForChange = (): Promise<Connection> => open(CHANGE_TIMEOUT_MILLISECONDS);

  return {
    positions: () => positions,

    async refresh(connection) {
      const text = 'select position from grantlog.snapshots order by position';
      const rows = await connection.query<{ position: number }>({ name: 'snapshots', text });
      positions = rows.map(({ position }) => position);
    },

    write: (position, chunks) =>
      withConnection(openForChange, async (connection) => {
        await connection.query({ text: 'begin' });
        await connection.query({ text: 'insert into grantlog.snapshots (position) values ($1)', values: [position] });
        let number = 0;
        for (const bytes of splitIntoPieces(chunks, PIECE_BYTES)) {
          await connection.query({ ...INSERT_PIECE, values: [position, number, bytes] });
          number += 1;
        }
        await connection.query({ text: 'commit' });
        positions = [...positions, position].toSorted((left, right) => left - right);
      }),

    async *read(position) {
      const connection = await open(READ_TIMEOUT_MILLISECONDS);
      const readPiece = (number: number): Promise<readonly PieceRow[]> =>
        connection.query<PieceRow>({ ...SELECT_PIECE, values: [position, number] });
      let nextPiece = readPiece(0);
      try {
        for (let number = 0; ; number += 1) {
          const [piece] = await nextPiece;
          if (piece === undefined) return;
          nextPiece = readPiece(number + 1); // read while the consumer works on this one
          yield piece.bytes;
        }
      } finally {
        nextPiece.catch(() => {}); // never awaited if the consumer stops
        connection.destroy();
      }
    },

    remove: (position) =>
      withConnection(openForChange, async (connection) => {
        await connection.query({ text: 'delete from grantlog.snapshots where position = $1', values: [position] });
        positions = positions.filter((candidate) => candidate !== position);
      }),
  };
}

interface PieceRow {
  readonly bytes: Buffer;
}

const INSERT_PIECE = { name: 'insert-piece', text: 'insert into grantlog.snapshot_pieces values ($1, $2, $3)' };

const SELECT_PIECE = {
  name: 'select-piece',
  text: 'select bytes from grantlog.snapshot_pieces where position = $1 and number = $2',
};

/**
 * Yields the same bytes in pieces of `size`; the last one may be shorter. Each is valid until the next is requested.
 */
function* splitIntoPieces(chunks: Iterable<Uint8Array>, size: number): Generator<Buffer, void, void> {
  const piece = Buffer.allocUnsafeSlow(size);
  let filledBytes = 0;
  for (const chunk of chunks) {
    for (let from = 0; from < chunk.length;) {
      const part = chunk.subarray(from, from + size - filledBytes);
      piece.set(part, filledBytes);
      from += part.length;
      filledBytes += part.length;
      if (filledBytes < size) continue;
      yield piece;
      filledBytes = 0;
    }
  }
  if (filledBytes > 0) yield piece.subarray(0, filledBytes);
}
