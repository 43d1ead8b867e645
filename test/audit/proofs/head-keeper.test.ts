import { mkdtempSync, readFileSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { fileHeadStore, type HeadStore, type RecordedHead } from '../../../src/audit/proofs/head-file.ts';
import { createHeadKeeper } from '../../../src/audit/proofs/head-keeper.ts';
import { ephemeralKeys } from '../../../src/platform/keys/keys.ts';
import { seededEntropy } from '../../support/seeded-entropy.ts';
import { withShortWrites } from '../../support/short-writes.ts';

const { attestation: key } = ephemeralKeys(seededEntropy('head'));
const headAt = (size: number): RecordedHead => ({
  size,
  rootHash: Buffer.alloc(32, size),
  checkpoint: Math.floor(size / 2),
});

describe('the recorded head', () => {
  let directory: string;
  let path: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-'));
    path = join(directory, 'log.head');
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const open = (): HeadStore => fileHeadStore(path, key);

  it('is the last head written by this process or an earlier one', async () => {
    expect(open().read()).to.equal(undefined);
    let store = open();
    for (let size = 0; size < 10; size += 1) {
      await store.write(headAt(size));
      expect(open().read()).to.deep.equal({ head: headAt(size), damagedCopies: 0 });
      if (size % 3 === 0) {
        store = open();
        store.read();
      }
    }
    expect(statSync(path).size).to.equal(1024);
    expect(statSync(path).mode & 0o777).to.equal(0o600);
  });

  it('is never wrong if a bit is flipped, and damaged copies are counted', async () => {
    const store = open();
    for (const size of [7, 8]) await store.write(headAt(size));
    await store.write(headAt(9));
    const intactBytes = readFileSync(path);
    for (let offset = 0; offset < intactBytes.length; offset += 1) {
      const damagedBytes = Buffer.from(intactBytes);
      damagedBytes[offset] = (damagedBytes[offset] ?? 0) ^ (1 << (offset % 8));
      writeFileSync(path, damagedBytes);
      const result = open().read();
      expect(result?.damagedCopies, `byte ${offset}`).to.equal(1);
      expect([8, 9], `byte ${offset}`).to.include(result?.head?.size);
    }
  });

  it('is undefined if both copies are damaged or written with a different key, or the file is truncated', async () => {
    await open().write(headAt(9));
    const { attestation: otherKey } = ephemeralKeys(seededEntropy('other'));
    expect(fileHeadStore(path, otherKey).read()).to.deep.equal({ head: undefined, damagedCopies: 2 });
    const intactBytes = readFileSync(path);
    for (const length of [0, 1, 511]) {
      writeFileSync(path, intactBytes.subarray(0, length));
      expect(open().read()).to.deep.equal({ head: undefined, damagedCopies: 2 });
    }
    writeFileSync(path, intactBytes.subarray(0, 1023));
    expect(open().read()).to.deep.equal({ head: headAt(9), damagedCopies: 1 });
  });

  it('is written completely after a partial write, and remains unchanged if the disk is full', async () => {
    const store = open();
    for (const size of [1, 2]) await store.write(headAt(size));
    await withShortWrites({ maxBytes: 200 }, () => store.write(headAt(3)));
    expect(open().read()).to.deep.equal({ head: headAt(3), damagedCopies: 0 });
    await withShortWrites({ maxBytes: 200, roomBytes: 100 }, async () => {
      expect(
        await store.write(headAt(4)).then(
          () => 'written',
          () => 'refused',
        ),
      ).to.equal('refused');
    });
    expect(open().read()).to.deep.equal({ head: headAt(3), damagedCopies: 1 });
    await store.write(headAt(5));
    expect(open().read()).to.deep.equal({ head: headAt(5), damagedCopies: 0 });
  });

  it('is written again if the file was removed', async () => {
    const store = open();
    await store.write(headAt(1));
    unlinkSync(path);
    await store.write(headAt(2));
    expect(open().read()).to.deep.equal({ head: headAt(2), damagedCopies: 0 });
  });
});

describe('the head keeper', () => {
  /** Creates a store that records its writes and fails on request. */
  function createRecordingStore() {
    const writtenSizes: number[] = [];
    let isFailing = false;
    let wake: () => void = () => {};
    const store: HeadStore = {
      name: 'the head',
      read: () => undefined,
      async write({ size }) {
        if (isFailing) {
          wake();
          throw new Error('ENOSPC');
        }
        writtenSizes.push(size);
        wake();
      },
    };
    return {
      store,
      writtenSizes,
      fail: (on: boolean) => void (isFailing = on),
      nextWrite: () => new Promise<void>((resolve) => (wake = resolve)),
    };
  }

  it('writes once, soon after the log has grown', async () => {
    const { store, writtenSizes, nextWrite } = createRecordingStore();
    let size = 0;
    const keeper = createHeadKeeper({ store, currentHead: () => headAt(size), notice: () => {} });
    for (size = 1; size < 100; size += 1) keeper.schedule();
    expect(writtenSizes, 'nothing is written before `schedule` returns').to.deep.equal([]);
    await nextWrite();
    expect(writtenSizes).to.deep.equal([100]);
    await keeper.flush();
    expect(writtenSizes).to.deep.equal([100, 100]);
  });

  it('retries after a failure, and reports the first failure and the recovery once', async () => {
    const { store, writtenSizes, fail, nextWrite } = createRecordingStore();
    const notices: string[] = [];
    const keeper = createHeadKeeper({ store, currentHead: () => headAt(5), notice: (line) => void notices.push(line) });
    fail(true);
    keeper.schedule();
    await nextWrite();
    await nextWrite();
    expect(notices).to.have.length(1);
    expect(notices[0]).to.match(/the head could not be written \(Error: ENOSPC\)/);
    fail(false);
    await nextWrite();
    await keeper.flush();
    expect(writtenSizes).to.deep.equal([5, 5]);
    expect(notices).to.have.length(2);
    expect(keeper.failures()).to.equal(2);
  });

  it('reports a failure of the last write without throwing, because the log itself is durable', async () => {
    const { store, fail } = createRecordingStore();
    const notices: string[] = [];
    const keeper = createHeadKeeper({ store, currentHead: () => headAt(5), notice: (line) => void notices.push(line) });
    fail(true);
    await keeper.flush();
    expect(notices).to.have.length(1);
  });
});
