import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { Client } from 'pg';
import { startPostgres, type Postgres } from '../../../scripts/postgres/cluster.ts';
import { isRunning } from '../../../scripts/postgres/process-tree.ts';
import { queryOnce } from '../../../scripts/postgres/query-once.ts';
import { createDatabase } from '../../support/postgres/cluster.ts';
import { RUN_TYPESCRIPT } from '../../support/typescript.ts';

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {}); // the tests break connections
  await client.connect();
  return client;
}

async function query(url: string, statement: string): Promise<readonly unknown[]> {
  return (await queryOnce(url, statement)).flatMap(Object.values);
}

async function waitUntil(condition: () => boolean): Promise<void> {
  while (!condition()) await setTimeout(20);
}

describe('A test database', () => {
  it('is empty and separate from the databases of other tests, even in the same cluster', async () => {
    const [firstUrl, secondUrl] = [await createDatabase(), await createDatabase()];
    await query(firstUrl, 'CREATE TABLE things (id int)');
    const tables = "SELECT count(*)::int FROM pg_tables WHERE schemaname = 'public'";
    expect(await query(firstUrl, tables)).to.deep.equal([1]);
    expect(await query(secondUrl, tables)).to.deep.equal([0]);
    expect(new URL(firstUrl).host).to.equal(new URL(secondUrl).host);
  });

  it('requires the password in its URL', async () => {
    const url = new URL(await createDatabase());
    url.password = 'wrong';
    const error = await connect(url.href).then(
      () => undefined,
      (reason: Error) => reason.message,
    );
    expect(error).to.match(/password authentication failed/);
  });
});

describe('A separate PostgreSQL cluster', () => {
  let postgres: Postgres;
  let url: string;

  before(async () => {
    postgres = await startPostgres();
    url = await postgres.createDatabase();
    await query(url, 'CREATE TABLE things (id int)');
  });
  after(() => postgres.destroy());

  it('commits durably by default', async () => {
    expect(await query(url, 'SHOW fsync')).to.deep.equal(['on']);
    expect(await query(url, 'SHOW synchronous_commit')).to.deep.equal(['on']);
  });

  it('keeps committed data and its port after a stop and after a kill', async () => {
    await query(url, 'INSERT INTO things VALUES (1)');
    await postgres.restart();
    await query(url, 'INSERT INTO things VALUES (2)');
    await postgres.kill();
    expect(await connect(url).catch((error: NodeJS.ErrnoException) => error.code)).to.equal('ECONNREFUSED');
    await postgres.restart();
    expect(await query(url, 'SELECT id FROM things ORDER BY id')).to.deep.equal([1, 2]);
  });

  it('leaves no process running when it is killed', async () => {
    const client = await connect(url);
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const backend = rows[0]?.pid ?? 0;
    expect(isRunning(backend)).to.equal(true);
    await postgres.kill();
    expect(isRunning(backend)).to.equal(false);
    await postgres.restart();
  });

  it('does not respond while it is frozen', async () => {
    const client = await connect(url);
    postgres.freeze();
    const result = client.query('SELECT 1').then(() => 'answered');
    const newConnection = connect(url).then((newClient) => newClient.end());
    expect(await Promise.race([result, newConnection, setTimeout(300, 'nothing')])).to.equal('nothing');
    postgres.thaw();
    expect(await result).to.equal('answered');
    await newConnection;
    await client.end();
  });

  it('reports the reason if it does not start', async () => {
    const error = await startPostgres({ shared_buffers: 'nonsense' }).catch((reason: Error) => reason.message);
    expect(error).to.match(/exited before it accepted connections[^]*invalid value for parameter "shared_buffers"/);
  });
});

describe('A PostgreSQL cluster whose parent process dies', () => {
  const program = `
    import { startPostgres } from './scripts/postgres/cluster.ts';
    const postgres = await startPostgres();
    process.send({ pid: postgres.pid(), directory: postgres.directory });
    process.on('message', () => postgres.freeze());
    process.on('message', () => process.send({}));
  `;
  for (const isFrozen of [false, true]) {
    it(`stops and leaves no files behind${isFrozen ? ', even if it is frozen' : ''}`, async () => {
      const child = spawn(process.execPath, [RUN_TYPESCRIPT, '--input-type=module', '-e', program], {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
      const [{ pid, directory }] = (await once(child, 'message')) as [{ pid: number; directory: string }];
      if (isFrozen) {
        child.send('freeze');
        await once(child, 'message');
      }
      expect([isRunning(pid), existsSync(directory)]).to.deep.equal([true, true]);
      child.kill('SIGKILL');
      await waitUntil(() => !isRunning(pid) && !existsSync(directory));
    });
  }
});
