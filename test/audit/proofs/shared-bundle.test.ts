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

/** A node whose checkpoint loses against a larger one, which another node issues for two later events. */
async function overtakenNode() {
  const events: RecordedEvent[] = [];
  const stored = memoryCheckpoints();
  let announce: (head: TreeHead) => void = () => {};
  const checkpoints: IssuedCheckpoints = {
    ...stored,
    async add() {
      append(2);
      const larger = attestation.tree.head();
      await stored.add(larger);
      announce(larger);
    },
    shared: { isLeader: () => true, refresh: async () => {}, start: (onIssued) => void (announce = onIssued) },
  };
  const attestation = createAttestation({
    key: ephemeralKeys(seededEntropy('shared bundle')).log,
    tiles: memoryTileStore(),
    checkpoints,
    recorded: undefined,
    ticks: () => 0,
    issuer: () => 'http://localhost:8000',
  });

  function append(count: number): void {
    for (let added = 0; added < count; added += 1) {
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

describe('a bundle of a log that nodes share', () => {
  it('has the records of its newest checkpoint, even if another node has issued that meanwhile', async () => {
    const texts = new Map<string, string>();
    for await (const part of createBundle(await overtakenNode()))
      if ('text' in part) texts.set(part.file, (texts.get(part.file) ?? '') + part.text);
    const signedSizes = [...texts]
      .filter(([file]) => file.startsWith('checkpoint'))
      .map(([file, note]) => [file, note.split('\n')[1]]);
    expect(signedSizes).to.deep.equal([
      ['checkpoints/5', '5'],
      ['checkpoint', '5'],
    ]);
    expect(texts.get('records.jsonl')).to.equal('record 1\nrecord 2\nrecord 3\nrecord 4\nrecord 5\n');
  });
});
