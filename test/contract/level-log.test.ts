import { expect } from 'chai';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Level } from 'level';
import { LogDamaged, LogUnavailable, START } from '../../src/event-store/event-log.ts';
import type { EventLog, Position } from '../../src/event-store/event-log.ts';
import { LogLocked } from '../../src/event-store/engines/level-lock.ts';
import { createLevelLog, openLevelLog } from '../../src/event-store/engines/level.ts';
import { groupKey } from '../../src/event-store/engines/level-layout.ts';
import { describeEventLog, readBackFrom, readEverything, rejection } from './event-log.contract.ts';
import { anEvent, someEvents } from '../support/some-events.ts';
import { readWholeStream } from '../support/whole-stream.ts';

describe('LevelDB engine', () => {
  let parent: string;
  let directories = 0;

  const freshLocation = (): string => join(parent, String((directories += 1)), 'log');

  before(async () => {
    parent = await mkdtemp(join(tmpdir(), 'grantlog-'));
  });
  after(() => rm(parent, { recursive: true }));

  describeEventLog(
    'LevelDB',
    async () => {
      const location = freshLocation();
      const log = await openLevelLog({ location });
      return {
        log,
        async reopen() {
          await log.close();
          return openLevelLog({ location });
        },
      };
    },
    { isDurable: true },
  );

  describe('the log directory', () => {
    it('is accessible only to its owner', async () => {
      const location = freshLocation();
      await (await openLevelLog({ location })).close();
      expect((await stat(location)).mode & 0o777).to.equal(0o700);
    });

    it('can be open only once at a time, and the refusal names the directory', async () => {
      const location = freshLocation();
      const log = await openLevelLog({ location });
      const refusal = await rejection(openLevelLog({ location }));
      expect(refusal).to.be.instanceOf(LogLocked);
      expect((refusal as Error).message)
        .to.include(location)
        .and.include('another process has it open');
      await log.close();
      await (await openLevelLog({ location })).close();
    });
  });

  describe('a write that fails', () => {
    it('fails the log; nothing acknowledged is lost and nothing more is written', async () => {
      const location = freshLocation();
      const disk = new FailingLevel(location);
      const log = await createLevelLog(disk);
      const acknowledgedAppends = await Promise.all(
        ['a', 'b', 'c'].map((stream) => log.append(stream, 'no-stream', someEvents(2))),
      );
      disk.failure = new Error('no space left on device');

      const inFlight = ['d', 'e'].map((stream) => rejection(log.append(stream, 'no-stream', someEvents(1))));
      const losingAppend = rejection(log.append('d', 'no-stream', someEvents(1)));
      for (const refusal of await Promise.all([...inFlight, losingAppend])) expectUnavailable(refusal, disk.failure);
      expect(await log.failed).to.equal(disk.failure);

      const { failure } = disk;
      disk.failure = undefined;
      const writes = disk.writes;
      expectUnavailable(await rejection(log.append('f', 'no-stream', someEvents(1))), failure);
      expect(disk.writes).to.equal(writes);
      expect(log.head()).to.equal(acknowledgedAppends.at(-1)?.position);
      expect(await readEverything(log)).to.have.length(6);
      await log.close();
      expect(await streamsIn(location)).to.deep.equal(['a', 'a', 'b', 'b', 'c', 'c']);
    });

    it('also fails the pending appends', async () => {
      const disk = new FailingLevel(freshLocation());
      const log = await createLevelLog(disk);
      disk.failure = new Error('no space left on device');
      const first = rejection(log.append('a', 'no-stream', someEvents(1)));
      await disk.nextWrite();
      const pendingAppend = rejection(log.append('b', 'no-stream', someEvents(1)));
      expectUnavailable(await first, disk.failure);
      expectUnavailable(await pendingAppend, disk.failure);
      expect(disk.writes).to.equal(1);
      await log.close();
    });
  });

  describe('group commit', () => {
    it('combines appends that arrive during a write into one synced write', async () => {
      const disk = new FailingLevel(freshLocation());
      const log = await createLevelLog(disk);
      const batches: number[] = [];
      log.onAppended((events) => void batches.push(events.length));
      const first = log.append('first', 'no-stream', someEvents(1));
      await disk.nextWrite();
      await Promise.all([
        first,
        ...Array.from({ length: 30 }, (_, i) => log.append(`s${i}`, 'no-stream', someEvents(1))),
      ]);
      expect(batches).to.deep.equal([1, 30]);
      expect(disk.unsyncedWrites).to.equal(0);
      await log.close();
    });
  });

  describe('damage', () => {
    const cases: readonly { description: string; position: number; damage: (db: Level) => Promise<void> }[] = [
      { description: 'a missing group', position: 3, damage: (db) => db.del(groupKey(3 as Position)) },
      {
        description: 'a torn record',
        position: 4,
        damage: (db) => damageGroup(db, 3, (records) => records.slice(0, -5)),
      },
      {
        description: 'a missing record',
        position: 4,
        damage: (db) => damageGroup(db, 3, (records) => records.split('\n')[0] ?? ''),
      },
      {
        description: 'a record that is not an event',
        position: 3,
        damage: (db) => damageGroup(db, 3, (records) => records.replace(/^.*/, 'null')),
      },
    ];
    for (const { description, position, damage } of cases) {
      it(`is reported with its position, and no event from there on is returned: ${description}`, async () => {
        const location = freshLocation();
        await createDamagedLog(location, damage);
        const log = await openLevelLog({ location });
        const refusals = [
          await rejection(readEverything(log)),
          await rejection(readBackFrom(log, log.head())),
          await rejection(log.subscribe(START, () => undefined).ended),
        ];
        for (const refusal of refusals) {
          expect(refusal).to.be.instanceOf(LogDamaged);
          expect(refusal).to.have.property('position', position);
          expect((refusal as Error).message)
            .to.include(`position ${position}`)
            .and.include('restore');
        }
        expect(await rejection(readWholeStream(log, 'b'))).to.be.instanceOf(LogDamaged);
        expect((await readWholeStream(log, 'a')).events).to.have.length(2);
        await log.close();
      });
    }

    it('is reported if the stream index points to another stream', async () => {
      const location = freshLocation();
      await createDamagedLog(location, (db) => damageGroup(db, 3, (records) => records.replaceAll('"b"', '"x"')));
      const log = await openLevelLog({ location });
      expect(await rejection(readWholeStream(log, 'b'))).to.be.instanceOf(LogDamaged);
      await log.close();
    });
  });
});

async function streamsIn(location: string): Promise<readonly string[]> {
  const log: EventLog = await openLevelLog({ location });
  const events = await readEverything(log);
  await log.close();
  return events.map(({ stream }) => stream);
}

/** Creates a log with two events in each of the streams a, b and c, one group per stream, and damages it. */
async function createDamagedLog(location: string, damage: (db: Level) => Promise<void>): Promise<void> {
  const log = await openLevelLog({ location });
  for (const stream of ['a', 'b', 'c']) await log.append(stream, 'no-stream', [anEvent(), anEvent()]);
  await log.close();
  const db = new Level(location);
  await damage(db);
  await db.close();
}

async function damageGroup(db: Level, first: number, damage: (records: string) => string): Promise<void> {
  const key = groupKey(first as Position);
  await db.put(key, damage((await db.get(key)) ?? ''));
}

function expectUnavailable(refusal: unknown, cause: Error | undefined): void {
  expect(refusal).to.be.instanceOf(LogUnavailable);
  expect((refusal as Error).cause).to.equal(cause);
}

interface ChainedBatch {
  write(options: { readonly sync?: boolean }): Promise<void>;
}

/** A database that counts its writes, and whose writes fail while `failure` is set. */
class FailingLevel extends Level {
  failure: Error | undefined;
  writes = 0;
  unsyncedWrites = 0;
  #onWrite: (() => void)[] = [];

  constructor(location: string) {
    super(location);
    const begin = super.batch.bind(this) as () => ChainedBatch; // the overload that the log calls
    Object.assign(this, { batch: () => this.#instrument(begin()) });
  }

  #instrument(batch: ChainedBatch): ChainedBatch {
    const write = batch.write.bind(batch);
    return Object.assign(batch, {
      write: async (options: { readonly sync?: boolean }) => {
        this.writes += 1;
        if (options.sync !== true) this.unsyncedWrites += 1;
        for (const listener of this.#onWrite.splice(0)) listener();
        if (this.failure !== undefined) throw this.failure;
        await write(options);
      },
    });
  }

  /** Resolves when a write has begun. */
  nextWrite(): Promise<void> {
    return new Promise((resolve) => this.#onWrite.push(resolve));
  }
}
