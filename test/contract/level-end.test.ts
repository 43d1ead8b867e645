import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { LogLocked } from '../../src/event-store/engines/level-lock.ts';
import { openLevelLog } from '../../src/event-store/engines/level.ts';
import { LogDamaged, type EventLog } from '../../src/event-store/event-log.ts';
import { seededEntropy } from '../support/seeded-entropy.ts';
import { anEvent } from '../support/some-events.ts';
import { rejection } from './event-log.contract.ts';

describe('the end of a log in LevelDB, before LevelDB opens it', function () {
  this.timeout(180_000);

  let parent: string;
  let location: string;
  const entropy = seededEntropy('end of log');
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'grantlog-end-'));
    location = join(parent, 'log');
  });
  afterEach(() => rm(parent, { recursive: true }));

  /** Opens and closes the log. Returns the end that the engine passes to `knownEvents`. */
  async function findEnd(): Promise<number> {
    let reportedEnd = -1;
    const log = await openLevelLog({ location, knownEvents: async (end) => (reportedEnd = end) });
    expect(log.head()).to.equal(reportedEnd);
    await log.close();
    return reportedEnd;
  }

  async function append(log: EventLog, count: number, bytes: number): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      const text = Buffer.from(entropy.bytes(bytes / 2)).toString('hex');
      await log.append(`stream ${log.head()}`, 'no-stream', [anEvent({ text }), anEvent()]);
    }
  }

  it('is found in a new directory, in the write-ahead log, and in tables of several levels', async () => {
    expect(await findEnd()).to.equal(0);
    expect(await findEnd(), 'opened, but still without events').to.equal(0);
    let end = 0;
    for (const [count, bytes] of [
      [3, 100],
      [250, 60_000],
      [0, 0],
      [200, 60_000],
      [500, 2_000],
      [1, 10],
    ] as const) {
      const log = await openLevelLog({ location });
      await append(log, count, bytes);
      await log.close();
      end += 2 * count;
      expect(await findEnd()).to.equal(end);
      expect(await findEnd(), 'the write-ahead log is empty by now').to.equal(end);
    }
    expect((await readdir(location)).filter((name) => name.endsWith('.ldb'))).to.have.length.above(5);
  });

  it('is refused every time if more events are known, and the refusal names the first missing one', async () => {
    const log = await openLevelLog({ location });
    await append(log, 5, 100);
    await log.close();
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const refusal = await rejection(openLevelLog({ location, knownEvents: async () => 12 }));
      expect(refusal).to.be.instanceOf(LogDamaged).and.have.property('position', 11);
      expect((refusal as Error).message).to.include('ends at position 10, but events up to position 12 were');
    }
    await (await openLevelLog({ location, knownEvents: async () => 10 })).close();
  });

  it('is not checked while another process has the log open', async () => {
    const log = await openLevelLog({ location });
    await append(log, 5, 100);
    expect(await rejection(openLevelLog({ location, knownEvents: async () => 12 }))).to.be.instanceOf(LogLocked);
    await log.close();
  });
});
