import { withConnection, type Connection } from '../../platform/postgres/connect.ts';

/** Full tiles of the Merkle tree above the leaf hashes, for nodes that have not computed them. */
export interface TileTable {
  read(level: number, index: number): Promise<Buffer | undefined>;
  /** Returns the index of the last stored tile of each level. Tiles are stored in order. */
  lastIndexes(): Promise<ReadonlyMap<number, number>>;
  add(level: number, index: number, hashes: Buffer): Promise<void>;
}

/** Creates the table. Each statement opens its own connection, because statements are rare. */
export function createTileTable(open: () => Promise<Connection>): TileTable {
  const query = <Row extends object>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> =>
    withConnection(open, (connection) => connection.query<Row>({ text, values }));

  return {
    async read(level, index) {
      const text = 'select hashes from grantlog.tiles where level = $1 and index = $2';
      const [row] = await query<{ hashes: Buffer }>(text, [level, index]);
      return row?.hashes;
    },
    async lastIndexes() {
      const text = 'select level, max(index) as last from grantlog.tiles group by level';
      return new Map((await query<{ level: number; last: number }>(text)).map(({ level, last }) => [level, last]));
    },
    async add(level, index, hashes) {
      const text = 'insert into grantlog.tiles values ($1, $2, $3) on conflict do nothing';
      await query(text, [level, index, hashes]);
    },
  };
}
