import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { Client } from 'pg';
import { queryOnce } from '../../../scripts/postgres/query-once.ts';
import { createDatabase } from '../../support/postgres/cluster.ts';
import { startProxy, type PostgresProxy } from '../../support/postgres/proxy.ts';

describe('A proxy in front of PostgreSQL', () => {
  let url: string;
  let proxy: PostgresProxy;
  const clients: Client[] = [];

  before(async () => {
    url = await createDatabase();
    await queryOnce(url, 'CREATE TABLE things (id int, note text)');
    proxy = await startProxy(Number(new URL(url).port));
  });
  afterEach(async () => {
    await proxy.pass();
    await Promise.all(clients.splice(0).map((client) => client.end().catch(() => {})));
    await queryOnce(url, 'DELETE FROM things');
  });
  after(() => proxy.close());

  async function connect(): Promise<Client> {
    const client = new Client({ connectionString: proxy.proxiedUrl(url) });
    client.on('error', () => {}); // the tests break connections
    await client.connect();
    clients.push(client);
    return client;
  }

  const failureCode = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'none',
      (error: NodeJS.ErrnoException) => error.code ?? error.message,
    );
  const readIds = async (): Promise<readonly number[]> =>
    (await queryOnce<{ id: number }>(url, 'SELECT id FROM things ORDER BY id')).map(({ id }) => id);

  it('forwards requests and replies unchanged', async () => {
    const client = await connect();
    const note = 'x'.repeat(300_000);
    await client.query('INSERT INTO things VALUES (1, $1)', [note]);
    expect((await client.query('SELECT note FROM things')).rows).to.deep.equal([{ note }]);
  });

  it('resets all connections, and lets clients connect again', async () => {
    const [firstClient, secondClient] = [await connect(), await connect()];
    const queries = [firstClient, secondClient].map((client) => failureCode(client.query('SELECT pg_sleep(60)')));
    proxy.cut();
    expect(await Promise.all(queries)).to.deep.equal(['ECONNRESET', 'ECONNRESET']);
    expect((await (await connect()).query('SELECT 1 AS one')).rows).to.deep.equal([{ one: 1 }]);
  });

  it('can refuse new connections while it keeps existing ones', async () => {
    const client = await connect();
    await proxy.refuse();
    expect(await failureCode(connect())).to.equal('ECONNREFUSED');
    await client.query('INSERT INTO things VALUES (1)');
    await proxy.pass();
    await connect();
    expect(await readIds()).to.deep.equal([1]);
  });

  it('delays all data during a partition, and delivers it afterward', async () => {
    const client = await connect();
    proxy.partition();
    const insertion = client.query('INSERT INTO things VALUES (1)').then(() => 'answered');
    const connection = connect().then(() => 'connected');
    expect(await Promise.race([insertion, connection, setTimeout(200, 'nothing')])).to.equal('nothing');
    expect(await readIds()).to.deep.equal([]);
    await proxy.pass();
    expect(await Promise.all([insertion, connection])).to.deep.equal(['answered', 'connected']);
    expect(await readIds()).to.deep.equal([1]);
  });

  it('delivers a request after a partition, even if the client has closed its connection', async () => {
    const client = await connect();
    proxy.partition();
    const insertion = failureCode(client.query('INSERT INTO things VALUES (1)'));
    (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    await insertion;
    await proxy.pass();
    while ((await readIds()).length === 0) await setTimeout(20);
    expect(await readIds()).to.deep.equal([1]);
  });

  it('delays requests and replies, and keeps the order of their chunks', async () => {
    const client = await connect();
    proxy.delay(20);
    const note = Array.from({ length: 50_000 }, (_, index) => index).join();
    const start = performance.now();
    await client.query('INSERT INTO things VALUES (1, $1)', [note]);
    expect(performance.now() - start).to.be.above(2 * 19); // timers may be a millisecond early
    expect((await client.query('SELECT note FROM things')).rows).to.deep.equal([{ note }]);
  });

  describe('that drops a reply', () => {
    it('resets the connection after the statement has been committed', async () => {
      const client = await connect();
      const drop = proxy.dropNextReply(/INSERT/);
      expect(await failureCode(client.query('INSERT INTO things VALUES (1)'))).to.equal('ECONNRESET');
      await drop;
      expect(await readIds()).to.deep.equal([1]);
    });

    it('finds the COMMIT of a transaction, and forwards the replies before it', async () => {
      const [client, otherClient] = [await connect(), await connect()];
      const drop = proxy.dropNextReply(/COMMIT/);
      await client.query('BEGIN');
      await client.query('INSERT INTO things VALUES (1)');
      await otherClient.query('INSERT INTO things VALUES (2)');
      expect(await failureCode(client.query('COMMIT'))).to.equal('ECONNRESET');
      await drop;
      expect(await readIds()).to.deep.equal([1, 2]);
    });

    it('finds a prepared statement by its name', async () => {
      const client = await connect();
      const statement = { name: 'append', text: 'INSERT INTO things VALUES ($1)' };
      await client.query({ ...statement, values: [1] });
      const drop = proxy.dropNextReply(/\0append\0/);
      expect(await failureCode(client.query({ ...statement, values: [2] }))).to.equal('ECONNRESET');
      await drop;
      expect(await readIds()).to.deep.equal([1, 2]);
    });

    it('waits for the end of a long reply', async () => {
      const client = await connect();
      const drop = proxy.dropNextReply(/RETURNING/);
      const longStatement =
        "INSERT INTO things SELECT i, repeat('x', 1000) FROM generate_series(1, 2000) AS i RETURNING *";
      expect(await failureCode(client.query(longStatement))).to.equal('ECONNRESET');
      await drop;
      expect(await readIds()).to.have.lengthOf(2000);
    });

    it('drops only one reply', async () => {
      const client = await connect();
      const drop = proxy.dropNextReply(/INSERT/);
      await failureCode(client.query('INSERT INTO things VALUES (1)'));
      await drop;
      await (await connect()).query('INSERT INTO things VALUES (2)');
      expect(await readIds()).to.deep.equal([1, 2]);
    });
  });
});
