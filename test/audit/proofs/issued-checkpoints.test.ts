import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  fileCheckpoints,
  readNewestSize,
  createCheckpointsWriter,
  type IssuedCheckpoints,
} from '../../../src/audit/proofs/issued-checkpoints.ts';
import { ephemeralKeys } from '../../../src/platform/keys/keys.ts';
import { signCheckpoint } from '../../../src/audit/merkle/checkpoint.ts';
import { createNoteSigner } from '../../../src/audit/merkle/note-key.ts';
import type { TreeHead } from '../../../src/audit/merkle/verification.ts';
import { sizesOf } from '../../support/issued-heads.ts';
import { seededEntropy } from '../../support/seeded-entropy.ts';
import { withShortWrites } from '../../support/short-writes.ts';

const keys = ephemeralKeys(seededEntropy('checkpoints'));
const createHead = (size: number): TreeHead => ({ size, rootHash: Buffer.alloc(32, size) });

describe('the issued checkpoints', () => {
  let directory: string;
  let path: string;
  beforeEach(() => {
    directory = join(mkdtempSync(join(tmpdir(), 'grantlog-')), 'checkpoints');
    path = join(directory, 'issued');
  });
  afterEach(() => rmSync(join(directory, '..'), { recursive: true }));

  const open = (): IssuedCheckpoints => fileCheckpoints(directory, keys);
  const problems = (): readonly string[] =>
    [...open().entries()].flatMap((entry) => ('problem' in entry ? [entry.problem] : []));

  async function storeCheckpoints(...sizes: readonly number[]): Promise<IssuedCheckpoints> {
    const checkpoints = open();
    for (const size of sizes) await checkpoints.add(createHead(size));
    return checkpoints;
  }

  /** Stores a checkpoint in a file with a signed note, as earlier releases did. */
  function writeNote(size: number): void {
    const signer = createNoteSigner('an.earlier.address', keys.log);
    writeFileSync(join(directory, String(size)), signCheckpoint(createHead(size), signer));
  }

  it('are read in order from 85 bytes each, and the newest can be read alone', async () => {
    const sizes = Array.from({ length: 2_500 }, (_, index) => 3 * index + 1);
    const checkpoints = await storeCheckpoints(...sizes.slice(0, 3));
    expect([checkpoints.count(), checkpoints.newest()]).to.deep.equal([3, createHead(7)]);
    for (const size of sizes.slice(3)) await checkpoints.add({ size, rootHash: Buffer.alloc(32) });
    const reopenedCheckpoints = open();
    expect(sizesOf(reopenedCheckpoints)).to.deep.equal(sizes);
    expect([reopenedCheckpoints.count(), reopenedCheckpoints.newest()?.size, readNewestSize(directory)]).to.deep.equal([
      2_500, 7_498, 7_498,
    ]);
    expect(statSync(path).size).to.equal(85 * 2_500);
    expect(statSync(path).mode & 0o777).to.equal(0o600);
  });

  it('are empty at the first startup', () => {
    const { count, newest, entries } = open();
    expect([count(), newest(), [...entries()], readNewestSize(directory)]).to.deep.equal([0, undefined, [], 0]);
  });

  it('are reported by line number if a bit is flipped, while the other lines are still read', async () => {
    await storeCheckpoints(10, 20, 30);
    const intactBytes = readFileSync(path);
    for (let offset = 0; offset < intactBytes.length; offset += 1) {
      const damagedBytes = Buffer.from(intactBytes);
      damagedBytes[offset] = (damagedBytes[offset] ?? 0) ^ (1 << (offset % 8));
      writeFileSync(path, damagedBytes);
      const line = Math.floor(offset / 85) + 1;
      expect(problems(), `byte ${offset}`).to.deep.equal([`line ${line} of ${path} is damaged`]);
      if (line === 3) expect(() => open().newest()).to.throw(`line 3 of ${path} is damaged`);
      else expect(open().newest()).to.deep.equal(createHead(30));
    }
  });

  it('are not readable with a different key', async () => {
    await storeCheckpoints(10);
    const otherCheckpoints = fileCheckpoints(directory, ephemeralKeys(seededEntropy('other')));
    expect(() => otherCheckpoints.newest()).to.throw('line 1');
  });

  it('replace a line that was truncated by a crash and never returned', async () => {
    await storeCheckpoints(10, 20);
    for (let length = 86; length < 170; length += 7) {
      truncateSync(path, length);
      const checkpoints = open();
      expect(checkpoints.newest()).to.deep.equal(createHead(10));
      await checkpoints.add(createHead(25));
      expect(sizesOf(open())).to.deep.equal([10, 25]);
      truncateSync(path, 85);
      await storeCheckpoints(20);
    }
  });

  it('are stored completely after a partial write, or not at all', async () => {
    await storeCheckpoints(10);
    for (let roomBytes = 0; roomBytes <= 86; roomBytes += 1) {
      const checkpoints = open();
      await withShortWrites({ maxBytes: 20, roomBytes: roomBytes }, async () => {
        const outcome = await checkpoints.add(createHead(20)).then(
          () => 'stored',
          () => 'refused',
        );
        expect(outcome, `room for ${roomBytes} bytes`).to.equal(roomBytes < 85 ? 'refused' : 'stored');
      });
      expect([checkpoints.newest(), open().newest()]).to.deep.equal(
        Array(2).fill(createHead(roomBytes < 85 ? 10 : 20)),
      );
      await checkpoints.add(createHead(30));
      expect(sizesOf(open())).to.deep.equal(roomBytes < 85 ? [10, 30] : [10, 20, 30]);
      truncateSync(path, 85);
    }
  });

  it('leave no fragment after the last entry if the disk is full', async () => {
    await storeCheckpoints(10);
    await withShortWrites({ maxBytes: 20, roomBytes: 50 }, async () => {
      await open()
        .add(createHead(20))
        .catch(() => {});
    });
    expect(statSync(path).size).to.equal(85);
  });

  it('include checkpoints from earlier releases under any log name, and report a damaged one', async () => {
    open();
    writeNote(5);
    writeNote(15);
    expect(open().newest()).to.deep.equal(createHead(15));
    await storeCheckpoints(20, 30);
    writeNote(25); // simulates a temporary return to an earlier release
    expect(sizesOf(open())).to.deep.equal([5, 15, 20, 25, 30]);
    expect([open().count(), readNewestSize(directory)]).to.deep.equal([5, 30]);
    appendFileSync(join(directory, '15'), 'x');
    expect(problems())
      .to.have.length(1)
      .and.satisfy(([problem]: string[]) => problem?.startsWith('checkpoint 15: '));
    expect(open().newest()).to.deep.equal(createHead(30));
    writeNote(40);
    appendFileSync(join(directory, '40'), 'x');
    expect(() => open().newest()).to.throw('checkpoint 40');
  });

  it('in a backup are written together', () => {
    const writer = createCheckpointsWriter(directory);
    for (const size of [1, 2, 3]) writer.add(createHead(size), keys.attestation);
    expect(open().count()).to.equal(0);
    writer.finish();
    expect(sizesOf(open())).to.deep.equal([1, 2, 3]);
  });
});
