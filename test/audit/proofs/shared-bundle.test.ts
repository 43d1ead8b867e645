import { expect } from 'chai';
import { createAttestation } from '../../../src/audit/proofs/attestation.ts';
import { createBundle } from '../../../src/audit/proofs/bundle.ts';
import { memoryCheckpoints, type IssuedCheckpoints } from '../../../src/audit/proofs/issued-checkpoints.ts';
import { memoryTileStore } from '../../../src/audit/proofs/tile-store.ts';
import type { TreeHead } from '../../../src/audit/merkle/verification.ts';
import type { Position, RecordedEvent } from '../../../src/event-store/event-log.ts';
import { ephemeralKeys } from '../../../src/platform/keys/keys.ts';
import { seededEntropy } from '../../support/seeded-entropy.ts';
import { unchecked } from '../../support/unchecked.ts';

/** Creates a node whose checkpoint is superseded by a larger one, issued by another node after two more events. */
async function createOvertakenNode() {
  const events: RecordedEvent[] = [];
  const storedCheckpoints = memoryCheckpoints();
  let reportIssued: (head: TreeHead) => void = () => {};
  const checkpoints: IssuedCheckpoints = {
    ...storedCheckpoints,
    async add() {
      append(2);
      const largerHead = attestation.tree.head();
      await storedCheckpoints.add(largerHead);
      reportIssued(largerHead);
    },
    shared: { isLeader: () => true, refresh: async () => {}, start: (onIssued) => void (reportIssued = onIssued) },
  };
  const attestation = createAttestation({
    key: ephemeralKeys(seededEntropy('shared bundle')).log,
    tiles: memoryTileStore(),
    checkpoints,
    recordedHead: undefined,
    ticks: () => 0,
    issuer: () => 'http://localhost:8000',
  });

  function append(count: number): void {
    for (let index = 0; index < count; index += 1) {
      const position = (events.length + 1) as Position;
      const event: RecordedEvent = unchecked({ position, record: `record ${position}` });
      events.push(event);
      attestation.tree.apply(event);
    }
  }

  async function* readAll(): AsyncGenerator<readonly RecordedEvent[], void, void> {
    yield events;
  }

  await attestation.start();
  append(3);
  return { log: { readAll }, attestation, checkpoints };
}

describe('a bundle of a log that several nodes share', () => {
  it('has all records of its newest checkpoint, even if another node issued it in the meantime', async () => {
    const contents = new Map<string, string>();
    for await (const part of createBundle(await createOvertakenNode()))
      if ('text' in part) contents.set(part.file, (contents.get(part.file) ?? '') + part.text);
    const signedSizes = [...contents]
      .filter(([file]) => file.startsWith('checkpoint'))
      .map(([file, note]) => [file, note.split('\n')[1]]);
    expect(signedSizes).to.deep.equal([
      ['checkpoints/5', '5'],
      ['checkpoint', '5'],
    ]);
    expect(contents.get('records.jsonl')).to.equal('record 1\nrecord 2\nrecord 3\nrecord 4\nrecord 5\n');
  });
});
