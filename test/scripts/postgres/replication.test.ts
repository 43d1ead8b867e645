import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { Client } from 'pg';
import type { Postgres } from '../../../scripts/postgres/cluster.ts';
import { queryOnce } from '../../../scripts/postgres/query-once.ts';
import { startReplication, type Replication } from '../../support/postgres/replication.ts';

const PATIENCE_MS = 500;

async function insert(server: Postgres, database: string, id: number): Promise<void> {
  await queryOnce(server.url(database), `INSERT INTO things VALUES (${id})`);
}

/** Resolves with "committed" or an error message. After a timeout, the statement keeps waiting on the server. */
async function tryToInsert(server: Postgres, database: string, id: number): Promise<string> {
  const client = new Client({ connectionString: server.url(database), query_timeout: PATIENCE_MS });
  client.on('error', () => {}); // the server is killed later
  await client.connect();
  return client.query('INSERT INTO things VALUES ($1)', [id]).then(
    () => 'committed',
    (error: Error) => error.message,
  );
}

async function idsOn(server: Postgres, database: string): Promise<readonly number[]> {
  const rows = await queryOnce<{ id: number }>(server.url(database), 'SELECT id FROM things ORDER BY id');
  return rows.map(({ id }) => id);
}

describe('A primary with two standbys', function () {
  this.timeout(300_000);

  let replication: Replication;
  let database: string;
  let url: string;

  before(async () => {
    replication = await startReplication(2);
    url = await replication.createDatabase();
    database = url.slice(url.lastIndexOf('/') + 1);
    await queryOnce(replication.primary().url(database), 'CREATE TABLE things (id int)');
  });
  after(() => replication.destroy());

  it('has a connection URL with the addresses of all three servers', () => {
    const ports = [replication.primary(), ...replication.otherServers()].map(({ port }) => `127.0.0.1:${port}`);
    expect(url).to.match(/^postgres:\/\/grantlog:\w+@/);
    expect(url).to.include(`@${ports.join(',')}/`);
  });

  it('commits while one standby is lost, and acknowledges no commit while both are lost', async () => {
    const [one, other] = replication.otherServers() as readonly [Postgres, Postgres];
    one.freeze();
    await insert(replication.primary(), database, 1);
    other.freeze();
    expect(await tryToInsert(replication.primary(), database, 2)).to.equal('Query read timeout');
    one.thaw();
    other.thaw();
    await insert(replication.primary(), database, 3);
  });

  it('loses no acknowledged commit when the primary dies, even if a standby lags behind', async () => {
    const [lagging] = replication.otherServers() as readonly [Postgres, Postgres];
    const old = replication.primary();
    lagging.freeze();
    await insert(old, database, 4);
    await old.kill();
    lagging.thaw();
    await replication.failOver();
    expect(replication.primary()).not.to.equal(lagging);
    expect(await idsOn(replication.primary(), database)).to.include.members([1, 3, 4]);
    await insert(replication.primary(), database, 5);
    while (!(await idsOn(lagging, database)).includes(5)) await setTimeout(20); // commits appear with a delay
    expect(await idsOn(lagging, database)).to.include.members([1, 3, 4, 5]);
  });

  it('acknowledges no commit on the old primary after a restart', async () => {
    const old = replication.otherServers().find((server) => server.pid() === undefined);
    await old?.restart();
    expect(await tryToInsert(old as Postgres, database, 6)).to.equal('Query read timeout');
    expect(await idsOn(replication.primary(), database)).not.to.include(6);
  });
});

describe('A primary with one standby', function () {
  this.timeout(300_000);

  it('fails over to the standby, which then commits alone', async () => {
    const replication = await startReplication(1);
    try {
      const database = new URL(await replication.primary().createDatabase()).pathname.slice(1);
      await queryOnce(replication.primary().url(database), 'CREATE TABLE things (id int)');
      await insert(replication.primary(), database, 1);
      await replication.failOver();
      await insert(replication.primary(), database, 2);
      expect(await idsOn(replication.primary(), database)).to.deep.equal([1, 2]);
    } finally {
      await replication.destroy();
    }
  });
});
