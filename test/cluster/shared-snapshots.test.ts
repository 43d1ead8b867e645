import { expect } from 'chai';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { verifyConsistency, verifyInclusion } from '../../src/audit/merkle/verification.ts';
import { leafHash } from '../../src/audit/merkle/hashing.ts';
import { openCheckpoint } from '../../src/audit/merkle/checkpoint.ts';
import { parseVerifierKey } from '../../src/audit/merkle/note-key.ts';
import { fillTokens } from '../../scripts/postgres/fill-tokens.ts';
import type { Position } from '../../src/event-store/event-log.ts';
import {
  issueTokens,
  readRecord,
  registerClient,
  createServiceNodes,
  until,
  type ServiceNode,
  type ServiceNodes,
} from '../support/postgres/service-nodes.ts';

const INTERVAL = 1_000;

describe('the snapshots of several nodes', function () {
  this.timeout(300_000);
  let nodes: ServiceNodes;
  let leader: ServiceNode;
  let follower: ServiceNode;

  beforeEach(async () => {
    nodes = await createServiceNodes();
    leader = await nodes.open({ snapshotEvents: INTERVAL });
    await until(() => leader.service.attestation.isLeader());
    follower = await nodes.open({ snapshotEvents: INTERVAL });
  });
  afterEach(() => nodes.close());

  const storedPositions = async (): Promise<readonly number[]> =>
    (await nodes.query<{ position: string }>('select position from grantlog.snapshots order by position')).map(
      ({ position }) => Number(position),
    );

  async function appendEvents(count: number): Promise<number> {
    const position = await issueTokens(follower, count);
    await leader.service.log.shared?.catchUp();
    await leader.service.snapshotsSettled();
    return position;
  }

  it('are written only by the leader', async () => {
    await appendEvents(INTERVAL - 1);
    expect(await storedPositions()).to.deep.equal([]);
    const end = await appendEvents(1);
    expect(await storedPositions()).to.deep.equal([end]);
    await follower.service.snapshotsSettled();
    expect(follower.notices.concat(leader.notices)).to.deep.equal([]);
    expect(existsSync(join(leader.dataDir, 'snapshots'))).to.equal(false);
  });

  it('let a node with an empty disk start in the same state, and prove old events', async () => {
    const clientId = await registerClient(leader);
    await Promise.all([leader.close(), follower.close()]);
    await fillTokens(nodes.url, { count: 70_000, clientId }); // more than one level-2 tile covers
    leader = await nodes.open({ snapshotEvents: INTERVAL });
    await until(() => leader.service.attestation.isLeader());
    follower = leader;
    const size = await appendEvents(1);
    const { service, notices } = await nodes.open();
    expect(notices).to.deep.equal([]);
    expect(service.projections.accessTokens.size()).to.equal(70_000);
    expect(service.projector.digests()).to.deep.equal(leader.service.projector.digests());
    const note = await leader.service.attestation.checkpointNow();
    const head = openCheckpoint(note, parseVerifierKey(service.attestation.verifierKey()));
    expect(await service.attestation.checkpoint()).to.equal(note);
    for (const position of [1, 257, 65_536, 65_537, size] as Position[]) {
      const { proof, checkpoint } = await service.attestation.prove(position);
      expect(checkpoint).to.equal(note);
      const record = await readRecord(service.log, position);
      expect(verifyInclusion(leafHash(record), position - 1, head, proof), String(position)).to.equal(true);
    }
    const { tree } = service.attestation;
    const earlierHead = await tree.headAt(1_000);
    expect(verifyConsistency(earlierHead, head, await tree.proveConsistency(1_000, size))).to.equal(true);
    for (const [level, index] of [
      [0, 3],
      [1, 0],
    ] as const)
      expect(await tree.findTile(level, index, 256)).to.deep.equal(
        leader.service.attestation.tree.tile(level, index, 256),
      );
  });

  it('are compared with earlier checkpoints', async () => {
    await appendEvents(300);
    await leader.service.attestation.checkpointNow();
    await appendEvents(INTERVAL);
    const newNode = await nodes.open();
    expect(newNode.notices).to.deep.equal([]);
    expect(await newNode.service.attestation.checkpoint()).to.equal(await leader.service.attestation.checkpoint());
  });

  it('are trusted only if their seal is valid', async () => {
    await appendEvents(INTERVAL);
    await nodes.query(
      `update grantlog.snapshot_pieces
        set bytes = set_byte(bytes, length(bytes) / 2, (1 + get_byte(bytes, length(bytes) / 2)) % 256)`,
    );
    const { service, notices } = await nodes.open();
    expect(notices.join('\n')).to.match(/the snapshot at position \d+ is ignored/);
    expect(service.projector.digests()).to.deep.equal(leader.service.projector.digests());
  });

  it('are written again if the database has lost them, and are also written by the next leader', async () => {
    expect(await appendEvents(INTERVAL)).to.equal(INTERVAL);
    await nodes.query('truncate grantlog.snapshots cascade');
    await until(async () => (await storedPositions()).length > 0);
    const [rewrittenPosition] = await storedPositions();
    await leader.close();
    await until(() => follower.service.attestation.isLeader());
    const end = await issueTokens(follower, INTERVAL);
    await follower.service.snapshotsSettled();
    expect([rewrittenPosition, ...(await storedPositions()).slice(1)]).to.deep.equal([INTERVAL, end]);
  });

  it('leave no pieces in the database if writing fails', async () => {
    await nodes.query(
      `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no space'; end $$;
       create trigger refuse before insert on grantlog.snapshot_pieces for each row execute function refuse()`,
    );
    await appendEvents(INTERVAL);
    expect(leader.notices.join('\n')).to.include('could not be written');
    expect(await storedPositions()).to.deep.equal([]);
    expect(leader.service.state.snapshots()).to.deep.equal([]);
  });
});
