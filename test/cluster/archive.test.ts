import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { queryOnce } from '../../scripts/postgres/query-once.ts';
import { codeBlocksOf, readDocument } from '../support/documents.ts';
import { runOnDatabase, type CommandResult } from '../support/postgres/run-on-database.ts';
import {
  readRecord,
  createServiceNodes,
  type ServiceNode,
  type ServiceNodes,
} from '../support/postgres/service-nodes.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const [NODE, ARCHIVE] = ['grantlog_node', 'grantlog_archive'];

describe('Nodes whose log is archived', function () {
  this.timeout(300_000);
  let nodes: ServiceNodes;
  let running: ServiceNode;
  let directory: string;

  beforeEach(async () => {
    nodes = await createServiceNodes();
    running = await nodes.open();
    directory = dirname(running.dataDir);
    const [nodeGrants, archiveGrants] = codeBlocksOf(readDocument('docs/operations.md')).filter(
      ({ language }) => language === 'sql',
    );
    for (const role of [NODE, ARCHIVE]) await queryOnce(nodes.url, `create role ${role} login password 'secret'`);
    for (const grants of [nodeGrants, archiveGrants])
      await queryOnce(nodes.url, grants?.code ?? expect.fail('no grants are documented'));
  });
  afterEach(async () => {
    await nodes.close();
    await queryOnce(nodes.url, `drop owned by ${ARCHIVE}, ${NODE}; drop role ${ARCHIVE}; drop role ${NODE}`);
  });

  /** Runs a command as if on a machine without a node. */
  function runWords(words: string, role: string): Promise<CommandResult> {
    const { host, pathname } = new URL(nodes.url);
    return runOnDatabase(words.split(' '), {
      GRANTLOG_LOG: `postgres://${role}:secret@${host}${pathname}`,
      GRANTLOG_KEYS: join(directory, 'keys'),
      GRANTLOG_ARCHIVE: join(directory, 'archive'),
      DATA_DIR: join(directory, 'command'),
    });
  }

  const archive = (role: string): Promise<CommandResult> =>
    runWords(`log archive --before ${new Date(Date.now() + 60_000).toISOString()} --yes --json`, role);

  it('continue to read, prove and verify, and only the documented role can archive', async () => {
    await createGroups(running, 'group', 300);
    const last = running.service.log.head();
    const QUERIES = ['log export', 'log tail --limit 300', 'log as-of --position 100 --json', 'log prove 7 --json'];
    const runQueries = async (): Promise<readonly CommandResult[]> => {
      const results: CommandResult[] = [];
      for (const words of QUERIES) results.push(await runWords(words, NODE));
      return results;
    };
    await running.service.attestation.checkpointNow();
    const before = await runQueries();
    for (const { status, err } of before) expect(status, err).to.equal(0);
    const record = await readRecord(running.service.log, 9 as never);

    const refused = await archive(NODE);
    expect(refused.status, refused.err).to.equal(1);
    expect(refused.err).to.include(`the database role ${NODE} may not remove events`);
    const archived = await archive(ARCHIVE);
    expect(archived, archived.err).to.include({ status: 0 });
    expect(JSON.parse(archived.out)).to.include({ events: last - 1, end: last - 1 });
    expect(await nodes.query('select min(position) as oldest from grantlog.events')).to.deep.equal([
      { oldest: String(last) },
    ]);
    expect(readdirSync(join(directory, 'archive')).filter((name) => name.endsWith('.seal'))).to.have.length(1);

    expect(await runQueries()).to.deep.equal(before);
    expect(await readRecord(running.service.log, 9 as never)).to.equal(record);
    for (const words of ['log verify', 'log replay', `backup ${join(directory, 'backup')}`]) {
      const { status, out, err } = await runWords(words, NODE);
      expect(status, `${words}: ${out}${err}`).to.equal(0);
    }
    const joined = await nodes.open(); // with an empty data directory
    expect(joined.service.log.head()).to.equal(running.service.log.head());
    await createGroups(joined, 'later group', 3);
    expect(await joined.service.groupDirectory.create('group 7', OPERATOR)).to.deep.equal({ taken: 'group 7' });
    expect((await joined.service.attestation.checkpointNow()).length).to.be.above(0);
  });
});

async function createGroups({ service }: ServiceNode, name: string, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) await service.groupDirectory.create(`${name} ${index}`, OPERATOR);
}
