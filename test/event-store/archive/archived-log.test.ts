import { expect } from 'chai';
import fc from 'fast-check';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Level } from 'level';
import { openLevelLog } from '../../../src/event-store/engines/level.ts';
import { createMemoryLog } from '../../../src/event-store/engines/memory.ts';
import { START, WrongExpectedRevision } from '../../../src/event-store/event-log.ts';
import type {
  AppendResult,
  EventLog,
  EventToAppend,
  ExpectedRevision,
  Position,
  RecordedEvent,
  Revision,
} from '../../../src/event-store/event-log.ts';
import { readEverything, rejection } from '../../contract/event-log.contract.ts';
import { archiveAll, archiveBefore, requireArchive, findArchiveDamage } from '../../support/archiving.ts';
import { anEvent, someEvents } from '../../support/some-events.ts';
import { expectStream, readShortPages, readWholeStream } from '../../support/whole-stream.ts';
import { repetitions } from '../../support/repetitions.ts';

const GRANTS = ['grant-0', 'grant-1', 'grant-2', 'grant-3'];
const USERS = ['user-a', 'user-ab', 'user-"'];
const isNeverReused = (stream: string): boolean => stream.startsWith('grant-');

describe('an archived log', function () {
  this.timeout(180_000);
  let parent: string;
  let directories = 0;
  let dataDir: string;

  before(() => {
    parent = mkdtempSync(join(tmpdir(), 'grantlog-archive-'));
  });
  beforeEach(() => {
    dataDir = newDirectory();
  });
  after(() => rmSync(parent, { recursive: true }));

  const newDirectory = (): string => join(parent, String((directories += 1)));
  const open = (directory = dataDir): Promise<EventLog> =>
    openLevelLog({
      location: join(directory, 'log'),
      archiving: { directory: join(directory, 'archive'), isNeverReused },
    });
  const filesIn = (directory = dataDir): readonly string[] => readdirSync(join(directory, 'archive'));

  it('behaves like a log that was never archived, wherever its segments end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(stepArbitrary, { minLength: 4, maxLength: 30 }), async (steps) => {
        dataDir = newDirectory();
        const reference = createMemoryLog();
        let log = await open();
        let now = 0;
        for (const step of steps) {
          if (step.kind === 'reopen') {
            await log.close();
            log = await open();
          } else if (step.kind === 'archive') {
            await archiveBefore(log, now - step.age);
          } else {
            now += 1;
            await appendToBoth(reference, log, step.appends, now);
          }
          await expectSameContent(log, reference);
        }
        expect(await findArchiveDamage(log)).to.deep.equal([]);
        await log.close();
      }),
      { numRuns: repetitions(10) },
    );
  });

  it('can be read completely and in part, across members and segments', async () => {
    const log = await open();
    const appendedEvents: RecordedEvent[] = [];
    log.onAppended((events) => void appendedEvents.push(...events));
    for (let burst = 0; burst < 40; burst += 1) {
      await Promise.all(
        Array.from({ length: 20 }, async (_, i) => {
          const stream = `${i % 3 === 0 ? 'user' : 'grant'}-${burst % 4}-${i}`;
          return log.append(
            stream,
            (await readWholeStream(log, stream)).revision,
            someEvents(1 + ((burst + i) % 4), `${burst}`),
          );
        }),
      );
      if (burst % 15 === 14) await archiveAll(log);
    }
    expect(filesIn().filter((name) => name.endsWith('.seal'))).to.have.length(2);
    expect(await readEverything(log)).to.deep.equal(appendedEvents);
    for (let after = 0; after <= appendedEvents.length; after += 37)
      expect(await readEverything(log, after as Position)).to.deep.equal(appendedEvents.slice(after));
    for (const stream of new Set(appendedEvents.map((event) => event.stream))) {
      expect((await readWholeStream(log, stream)).events).to.deep.equal(
        appendedEvents.filter((event) => event.stream === stream),
      );
    }
    expect(await findArchiveDamage(log)).to.deep.equal([]);
    await log.close();
  });

  it('reads a long stream in short pages, across many members, runs and segments', async () => {
    const log = await open();
    let revision: ExpectedRevision = 'no-stream';
    const append = async (appends: number, interval: number): Promise<void> => {
      for (let index = 0; index < appends; index += 1) {
        ({ revision } = await log.append('grant-long', revision, someEvents(2)));
        if (interval > 0 && index % interval === 0) await log.append(`user-${log.head()}`, 'no-stream', someEvents(1));
      }
    };
    await append(400, 0); // one run over a dozen members
    await append(60, 1);
    await archiveAll(log);
    await append(130, 5);
    await archiveAll(log);
    await append(70, 0);
    const events = (await readEverything(log)).filter(({ stream }) => stream === 'grant-long');
    expect(events).to.have.length(1320);
    await expectStream(log, 'grant-long', events);
    expect(await readShortPages(log.readStreamBackwards('grant-long'))).to.deep.equal(events.toReversed());
    for (const [index, from] of events.entries()) {
      if (index % 137 !== 0) continue;
      expect(await readShortPages(log.readStream('grant-long', from)), `from ${index}`).to.deep.equal(
        events.slice(index),
      );
      const backwardEvents = await readShortPages(log.readStreamBackwards('grant-long', from));
      expect(backwardEvents, `back from ${index}`).to.deep.equal(events.slice(0, index + 1).toReversed());
    }
    await log.close();
  });

  it('continues to read a stream while it is archived', async () => {
    const log = await open();
    let revision: ExpectedRevision = 'no-stream';
    for (let count = 0; count < 200; count += 1)
      ({ revision } = await log.append('grant-long', revision, someEvents(2)));
    await log.append('user-last', 'no-stream', someEvents(1));
    const events = await readShortPages(log.readStream('grant-long'));
    const begin = (pages: AsyncIterable<readonly RecordedEvent[]>): Reading => ({
      pages: pages[Symbol.asyncIterator](),
      events: [],
    });
    const readings = [begin(log.readStream('grant-long')), begin(log.readStreamBackwards('grant-long'))];
    const readPage = async (reading: Reading): Promise<boolean> => {
      const next = await reading.pages.next();
      if (next.done !== true) reading.events.push(...next.value);
      return next.done !== true;
    };
    for (const reading of readings) expect(await readPage(reading)).to.equal(true);
    await archiveAll(log);
    for (const reading of readings) while (await readPage(reading));
    expect(readings.map((reading) => reading.events)).to.deep.equal([events, events.toReversed()]);
    await log.close();
  });

  it('shrinks LevelDB, and takes less space in total because the archive is compressed', async () => {
    const log = await open();
    for (let burst = 0; burst < 60; burst += 1)
      await Promise.all(
        Array.from({ length: 100 }, (_, i) =>
          log.append(`grant-${burst}-${i}`, 'no-stream', someEvents(2, 'filling '.repeat(10))),
        ),
      );
    await log.close();
    const bytesBefore = bytesIn(join(dataDir, 'log'));
    const reopenedLog = await open();
    const { events, textBytes, archivedBytes } = await archiveAll(reopenedLog);
    await reopenedLog.close();
    expect(events).to.be.above(11_000);
    expect(bytesIn(join(dataDir, 'log'))).to.be.below(bytesBefore / 4);
    expect(bytesIn(join(dataDir, 'archive')))
      .to.be.below(textBytes / 4)
      .and.within(archivedBytes, archivedBytes + 1000);
  });

  it('keeps the newest group and recent events', async () => {
    const log = await open();
    expect(await archiveAll(log)).to.include({ events: 0, end: 0 });
    await log.append('grant-0', 'no-stream', [eventAt(1)]);
    expect(await archiveAll(log)).to.include({ events: 0 });
    await log.append('grant-1', 'no-stream', [eventAt(5)]);
    await log.append('grant-2', 'no-stream', [eventAt(3)]); // the clock was set back
    await log.append('grant-3', 'no-stream', [eventAt(9)]);
    expect(await archiveBefore(log, 5)).to.include({ events: 1, end: 1 });
    expect(await archiveBefore(log, 5)).to.include({ events: 0, end: 1 });
    expect(await archiveBefore(log, 6)).to.include({ events: 2, end: 3 });
    expect(await archiveBefore(log, 100)).to.include({ events: 0, end: 3 });
    await log.close();
  });

  it('has files that only their owner can read, and no files before events are archived', async () => {
    const log = await open();
    expect(() => filesIn()).to.throw('ENOENT');
    await fill(log, 4);
    await archiveAll(log);
    await log.close();
    expect(statSync(join(dataDir, 'archive')).mode & 0o777).to.equal(0o700);
    expect(filesIn()).to.deep.equal([
      '0000000000000001-0000000000000003.index',
      '0000000000000001-0000000000000003.jsonl.gz',
      '0000000000000001-0000000000000003.seal',
    ]);
    for (const name of filesIn()) expect(statSync(join(dataDir, 'archive', name)).mode & 0o777, name).to.equal(0o600);
  });

  it('does not read the archive when a stream with a new name starts', async () => {
    const log = await open();
    await fill(log, 4);
    await archiveAll(log);
    rmSync(join(dataDir, 'archive'), { recursive: true }); // reading the archive would fail
    await log.append('grant-new', 'no-stream', someEvents(1));
    await log.append('user-new', 'no-stream', someEvents(1));
    expect((await readWholeStream(log, 'grant-new')).events).to.have.length(1);
    await log.close();
  });

  it('archives one segment at a time, and can be read in the meantime', async () => {
    const log = await open();
    await fill(log, 300);
    const expected = await readEverything(log);
    const earlierReading = log.readAll(START);
    const backwards = log.readBackwards(log.head())[Symbol.asyncIterator]();
    const backwardEvents = [...((await backwards.next()).value as readonly RecordedEvent[])];
    const [firstRun, secondRun, concurrentEvents] = await Promise.all([
      archiveAll(log),
      archiveAll(log),
      readEverything(log),
      log.append('user-late', 'no-stream', someEvents(1)),
    ]);
    for (let next = await backwards.next(); next.done !== true; next = await backwards.next())
      backwardEvents.push(...next.value);
    expect(backwardEvents).to.deep.equal(expected.toReversed());
    expect([firstRun.events, secondRun.events]).to.include(299);
    expect(concurrentEvents.slice(0, 300)).to.deep.equal(expected);
    const earlierEvents: RecordedEvent[] = [];
    for await (const events of earlierReading) earlierEvents.push(...events);
    expect(earlierEvents).to.deep.equal(expected);
    await log.close();
  });

  describe('when archiving is interrupted', () => {
    it('at any step, loses and duplicates nothing, and can continue archiving', async () => {
      const log = await open();
      const reference = createMemoryLog();
      for (const target of [log, reference]) await fill(target, 100);
      const crashes: { readonly step: string; readonly directory: string }[] = [];
      await archiveBefore(log, Infinity, ({ step }) => {
        if (crashes.filter((crash) => crash.step === step).length === 4) return;
        const directory = newDirectory();
        cpSync(dataDir, directory, { recursive: true }); // what would remain if the process ended here
        crashes.push({ step, directory });
      });
      await log.close();
      expect(new Set(crashes.map(({ step }) => step))).to.deep.equal(
        new Set(['compressed', 'written', 'sealed', 'dropped', 'compacted']),
      );
      for (const { step, directory } of crashes) {
        const reopenedLog = await open(directory);
        await expectSameContent(reopenedLog, reference, step);
        expect(requireArchive(reopenedLog).end(), step).to.equal(step === 'compressed' || step === 'written' ? 0 : 99);
        await archiveAll(reopenedLog);
        await expectSameContent(reopenedLog, reference, step);
        expect(await findArchiveDamage(reopenedLog)).to.deep.equal([]);
        expect(filesIn(directory), step).to.have.length(3);
        await reopenedLog.close();
        expect(await countKeys(directory), step).to.deep.equal({ groups: 1, grants: 1, users: 20 });
      }
    });

    it('by an error or by its caller, can continue archiving immediately', async () => {
      const reference = createMemoryLog();
      const log = await open();
      for (const target of [log, reference]) await fill(target, 100);
      for (const step of ['compressed', 'written', 'sealed', 'dropped', 'compacted'] as const) {
        const cause = new Error('stopped');
        expect(
          await rejection(
            archiveBefore(log, Infinity, (progress) => {
              if (progress.step === step) throw cause;
            }),
          ),
        ).to.equal(cause);
        await expectSameContent(log, reference, step);
        if (step === 'compressed') expect(filesIn(), 'an incomplete file').to.deep.equal([]);
        for (const target of [log, reference]) await fill(target, 40);
      }
      await archiveAll(log);
      await expectSameContent(log, reference);
      await log.close();
    });

    it('by a failing disk, drops nothing, and continues archiving only after a restart', async () => {
      let log = await open();
      await fill(log, 40);
      const allEvents = await readEverything(log);
      const seal = join(dataDir, 'archive', '0000000000000001-0000000000000039.seal');
      mkdirSync(seal, { recursive: true }); // so that the file cannot be created
      expect(await rejection(archiveAll(log))).to.have.property('code', 'EISDIR');
      expect(await rejection(archiveAll(log)))
        .to.have.property('message')
        .that.includes('restart the server');
      expect(await readEverything(log)).to.deep.equal(allEvents);
      await log.append('grant-after', 'no-stream', someEvents(1));
      await log.close();
      rmSync(seal, { recursive: true });

      log = await open();
      expect(await archiveAll(log)).to.include({ events: 40 });
      expect((await readEverything(log)).slice(0, 40)).to.deep.equal(allEvents);
      await log.close();
    });

    it('by closing the log, stops archiving before it is closed', async () => {
      const log = await open();
      await fill(log, 100);
      const archiving = rejection(archiveAll(log));
      await log.close();
      expect(await archiving).to.have.property('name', 'AbortError');
      const reopenedLog = await open();
      expect(await readEverything(reopenedLog)).to.have.length(100);
      await reopenedLog.close();
    });
  });
});

/** A stream that is being read, and the events in the pages read so far. */
interface Reading {
  readonly pages: AsyncIterator<readonly RecordedEvent[]>;
  readonly events: RecordedEvent[];
}

interface Attempt {
  readonly stream: string;
  /** Added to the stream's revision to get the revision that the writer expects. */
  readonly offset: number;
  readonly count: number;
}

const attemptArbitrary: fc.Arbitrary<Attempt> = fc.record({
  stream: fc.constantFrom(...GRANTS, ...USERS),
  offset: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.integer({ min: -3, max: 3 }) }),
  count: fc.integer({ min: 1, max: 3 }),
});

const stepArbitrary = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('append' as const),
      appends: fc.uniqueArray(attemptArbitrary, { selector: ({ stream }) => stream, minLength: 1, maxLength: 5 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('archive' as const), age: fc.integer({ min: -1, max: 6 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopen' as const) }) },
);

const eventAt = (recordedAt: number, data: unknown = {}): EventToAppend => ({ ...anEvent(data), recordedAt });

/** Appends concurrently to `log`, so that appends share groups, and in the resulting order to the reference. */
async function appendToBoth(
  reference: EventLog,
  log: EventLog,
  attempts: readonly Attempt[],
  now: number,
): Promise<void> {
  const appends = await Promise.all(
    attempts.map(async ({ stream, offset, count }) => {
      const { events } = await readWholeStream(reference, stream);
      const claimedRevision = Math.max(0, events.length + offset);
      // A grant's name never starts a second stream, because its index entries may have been dropped.
      const expected: ExpectedRevision =
        claimedRevision > 0
          ? (claimedRevision as Revision)
          : isNeverReused(stream) && events.length > 0
            ? (99 as Revision)
            : 'no-stream';
      return [stream, expected, Array.from({ length: count }, (_, i) => eventAt(now, { i }))] as const;
    }),
  );
  const outcomes = await Promise.all(
    appends.map(async (append) => ({ append, outcome: await settleAppend(log.append(...append)) })),
  );
  const orderedOutcomes = outcomes.toSorted((a, b) => (a.outcome.position ?? 0) - (b.outcome.position ?? 0));
  for (const { append, outcome } of orderedOutcomes)
    expect(await settleAppend(reference.append(...append))).to.deep.equal(outcome);
}

async function settleAppend(
  append: Promise<AppendResult>,
): Promise<Partial<AppendResult> & { readonly refusal?: string }> {
  return append.catch((error: unknown) => {
    if (error instanceof WrongExpectedRevision) return { refusal: error.message };
    throw error;
  });
}

async function expectSameContent(log: EventLog, reference: EventLog, step = ''): Promise<void> {
  expect(log.head(), step).to.equal(reference.head());
  const allEvents = await readEverything(reference);
  expect(await readEverything(log), step).to.deep.equal(allEvents);
  const middle = Math.floor(allEvents.length / 2) as Position;
  expect(await readEverything(log, middle), step).to.deep.equal(allEvents.slice(middle));
  for (const stream of new Set([...GRANTS, ...USERS, ...allEvents.slice(0, 3).map((event) => event.stream)])) {
    await expectStream(log, stream, (await readWholeStream(reference, stream)).events, `${step} ${stream}`);
  }
}

/** Appends `count` events, each in a separate group. */
async function fill(log: EventLog, count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    const stream = i % 5 === 0 ? 'user-a' : `grant-${log.head()}`;
    await log.append(stream, (await readWholeStream(log, stream)).revision, someEvents(1, `${i}`));
  }
}

/** Counts the remaining entries in LevelDB: groups of records, and index entries by kind of stream. */
async function countKeys(
  directory: string,
): Promise<{ readonly groups: number; readonly grants: number; readonly users: number }> {
  const db = new Level(join(directory, 'log'));
  const keys = await db.keys().all();
  await db.close();
  const count = (prefix: string): number => keys.filter((key) => key.startsWith(prefix)).length;
  return { groups: count('e'), grants: count('s"grant-'), users: count('s"user-') };
}

function bytesIn(directory: string): number {
  return readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);
}
