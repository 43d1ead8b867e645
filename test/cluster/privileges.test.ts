import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { queryOnce } from '../../scripts/postgres/query-once.ts';
import { migrateDatabase } from '../../src/composition/postgres-directory.ts';
import { codeBlocksOf, readDocument } from '../support/documents.ts';
import { createDatabase } from '../support/postgres/cluster.ts';
import { runOnDatabase } from '../support/postgres/run-on-database.ts';

const ROLE = 'grantlog_node';

describe('A node with the documented privileges', function () {
  this.timeout(180_000);
  let database: string;
  let nodeUrl: string;
  let dataDir: string;

  before(async () => {
    database = await createDatabase();
    await migrateDatabase(database);
    await queryOnce(database, `create role ${ROLE} login password 'secret'`);
    const [grants] = codeBlocksOf(readDocument('docs/operations.md')).filter(({ language }) => language === 'sql');
    await queryOnce(database, grants?.code ?? expect.fail('no grants are documented'));
    const { host, pathname } = new URL(database);
    nodeUrl = `postgres://${ROLE}:secret@${host}${pathname}`;
    dataDir = mkdtempSync(join(tmpdir(), 'grantlog-'));
  });
  after(async () => {
    await queryOnce(database, `drop owned by ${ROLE}; drop role ${ROLE}`);
    rmSync(dataDir, { recursive: true });
  });

  it('appends events, signs checkpoints, keeps its keys in the database, and erases a user', async () => {
    const env = {
      GRANTLOG_LOG: nodeUrl,
      GRANTLOG_KEYS: 'database',
      GRANTLOG_KEYS_SECRET: '5a'.repeat(32),
      GRANTLOG_SNAPSHOT_EVENTS: '1',
      DATA_DIR: dataDir,
    };
    const run = async (commandLine: string, input = ''): Promise<void> => {
      const result = await runOnDatabase(commandLine.split(' '), env, input);
      expect([commandLine, result.status]).to.deep.equal([commandLine, 0]);
      expect(result.err).not.to.include('permission denied');
    };
    await run('user add alice --password-stdin', 'correct horse battery');
    await run('log checkpoint');
    await run('user erase alice --yes');
    await run('log verify');
    await run('nodes');
    for (const table of ['keys', 'checkpoints', 'snapshot_pieces']) {
      const [row] = await queryOnce<{ count: string }>(database, `select count(*) from grantlog.${table}`);
      expect(Number(row?.count), table).to.be.above(0);
    }
  });

  for (const statement of [
    'update grantlog.events set record = record',
    'delete from grantlog.events',
    'truncate grantlog.events',
    'delete from grantlog.checkpoints',
    'update grantlog.checkpoints set root = root',
    'drop table grantlog.events',
    'create table grantlog.more ()',
  ]) {
    it(`cannot ${statement}`, async () => {
      const refusal: unknown = await queryOnce(nodeUrl, statement).catch((error: unknown) => error);
      expect(refusal)
        .to.be.an('error')
        .with.property('message')
        .that.matches(/permission denied|must be owner/);
    });
  }
});
