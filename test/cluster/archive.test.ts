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
  let node: ServiceNode;
  let directory: string;

  beforeEach(async () => {
    nodes = await createServiceNodes();
    node = await nodes.open();
    directory = dirname(node.dataDir);
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
  function runAs(commandLine: string, role: string): Promise<CommandResult> {
    const { host, pathname } = new URL(nodes.url);
    return runOnDatabase(commandLine.split(' '), {
      GRANTLOG_LOG: `postgres://${role}:secret@${host}${pathname}`,
      GRANTLOG_KEYS: join(directory, 'keys'),
      GRANTLOG_ARCHIVE: join(directory, 'archive'),
      DATA_DIR: join(directory, 'command'),
    });
  }

  const archive = (role: string): Promise<CommandResult> =>
    runAs(`log archive --before ${new Date(Date.now() + 60_000).toISOString()} --yes --json`, role);

  it('continue to read, prove and verify, and only the documented role can archive', async () => {
    await createGroups(node, 'group', 300);
    const last = node.service.log.head();
    const QUERIES = ['log export', 'log tail --limit 300', 'log as-of --position 100 --json', 'log prove 7 --json'];
    const runQueries = async (): Promise<readonly CommandResult[]> => {
      const results: CommandResult[] = [];
      for (const commandLine of QUERIES) results.push(await runAs(commandLine, NODE));
      return results;
    };
    await node.service.attestation.checkpointNow();
    const resultsBefore = await runQueries();
    for (const { status, err } of resultsBefore) expect(status, err).to.equal(0);
    const record = await readRecord(node.service.log, 9 as never);

    const refusal = await archive(NODE);
    expect(refusal.status, refusal.err).to.equal(1);
    expect(refusal.err).to.include(`the database role ${NODE} may not remove events`);
    const result = await archive(ARCHIVE);
    expect(result, result.err).to.include({ status: 0 });
    expect(JSON.parse(result.out)).to.include({ events: last - 1, end: last - 1 });
    expect(await nodes.query('select min(position) as oldest from grantlog.events')).to.deep.equal([
      { oldest: String(last) },
    ]);
    expect(readdirSync(join(directory, 'archive')).filter((name) => name.endsWith('.seal'))).to.have.length(1);

    expect(await runQueries()).to.deep.equal(resultsBefore);
    expect(await readRecord(node.service.log, 9 as never)).to.equal(record);
    for (const commandLine of ['log verify', 'log replay', `backup ${join(directory, 'backup')}`]) {
      const { status, out, err } = await runAs(commandLine, NODE);
      expect(status, `${commandLine}: ${out}${err}`).to.equal(0);
    }
    const newNode = await nodes.open(); // with an empty data directory
    expect(newNode.service.log.head()).to.equal(node.service.log.head());
    await createGroups(newNode, 'later group', 3);
    expect(await newNode.service.groupDirectory.create('group 7', OPERATOR)).to.deep.equal({ takenBy: 'group 7' });
    expect((await newNode.service.attestation.checkpointNow()).length).to.be.above(0);
  });
});

async function createGroups({ service }: ServiceNode, name: string, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) await service.groupDirectory.create(`${name} ${index}`, OPERATOR);
}
