import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { migrate } from '../../../src/event-store/postgres/migrate.ts';
import { createSnapshotTables, type SharedSnapshotStore } from '../../../src/event-store/postgres/snapshot-tables.ts';
import { connectPrimary } from '../../../src/platform/postgres/connect.ts';
import { parsePostgresUrl } from '../../../src/platform/postgres/connection-url.ts';
import { createDatabase } from '../../support/postgres/cluster.ts';
import { withConnection } from '../../support/postgres/open-log.ts';

describe('snapshots in a database', () => {
  let url: string;
  let store: SharedSnapshotStore;
  beforeEach(async () => {
    url = await createDatabase();
    await withConnection(url, (connection) => migrate(connection, '1.0.0'));
    store = openStore();
  });

  const openStore = (): SharedSnapshotStore =>
    createSnapshotTables((timeoutMilliseconds) =>
      connectPrimary(parsePostgresUrl(url), { purpose: 'test', timeoutMilliseconds }),
    );

  async function readContents(position: number, from = store): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of from.read(position)) chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks);
  }

  it('have the same bytes on every node, for any length', async () => {
    const snapshots = [0, 1, 1_048_576, 1_048_577, 3_000_000].map((length) => randomBytes(length));
    for (const [index, bytes] of snapshots.entries())
      await store.write(index + 1, [bytes.subarray(0, 10), bytes.subarray(10, 2_000_000), bytes.subarray(2_000_000)]);
    const otherStore = openStore();
    await withConnection(url, (connection) => otherStore.refresh(connection));
    expect(otherStore.positions()).to.deep.equal([1, 2, 3, 4, 5]);
    for (const [index, bytes] of snapshots.entries())
      expect((await readContents(index + 1, otherStore)).equals(bytes), String(bytes.length)).to.equal(true);
  });

  it('are stored completely or not at all', async () => {
    await store.write(1, [randomBytes(10)]);
    function* failingChunks(): Generator<Buffer> {
      yield randomBytes(2_000_000);
      throw new Error('the process ends');
    }
    const outcome = await store.write(2, failingChunks()).catch((error: unknown) => String(error));
    expect(outcome).to.equal('Error: the process ends');
    await withConnection(url, (connection) => store.refresh(connection));
    expect(store.positions()).to.deep.equal([1]);
    expect(await readContents(2)).to.have.length(0);
  });

  it('can be removed', async () => {
    for (const position of [1, 2]) await store.write(position, [randomBytes(10)]);
    await store.remove(1);
    await withConnection(url, (connection) => store.refresh(connection));
    expect(store.positions()).to.deep.equal([2]);
    expect(await readContents(1)).to.have.length(0);
  });
});
