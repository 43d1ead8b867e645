import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { startNode } from '../../scripts/cluster/node-process.ts';
import type { RecordedEvent } from '../../src/event-store/event-log.ts';
import { issueTokens, createServiceNodes, until, type ServiceNodes } from '../support/postgres/service-nodes.ts';
import { RUN_GRANTLOG } from '../support/typescript.ts';

describe('A server process whose root differs from a signed root', function () {
  this.timeout(180_000);
  let nodes: ServiceNodes;

  beforeEach(async () => {
    nodes = await createServiceNodes();
  });
  afterEach(() => nodes.close());

  /** Selects the event by type, because its position varies: signing keys are introduced after startup. */
  const tamper = (event: RecordedEvent): RecordedEvent =>
    event.type === 'AccessTokenIssued' ? { ...event, record: event.record.replace('"read"', '"real"') } : event;

  it('serves until it reads the checkpoint, reports the difference, and stops with status 1', async () => {
    const leader = await nodes.open({ tamper });
    await until(() => leader.service.attestation.isLeader());
    const directory = dirname(leader.dataDir);
    const lines: string[] = [];
    const node = await startNode({
      name: 'node',
      command: [process.execPath, ...RUN_GRANTLOG, 'serve'],
      env: {
        PATH: process.env['PATH'],
        PORT: '0',
        DATA_DIR: join(directory, 'process'),
        GRANTLOG_LOG: nodes.url,
        GRANTLOG_KEYS: join(directory, 'keys'),
        GRANTLOG_ARCHIVE: join(directory, 'archive'),
      },
      onLine: (line) => void lines.push(line),
    });
    expect((await fetch(`http://127.0.0.1:${node.port}/readyz`)).status).to.equal(200);
    await issueTokens(leader, 10);
    await leader.service.attestation.checkpointNow();
    expect(await node.exitStatus).to.equal(1);
    const fatal = lines.find((line) => line.includes('"level":"fatal"') || line.includes('"level":60'));
    expect(fatal, lines.join('\n')).to.include('do not have the root that the nodes have signed');
  });
});
