import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runOnDatabase } from '../support/postgres/run-on-database.ts';
import { issueTokens, createServiceNodes, type ServiceNodes } from '../support/postgres/service-nodes.ts';

describe('A node on a database that was restored to an earlier state', function () {
  this.timeout(180_000);
  let nodes: ServiceNodes;
  let scratch: string;

  beforeEach(async () => {
    nodes = await createServiceNodes();
    scratch = mkdtempSync(join(tmpdir(), 'grantlog-'));
  });
  afterEach(async () => {
    await nodes.close();
    rmSync(scratch, { recursive: true });
  });

  it('refuses to start until the evidence in its directory is removed', async () => {
    const env = { GRANTLOG_LOG: nodes.url, GRANTLOG_KEYS: join(scratch, 'keys'), DATA_DIR: join(scratch, 'data') };
    const run = (commandLine: string) => runOnDatabase(commandLine.split(' '), env);
    for (const name of ['one', 'two', 'three']) expect((await run(`group add ${name}`)).status).to.equal(0);
    for (const table of ['checkpoints', 'snapshots']) await nodes.query(`delete from grantlog.${table}`);
    await nodes.query('delete from grantlog.events where position > 1');
    await nodes.query('update grantlog.head set position = 1');

    const refusal = await run('group list');
    expect(refusal.status).to.equal(2);
    expect(refusal.err)
      .to.match(/records|events/)
      .and.include('changed or removed')
      .and.include('Set GRANTLOG_LOG to the database that has them')
      .and.not.include('repair');
    for (const evidence of ['log.head', 'checkpoints', 'tile']) {
      rmSync(join(env.DATA_DIR, evidence), { recursive: true, force: true });
    }
    expect((await run('group list')).out)
      .to.match(/one/)
      .and.not.match(/two/);
    expect((await run('log verify')).status).to.equal(0);
  });

  it('stops if the database is restored while the node is running', async () => {
    const node = await nodes.open();
    await issueTokens(node, 3);
    await nodes.query('delete from grantlog.events where position > 1');
    await nodes.query('update grantlog.head set position = 1');
    await nodes.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
      and pid <> pg_backend_pid()`);
    const { message } = await node.service.log.failed;
    expect(message).to.include('which this node has').and.include('GRANTLOG_LOG').and.not.include('data directory');
  });

  it('says what to do about damaged evidence', async () => {
    const env = { GRANTLOG_LOG: nodes.url, GRANTLOG_KEYS: join(scratch, 'keys'), DATA_DIR: join(scratch, 'data') };
    await runOnDatabase(['group', 'add', 'one'], env);
    writeFileSync(join(env.DATA_DIR, 'log.head'), 'damaged');
    const refusal = await runOnDatabase(['group', 'list'], env);
    expect(refusal.err).to.include('log.head').and.include('remove the original').and.not.include('repair');
    rmSync(join(env.DATA_DIR, 'log.head'));
    expect(await runOnDatabase(['group', 'list'], env)).to.include({ status: 0 });
  });
});
