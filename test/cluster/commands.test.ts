import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import type { CheckResult } from '../../src/cli/doctor-checks.ts';
import type { NodeStatus } from '../../src/event-store/shared-storage.ts';
import { createDatabase } from '../support/postgres/cluster.ts';
import { runOnDatabase, type CommandResult } from '../support/postgres/run-on-database.ts';
import {
  issueTokens,
  createServiceNodes,
  type ServiceNode,
  type ServiceNodes,
} from '../support/postgres/service-nodes.ts';

describe('Commands for a log in PostgreSQL', function () {
  this.timeout(180_000);
  let nodes: ServiceNodes;
  let running: readonly ServiceNode[];
  let scratch: string;
  let keys: string;

  beforeEach(async () => {
    scratch = mkdtempSync(join(tmpdir(), 'grantlog-'));
    nodes = await createServiceNodes();
    running = [await nodes.open(), await nodes.open()];
    const [node] = running as readonly [ServiceNode];
    keys = join(dirname(node.dataDir), 'keys');
    await issueTokens(node, 3);
  });
  afterEach(async () => {
    await nodes.close();
    rmSync(scratch, { recursive: true, force: true });
  });

  /** Runs a command as if on a machine without a node. */
  const run = (commandLine: string, env: Readonly<Record<string, string>> = {}, input = ''): Promise<CommandResult> =>
    runOnDatabase(
      commandLine.split(' '),
      { GRANTLOG_LOG: nodes.url, GRANTLOG_KEYS: keys, DATA_DIR: join(scratch, 'data'), ...env },
      input,
    );
  const readJson = <Result>({ out }: CommandResult): Result => JSON.parse(out) as Result;
  const doctor = async (env: Readonly<Record<string, string>> = {}): Promise<(name: string) => CheckResult> => {
    const checks = readJson<readonly CheckResult[]>(await run('doctor --json', env));
    return (name) => checks.find(({ check }) => check === name) ?? expect.fail(`no check ${name}`);
  };

  it('read and change the log while nodes are running, and the nodes see the change when they catch up', async () => {
    expect(await run('user add alice --password-stdin', {}, 'correct horse battery')).to.include({ status: 0 });
    for (const { service } of running) {
      await service.freshness?.catchUp();
      expect(service.projections.users.findByName('alice')).not.to.equal(undefined);
    }
    for (const commandLine of ['user list', 'log replay', 'log tail', 'log as-of --position 2', 'log export'])
      expect(await run(commandLine), commandLine).to.include({ status: 0 });
    expect((await run('log what-if --set requirePkce=all')).status).to.equal(0);
  });

  it('sign a checkpoint only on request, because a node is the leader', async () => {
    const countCheckpoints = async () =>
      (await nodes.query<{ count: string }>('select count(*) from grantlog.checkpoints'))[0];
    const countBefore = await countCheckpoints();
    await run('group add staff');
    expect(await countCheckpoints()).to.deep.equal(countBefore);
    const { out } = await run('log checkpoint');
    expect(out).to.match(/^localhost\n4\n/);
  });

  it("report the setting to change if the log's keys are elsewhere", async () => {
    const { status, err } = await run('user list', { GRANTLOG_KEYS: '' });
    expect(status).to.equal(2);
    expect(err).to.include('lacks its keys').and.include('Set GRANTLOG_KEYS to the location of the keys');
    const otherLocation = await run('user list', { GRANTLOG_KEYS: join(scratch, 'other') });
    expect(otherLocation.err).to.include(join(scratch, 'other')).and.include('GRANTLOG_KEYS must name the location');
    expect(existsSync(join(scratch, 'other')), 'no new keys').to.equal(false);
  });

  it('explain which features need a log in a data directory, an archive or a running node', async () => {
    const archiveResult = await run('log archive --yes --before 2026-01-01');
    expect(archiveResult.status).to.equal(1);
    expect(archiveResult.err).to.include('Set GRANTLOG_ARCHIVE').and.include('no event was removed');
    expect((await run('why unknown')).err).to.include('Run the command on a machine that runs a node');
    const repairResult = await run('log repair');
    expect(repairResult.status).to.equal(2);
    expect(repairResult.err).to.include('GRANTLOG_LOG is set to a database').and.include('Restore the database');
  });

  it('back up the log while nodes are running, and restore it into another database', async () => {
    const [file, restoredDir, database] = [join(scratch, 'backup'), join(scratch, 'restored'), await createDatabase()];
    const backup = readJson<{ root: string; position: number }>(await run(`backup ${file} --json`));
    expect(backup.position).to.equal(3);
    const restore = await run(`restore ${file} ${restoredDir}`);
    expect(restore).to.include({ status: 0 });
    expect(restore.err).to.include(`grantlog log copy --from ${restoredDir} --to URL`);
    const copy = await run(`log copy --from ${restoredDir} --to ${database} --json`);
    expect(readJson<object>(copy)).to.include({ position: 3, root: backup.root });
    const env = { GRANTLOG_LOG: database, GRANTLOG_KEYS: join(restoredDir, 'keys'), DATA_DIR: join(scratch, 'new') };
    expect((await run('log verify', env)).out).to.include(backup.root);
  });

  describe('include `nodes`, which', () => {
    it('lists the running nodes until they stop', async () => {
      const [first, second] = running as readonly [ServiceNode, ServiceNode];
      await second.service.freshness?.catchUp();
      const statuses = readJson<readonly NodeStatus[]>(await run('nodes --json'));
      expect(statuses).to.have.length(2);
      for (const node of statuses) {
        expect(node).to.include({ running: true, host: hostname(), process_id: process.pid });
        expect(node.position + node.lag).to.equal(3);
        expect(node.started_at <= node.seen_at).to.equal(true);
      }
      await first.close();
      expect(readJson<readonly NodeStatus[]>(await run('nodes --json'))).to.have.length(1);
      await second.close();
      expect((await run('nodes')).out).to.equal('no node is running\n');
    });

    it('shows a node that stopped without deregistering', async () => {
      await nodes.query(`insert into grantlog.nodes (id, release, seen_at, position)
        values (gen_random_uuid(), '0.0.9', now() - interval '1 hour', 1)`);
      const statuses = readJson<readonly NodeStatus[]>(await run('nodes --json'));
      expect(statuses.at(-1)).to.include({ running: false, release: '0.0.9', position: 1, lag: 2, host: null });
      expect((await run('nodes')).out).to.match(/0\.0\.9 +no /);
    });

    it('requires the schema, but works without a database if none is configured', async () => {
      expect((await run('nodes', { GRANTLOG_LOG: await createDatabase() })).err).to.include('grantlog migrate');
      const result = await run('nodes', { GRANTLOG_LOG: '' });
      expect(result).to.include({ status: 0 }).and.to.have.property('out').that.includes('only one process can use it');
      expect(readJson(await run('nodes --json', { GRANTLOG_LOG: '' }))).to.deep.equal([]);
    });
  });

  describe('include `doctor`, which', () => {
    it('checks the database instead of a log in the data directory', async () => {
      await run('log checkpoint');
      const check = await doctor();
      expect(check('database'))
        .to.include({ ok: true })
        .and.to.have.property('says')
        .that.matches(/^PostgreSQL \d+/);
      expect(check('log')).to.include({ ok: true, says: '3 events in the database' });
      expect(check('checkpoints')).to.include({ ok: true, says: 'the newest covers 3 events' });
      expect(check('nodes').says).to.match(/^2 nodes running, release \d+\.\d+\.\d+/);
      expect(check('shared-keys').ok).to.equal(true);
      expect(check('database-standby').says).to.include('none is synchronous');
      // The test database trades durability for speed.
      expect(check('database-durability')).to.include({ ok: false });
      expect(check('database-durability').says).to.include('fsync, full_page_writes');
    });

    it('reports that nodes cannot share keys that are in DATA_DIR', async () => {
      expect((await doctor({ GRANTLOG_KEYS: '' }))('shared-keys')).to.include({
        ok: false,
        todo: 'set GRANTLOG_KEYS to a location that the nodes share',
      });
    });

    it("reports that the log's keys are missing from the configured location", async () => {
      expect((await doctor())('keys').ok).to.equal(true);
      const elsewhere = await doctor({ GRANTLOG_KEYS: join(scratch, 'elsewhere') });
      expect(elsewhere('keys')).to.include({ ok: false }).and.to.have.property('says').that.includes('log.key');
    });

    it('reports nodes with different releases, and a node that is far behind', async () => {
      const add = (release: string, position: number) =>
        nodes.query(`insert into grantlog.nodes values (gen_random_uuid(), '${release}', now(), now(), ${position})`);
      await add('0.0.9', 3);
      expect((await doctor())('nodes')).to.include({ ok: false, todo: 'upgrade all nodes to the same release' });
      await nodes.query('update grantlog.head set position = 20000');
      expect((await doctor())('nodes').todo).to.include('the log of the node that is behind');
    });

    it('reports a database that does not respond, or lacks the schema', async () => {
      const unreachable = await doctor({ GRANTLOG_LOG: 'postgres://user:secret@127.0.0.1:1/none' });
      expect(unreachable('database')).to.include({ ok: false });
      expect(unreachable('database').says).to.include('127.0.0.1:1').and.not.include('secret');
      expect((await doctor({ GRANTLOG_LOG: await createDatabase() }))('schema')).to.include({ ok: false });
    });
  });
});
