import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { Client } from 'pg';
import type { Postgres } from '../../../scripts/postgres/cluster.ts';
import { queryOnce } from '../../../scripts/postgres/query-once.ts';
import { startReplication, type Replication } from '../../support/postgres/replication.ts';

const TIMEOUT_MILLISECONDS = 500;

async function insert(server: Postgres, database: string, id: number): Promise<void> {
  await queryOnce(server.url(database), `INSERT INTO things VALUES (${id})`);
}

/** Resolves with "committed" or an error message. After a timeout, the statement keeps waiting on the server. */
async function tryToInsert(server: Postgres, database: string, id: number): Promise<string> {
  const client = new Client({ connectionString: server.url(database), query_timeout: TIMEOUT_MILLISECONDS });
  client.on('error', () => {}); // the server is killed later
  await client.connect();
  return client.query('INSERT INTO things VALUES ($1)', [id]).then(
    () => 'committed',
    (error: Error) => error.message,
  );
}

async function readIds(server: Postgres, database: string): Promise<readonly number[]> {
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
    const [firstStandby, secondStandby] = replication.otherServers() as readonly [Postgres, Postgres];
    firstStandby.freeze();
    await insert(replication.primary(), database, 1);
    secondStandby.freeze();
    expect(await tryToInsert(replication.primary(), database, 2)).to.equal('Query read timeout');
    firstStandby.thaw();
    secondStandby.thaw();
    await insert(replication.primary(), database, 3);
  });

  it('loses no acknowledged commit when the primary dies, even if a standby lags behind', async () => {
    const [laggingStandby] = replication.otherServers() as readonly [Postgres, Postgres];
    const oldPrimary = replication.primary();
    laggingStandby.freeze();
    await insert(oldPrimary, database, 4);
    await oldPrimary.kill();
    laggingStandby.thaw();
    await replication.failOver();
    expect(replication.primary()).not.to.equal(laggingStandby);
    expect(await readIds(replication.primary(), database)).to.include.members([1, 3, 4]);
    await insert(replication.primary(), database, 5);
    while (!(await readIds(laggingStandby, database)).includes(5)) await setTimeout(20); // replayed with a delay
    expect(await readIds(laggingStandby, database)).to.include.members([1, 3, 4, 5]);
  });

  it('acknowledges no commit on the old primary after it has been restarted', async () => {
    const oldPrimary = replication.otherServers().find((server) => server.pid() === undefined);
    await oldPrimary?.restart();
    expect(await tryToInsert(oldPrimary as Postgres, database, 6)).to.equal('Query read timeout');
    expect(await readIds(replication.primary(), database)).not.to.include(6);
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
      expect(await readIds(replication.primary(), database)).to.deep.equal([1, 2]);
    } finally {
      await replication.destroy();
    }
  });
});
