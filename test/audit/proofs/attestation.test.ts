import { expect } from 'chai';
import { createAttestation, type Attestation } from '../../../src/audit/proofs/attestation.ts';
import type { RecordedHead } from '../../../src/audit/proofs/head-file.ts';
import { memoryCheckpoints, type IssuedCheckpoints } from '../../../src/audit/proofs/issued-checkpoints.ts';
import { LogTampered } from '../../../src/audit/proofs/log-witness.ts';
import { memoryTileStore, type TileStore } from '../../../src/audit/proofs/tile-store.ts';
import type { Position, Revision } from '../../../src/event-store/event-log.ts';
import { ephemeralKeys } from '../../../src/platform/keys/keys.ts';
import { sizesOf } from '../../support/issued-heads.ts';
import { seededEntropy } from '../../support/seeded-entropy.ts';

const { log: key } = ephemeralKeys(seededEntropy('attestation'));

/** Creates checkpoints that are stored only when the test calls `release`. */
function gatedCheckpoints() {
  const inner = memoryCheckpoints();
  const pendingWrites: (() => void)[] = [];
  let failure: Error | undefined;
  const checkpoints: IssuedCheckpoints = {
    ...inner,
    async add(head) {
      await new Promise<void>((resolve) => pendingWrites.push(resolve));
      if (failure !== undefined) throw failure;
      await inner.add(head);
    },
  };
  async function release(): Promise<void> {
    while (pendingWrites.length === 0) await new Promise((resolve) => setImmediate(resolve));
    for (const resume of pendingWrites.splice(0)) resume();
  }
  return { checkpoints, release, fail: (error: Error | undefined) => void (failure = error) };
}

interface AttestationOptions {
  readonly recordedHead?: RecordedHead | undefined;
  readonly ticks?: () => number;
  readonly tiles?: TileStore;
}

function attestationWith(checkpoints: IssuedCheckpoints, options: AttestationOptions = {}): Attestation {
  const { recordedHead, ticks = () => 0, tiles = memoryTileStore() } = options;
  return createAttestation({
    key,
    tiles,
    checkpoints,
    recordedHead,
    ticks,
    issuer: () => 'http://localhost:8000',
  });
}

const EVENT = {
  type: 'NoteAdded',
  version: 1,
  recordedAt: 0,
  actor: { kind: 'server' },
  requestId: null,
  data: {},
  stream: 's',
  revision: 1 as Revision,
} as const;

function grow({ tree }: Attestation, from: number, to: number, prefix = 'record'): void {
  for (let position = from; position <= to; position += 1) {
    tree.apply({ ...EVENT, position: position as Position, record: `${prefix} ${position}` });
  }
}

const sizeIn = (note: string): number => Number(note.split('\n')[1]);

describe('a checkpoint', () => {
  it('is not returned to any caller before it is stored', async () => {
    const { checkpoints, release } = gatedCheckpoints();
    const attestation = attestationWith(checkpoints);
    const { checkpoint, checkpointNow, prove, tree } = attestation;
    const requests = [checkpoint, checkpointNow, (): Promise<unknown> => prove(tree.head().size as Position)];
    for (const [index, send] of requests.entries()) {
      grow(attestation, 3 * index + 1, 3 * index + 3);
      let isSettled = false;
      const request = send().then((response) => {
        isSettled = true;
        expect(checkpoints.newest()?.size, 'the stored checkpoint').to.equal(3 * index + 3);
        return response;
      });
      await new Promise((resolve) => setImmediate(resolve));
      expect([isSettled, checkpoints.count()]).to.deep.equal([false, index]);
      if (index > 0)
        expect(sizeIn(await attestation.checkpoint()), 'other requests get the previous checkpoint').to.equal(
          3 * index,
        );
      await release();
      await request;
    }
  }).timeout(180_000);

  it('is not returned if it cannot be stored; the previous one is returned until a later one is stored', async () => {
    let elapsed = 0;
    const { checkpoints, release, fail } = gatedCheckpoints();
    const attestation = attestationWith(checkpoints, { ticks: () => elapsed });
    grow(attestation, 1, 3);
    await Promise.all([attestation.checkpointNow(), release()]);
    grow(attestation, 4, 5);
    fail(new Error('ENOSPC'));
    elapsed += 60_000;
    const failedRequest = attestation.checkpoint().catch(String);
    await release();
    expect(await failedRequest).to.equal('Error: ENOSPC');
    expect(sizeIn(await attestation.checkpoint()), 'until the next minute').to.equal(3);
    fail(undefined);
    elapsed += 60_000;
    const [note] = await Promise.all([attestation.checkpoint(), release()]);
    expect(sizeIn(note)).to.equal(5);
    expect(sizesOf(checkpoints)).to.deep.equal([3, 5]);
  });

  it('is stored once for concurrent requests', async () => {
    const { checkpoints, release } = gatedCheckpoints();
    const attestation = attestationWith(checkpoints);
    grow(attestation, 1, 3);
    const requests = Array.from({ length: 50 }, () => attestation.checkpoint());
    grow(attestation, 4, 9);
    await release();
    expect(new Set((await Promise.all(requests)).map(sizeIn))).to.deep.equal(new Set([3]));
    expect(checkpoints.count()).to.equal(1);
  });

  it('has the same bytes for the same records, and stays consistent across a restart', async () => {
    const checkpoints = memoryCheckpoints();
    const first = attestationWith(checkpoints);
    grow(first, 1, 5);
    const note = await first.checkpointNow();
    const restartedAttestation = attestationWith(checkpoints);
    grow(restartedAttestation, 1, 5);
    expect(await restartedAttestation.checkpointNow()).to.equal(note);
    expect(checkpoints.count()).to.equal(1);
    const growDifferently = (): void => grow(attestationWith(checkpoints), 1, 5, 'another');
    expect(growDifferently).to.throw(
      LogTampered,
      'first 5 records of the log differ from those that were signed in a checkpoint',
    );
  });

  it('is not issued for an event that the newest checkpoint covers', async () => {
    const checkpoints = memoryCheckpoints();
    const attestation = attestationWith(checkpoints);
    grow(attestation, 1, 9);
    expect(sizeIn((await attestation.prove(4 as Position)).checkpoint)).to.equal(9);
    grow(attestation, 10, 12);
    expect(sizeIn((await attestation.prove(9 as Position)).checkpoint)).to.equal(9);
    expect(sizeIn((await attestation.prove(10 as Position)).checkpoint)).to.equal(12);
    expect(sizesOf(checkpoints)).to.deep.equal([9, 12]);
  });
});

describe('a replayed log', () => {
  const recordedHeadOf = (attestation: Attestation): RecordedHead => attestation.recordedHead();

  it('must match the recorded head and reach its size', () => {
    const originalAttestation = attestationWith(memoryCheckpoints());
    grow(originalAttestation, 1, 300);
    const recordedHead = recordedHeadOf(originalAttestation);
    const restartedAttestation = attestationWith(memoryCheckpoints(), { recordedHead });
    grow(restartedAttestation, 1, 310);
    restartedAttestation.assertNotTruncated();
    const growDifferently = (): void => grow(attestationWith(memoryCheckpoints(), { recordedHead }), 1, 300, 'another');
    expect(growDifferently).to.throw(
      LogTampered,
      'first 300 records of the log differ from those that existed when the head was recorded',
    );
    const truncatedAttestation = attestationWith(memoryCheckpoints(), { recordedHead });
    grow(truncatedAttestation, 1, 299);
    const message =
      'ends at position 299, but events up to position 300 were acknowledged: the events from position 300 on are lost';
    expect(() => truncatedAttestation.assertNotTruncated()).to.throw(LogTampered, message);
  });

  it('must have every checkpoint issued before its head was recorded', async () => {
    const checkpoints = memoryCheckpoints();
    const originalAttestation = attestationWith(checkpoints);
    grow(originalAttestation, 1, 20);
    await originalAttestation.checkpointNow();
    const recordedHead = recordedHeadOf(originalAttestation);
    const message = 'a checkpoint of 20 records was issued, but the newest stored one covers 0';
    expect(() => attestationWith(memoryCheckpoints(), { recordedHead })).to.throw(LogTampered, message);
    attestationWith(checkpoints, { recordedHead });
  });

  it('must match both the recorded head and a checkpoint of the same size', async () => {
    const checkpoints = memoryCheckpoints();
    const originalAttestation = attestationWith(checkpoints);
    grow(originalAttestation, 1, 20);
    await originalAttestation.checkpointNow();
    const recordedHead = { ...recordedHeadOf(originalAttestation), rootHash: Buffer.alloc(32, 1) };
    const replay = (): void => grow(attestationWith(checkpoints, { recordedHead }), 1, 20);
    expect(replay).to.throw(LogTampered, 'differ from those that existed when the head was recorded');
  });

  it('must match a head that was recorded before the snapshot that the replay continues from', () => {
    const tiles = memoryTileStore();
    const create = (recordedHead?: RecordedHead): Attestation =>
      attestationWith(memoryCheckpoints(), { recordedHead, tiles });
    const originalAttestation = create();
    grow(originalAttestation, 1, 600);
    const recordedHead = recordedHeadOf(originalAttestation);
    grow(originalAttestation, 601, 1_000);
    const frozenPieces = [...originalAttestation.tree.freeze()];
    const restoredAttestation = create(recordedHead);
    for (const piece of frozenPieces) restoredAttestation.tree.restore(piece);
    expect(restoredAttestation.tree.head()).to.deep.equal(originalAttestation.tree.head());
    const mismatchedAttestation = create({ ...recordedHead, rootHash: Buffer.alloc(32, 1) });
    expect(() => frozenPieces.forEach((piece) => mismatchedAttestation.tree.restore(piece))).to.throw(
      LogTampered,
      /first 600 records/,
    );
  });
});
