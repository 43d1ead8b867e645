import { expect } from 'chai';
import { NodeDiverged } from '../../src/audit/proofs/head-comparer.ts';
import type { Position } from '../../src/event-store/event-log.ts';
import { openCheckpoint } from '../../src/audit/merkle/checkpoint.ts';
import { leafHash } from '../../src/audit/merkle/hashing.ts';
import { parseVerifierKey } from '../../src/audit/merkle/note-key.ts';
import { verifyInclusion } from '../../src/audit/merkle/verification.ts';
import { readinessProblem } from '../../src/http/pipeline/readiness.ts';
import { sizesOf } from '../support/issued-heads.ts';
import {
  issueTokens,
  readRecord,
  createServiceNodes,
  until,
  type ServiceNode,
  type ServiceNodes,
} from '../support/postgres/service-nodes.ts';

describe('the checkpoints of several nodes', function () {
  this.timeout(180_000);
  let nodes: ServiceNodes;
  let a: ServiceNode;
  let b: ServiceNode;

  beforeEach(async () => {
    nodes = await createServiceNodes();
    a = await nodes.open();
    await until(() => isLeader(a));
    b = await nodes.open();
  });
  afterEach(() => nodes.close());

  const isLeader = ({ service }: ServiceNode): boolean => service.attestation.isLeader();
  const checkpoint = ({ service }: ServiceNode): Promise<string> => service.attestation.checkpoint();
  async function appendEvents(count: number): Promise<void> {
    await issueTokens(b, count);
    await a.service.log.shared?.catchUp();
  }
  const storedSizes = (): Promise<readonly { size: string }[]> =>
    nodes.query('select size from grantlog.checkpoints order by size');
  const terminateLeaderConnection = (): Promise<unknown> =>
    nodes.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'grantlog leadership' and datname = current_database() and pid in
          (select pid from pg_locks where locktype = 'advisory' and granted)`,
    );

  it('are issued by one node, and have the same bytes on every node', async () => {
    await appendEvents(10);
    expect(isLeader(b)).to.equal(false);
    const note = await checkpoint(a);
    expect(await checkpoint(b)).to.equal(note);
    await appendEvents(10);
    expect(await checkpoint(b), 'a follower issues no checkpoint').to.equal(note);
    expect(await storedSizes()).to.deep.equal([{ size: '10' }]);
    expect(sizesOf(b.service.inspection.checkpoints)).to.deep.equal([10]);
  });

  it('are issued by another node soon after the leader has lost its connection', async () => {
    await issueTokens(a, 10);
    await checkpoint(a);
    await terminateLeaderConnection();
    await until(() => !isLeader(a));
    await until(() => isLeader(b));
    expect(isLeader(a)).to.equal(false);
    await issueTokens(a, 10);
    const newest = await b.service.attestation.checkpointNow();
    expect(await checkpoint(a)).to.equal(newest);
    await b.close();
    await until(() => isLeader(a));
  });

  it('stay consistent if nodes issue them at the same time', async () => {
    await Promise.all(
      [a, b, a, b].map(async (node) => {
        await issueTokens(node, 5);
        await node.service.attestation.checkpointNow();
      }),
    );
    expect(await checkpoint(a)).to.equal(await checkpoint(b));
    const rows = await storedSizes();
    expect(sizesOf(a.service.inspection.checkpoints)).to.deep.equal(rows.map(({ size }) => Number(size)));
  });

  it('cover an event that a follower proves', async () => {
    const position = (await issueTokens(b, 300)) as Position;
    const { checkpoint: note, proof } = await b.service.attestation.prove(position);
    const head = openCheckpoint(note, parseVerifierKey(b.service.attestation.verifierKey()));
    const record = await readRecord(b.service.log, position);
    expect(verifyInclusion(leafHash(record), position - 1, head, proof)).to.equal(true);
    expect(await checkpoint(a)).to.equal(note);
  });

  it('are available to a node that joins', async () => {
    await issueTokens(a, 10);
    const note = await checkpoint(a);
    const c = await nodes.open();
    expect(c.service.attestation.lastCheckpoint()).to.equal(note);
  });

  it('are refused if they were not stored by a node of this log', async () => {
    await issueTokens(a, 10);
    await nodes.query("insert into grantlog.checkpoints values (5, '\\x00', 'forged')");
    const refusal: unknown = await nodes.open().catch((error: unknown) => error);
    expect(String(refusal)).to.include('was not stored by a node of this log');
  });

  describe('for a node that has read a different record', () => {
    const tamper = (position: number) => (event: { position: number; record: string }) =>
      event.position === position ? { ...event, record: event.record.replace('read', 'real') } : event;

    it('stop only that node when it reaches their size', async () => {
      const divergedNode = await nodes.open({ tamper: tamper(7) as never });
      await issueTokens(a, 20);
      await a.service.attestation.checkpointNow();
      await assertStopped(divergedNode);
      await issueTokens(b, 10);
      await a.service.attestation.checkpointNow();
      expect(await checkpoint(b)).to.equal(await checkpoint(a));
      for (const { service } of [a, b]) expect(readinessProblem(service)).to.equal(undefined);
    });

    it('stop that node when it issues a checkpoint', async () => {
      const divergedNode = await nodes.open({ tamper: tamper(7) as never });
      await issueTokens(a, 20);
      await until(() => divergedNode.service.log.head() === a.service.log.head()); // so that its root can be compared
      await a.service.attestation.checkpointNow();
      const outcome: unknown = await divergedNode.service.attestation.checkpointNow().catch((error: unknown) => error);
      expect(outcome).to.be.instanceOf(NodeDiverged);
      await assertStopped(divergedNode);
    });

    async function assertStopped({ service, notices }: ServiceNode): Promise<void> {
      expect(await service.log.failed).to.be.instanceOf(NodeDiverged);
      expect(service.isLogWritable()).to.equal(false);
      expect(readinessProblem(service)).to.include('do not have the root that the nodes have signed');
      expect(notices.join('\n')).to.include('do not have the root that the nodes have signed');
      expect(service.freshness?.assertCurrent).to.throw('do not have the root');
    }
  });
});
