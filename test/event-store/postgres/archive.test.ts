import { expect } from 'chai';
import fc from 'fast-check';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryLog } from '../../../src/event-store/engines/memory.ts';
import {
  DecisionOutdated,
  WrongExpectedRevision,
  type EventLog,
  type EventToAppend,
  type Position,
  type RecordedEvent,
  type Revision,
  type StreamRevision,
} from '../../../src/event-store/event-log.ts';
import type { PostgresLogDeps } from '../../../src/event-store/postgres/postgres-log.ts';
import { readEverything, rejection } from '../../contract/event-log.contract.ts';
import { archiveAll, archiveBefore, requireArchive, findArchiveDamage } from '../../support/archiving.ts';
import { createDatabase } from '../../support/postgres/cluster.ts';
import { openTestLog, withConnection } from '../../support/postgres/open-log.ts';
import { anEvent, someEvents } from '../../support/some-events.ts';
import { expectStream, readShortPages, readWholeStream } from '../../support/whole-stream.ts';

const STREAMS = ['grant-0', 'grant-1', 'user-a', 'user-"'];

describe('the archive of a log in PostgreSQL', function () {
  this.timeout(180_000);
  let parent: string;
  let url: string;
  let sharedDirectory: string;
  let openLogs: EventLog[];

  before(() => {
    parent = mkdtempSync(join(tmpdir(), 'grantlog-archive-'));
  });
  after(() => rmSync(parent, { recursive: true }));
  beforeEach(async () => {
    [url, openLogs] = [await createDatabase(), []];
    sharedDirectory = mkdtempSync(join(parent, 'shared-'));
  });
  afterEach(() => Promise.all(openLogs.map((log) => log.close())));

  async function open(deps: Partial<PostgresLogDeps> = {}): Promise<EventLog> {
    const log = await openTestLog(url, { archiveDirectory: sharedDirectory, ...deps });
    openLogs.push(log);
    return log;
  }
  const query = <Row extends object>(text: string): Promise<readonly Row[]> =>
    withConnection(url, (connection) => connection.query<Row>({ text }));
  const storedEvents = async (): Promise<number> =>
    (await query<{ count: number }>('select count(*) as count from grantlog.events'))[0]?.count ?? NaN;
  const sealsIn = (directory = sharedDirectory): readonly string[] =>
    readdirSync(directory).filter((name) => name.endsWith('.seal'));

  it('behaves on every node like a log that was never archived, wherever its segments end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(stepArbitrary, { minLength: 4, maxLength: 20 }), async (steps) => {
        url = await createDatabase();
        sharedDirectory = mkdtempSync(join(parent, 'shared-'));
        const reference = createMemoryLog();
        const nodes = [await open(), await open()];
        for (const [now, step] of steps.entries()) {
          const node = nodes[step.node] ?? expect.fail();
          if (step.kind === 'archive') {
            await archiveBefore(node, now - step.age);
          } else {
            await node.shared?.catchUp();
            const { revision } = await readWholeStream(reference, step.stream);
            const expected = revisionWithOffset(revision, step.offset);
            const events = Array.from({ length: step.count }, () => eventAt(now));
            expect(await tryAppend(node, step.stream, expected, events)).to.deep.equal(
              await tryAppend(reference, step.stream, expected, events),
            );
          }
          for (const reader of nodes) {
            await reader.shared?.catchUp();
            expect(await readEverything(reader)).to.deep.equal(await readEverything(reference));
            for (const stream of STREAMS)
              await expectStream(reader, stream, (await readWholeStream(reference, stream)).events);
          }
        }
        expect(await findArchiveDamage(nodes[0] ?? expect.fail())).to.deep.equal([]);
        for (const node of openLogs.splice(0)) await node.close();
      }),
      { numRuns: 6 },
    );
  });

  it('reads a long stream in short pages, across segments and the database', async () => {
    const log = await open();
    let revision: StreamRevision = 'no-stream';
    for (const [appends, interval] of [
      [150, 0],
      [60, 1],
      [90, 5],
    ] as const) {
      for (let index = 0; index < appends; index += 1) {
        ({ revision } = await log.append('grant-long', revision, someEvents(2)));
        if (interval > 0 && index % interval === 0) await log.append(`user-${log.head()}`, 'no-stream', someEvents(1));
      }
      if (interval !== 5) await archiveAll(log);
    }
    expect(sealsIn()).to.have.length(2);
    const events = (await readEverything(log)).filter(({ stream }) => stream === 'grant-long');
    expect(events).to.have.length(600);
    await expectStream(log, 'grant-long', events);
    for (const [index, from] of events.entries()) {
      if (index % 97 !== 0) continue;
      expect(await readShortPages(log.readStream('grant-long', from))).to.deep.equal(events.slice(index));
      const backwardEvents = await readShortPages(log.readStreamBackwards('grant-long', from));
      expect(backwardEvents).to.deep.equal(events.slice(0, index + 1).toReversed());
    }
  });

  it('does not disturb earlier readers on other nodes', async () => {
    const [log, otherNode] = [await open(), await open()];
    let revision: StreamRevision = 'no-stream';
    for (let count = 0; count < 100; count += 1)
      ({ revision } = await log.append('grant-long', revision, someEvents(2)));
    await log.append('user-last', 'no-stream', someEvents(1));
    await otherNode.shared?.catchUp();
    const allEvents = await readEverything(otherNode);
    const stream = allEvents.filter((event) => event.stream === 'grant-long');
    const readers = [
      { pages: otherNode.readAll(0 as Position, 10), expected: allEvents },
      { pages: otherNode.readBackwards(otherNode.head()), expected: allEvents.toReversed() },
      { pages: otherNode.readStream('grant-long'), expected: stream },
      { pages: otherNode.readStreamBackwards('grant-long'), expected: stream.toReversed() },
    ].map(({ pages, expected }) => ({ pages: pages[Symbol.asyncIterator](), expected, events: [] as RecordedEvent[] }));
    for (const { pages, events } of readers) events.push(...((await pages.next()).value as readonly RecordedEvent[]));
    await archiveAll(log);
    expect(await storedEvents()).to.equal(1);
    for (const { pages, events, expected } of readers) {
      for (let next = await pages.next(); next.done !== true; next = await pages.next()) events.push(...next.value);
      expect(events).to.deep.equal(expected);
    }
  });

  it('keeps the revisions of archived streams, for appends, dependencies and used names', async () => {
    const [log, otherNode] = [await open(), await open()];
    const { revision } = await log.append('user-a', 'no-stream', someEvents(3));
    await log.append('user-last', 'no-stream', someEvents(1));
    await archiveAll(log);
    for (const expected of ['no-stream', 'new-stream', 2 as Revision, 4 as Revision] as const)
      expect(await rejection(otherNode.append('user-a', expected, someEvents(1)))).to.be.instanceOf(
        WrongExpectedRevision,
      );
    const outdatedDependencies = [{ stream: 'user-a', revision: 2 as Revision }];
    expect(
      await rejection(otherNode.append('grant-1', 'new-stream', someEvents(1), outdatedDependencies)),
    ).to.be.instanceOf(DecisionOutdated);
    await otherNode.append('grant-1', 'new-stream', someEvents(1), [{ stream: 'user-a', revision }]);
    expect((await otherNode.append('user-a', revision, someEvents(1))).revision).to.equal(4);
    await archiveAll(otherNode);
    expect((await readWholeStream(log, 'user-a')).revision).to.equal(4);
  });

  it('keeps the newest event, and all events after the first recent event', async () => {
    const log = await open();
    expect(await archiveAll(log)).to.include({ events: 0, end: 0 });
    for (const [index, time] of [1, 5, 3, 9].entries())
      await log.append(`grant-${index}`, 'no-stream', [eventAt(time)]);
    expect(await archiveBefore(log, 5)).to.include({ events: 1, end: 1 });
    expect(await archiveBefore(log, 5)).to.include({ events: 0, end: 1 });
    expect(await archiveBefore(log, 6)).to.include({ events: 2, end: 3 });
    expect(await archiveBefore(log, 100)).to.include({ events: 0, end: 3 });
    expect(await storedEvents()).to.equal(1);
  });

  it('removes no row that an append whose response was lost may still need', async () => {
    const pauses: number[] = [];
    let removedBefore: number | undefined;
    const log = await open({
      async pause(milliseconds) {
        pauses.push(milliseconds);
        removedBefore ??= 3 - (await storedEvents());
      },
    });
    for (const stream of ['a', 'b', 'c']) await log.append(stream, 'no-stream', someEvents(1));
    await archiveAll(log);
    expect(pauses).to.deep.equal([15_000]); // an append is sent again for up to 10 seconds
    expect(removedBefore).to.equal(0);
    expect(await storedEvents()).to.equal(1);
  });

  it('delivers archived events to a node that has fallen behind', async () => {
    const log = await open();
    const laggingNode = await open({ prepare: () => releaseSignal });
    let release = (): void => {};
    const releaseSignal = new Promise<void>((resolve) => (release = resolve));
    const deliveredEvents: RecordedEvent[] = [];
    laggingNode.onAppended((events) => void deliveredEvents.push(...events));
    for (let first = 0; first < 1_500; first += 100) await log.append(`grant-${first}`, 'no-stream', someEvents(100));
    await archiveAll(log);
    release();
    await laggingNode.shared?.catchUp();
    expect(deliveredEvents).to.deep.equal(await readEverything(log));
  });

  describe('when archiving is interrupted', () => {
    for (const step of ['compressed', 'written', 'sealed', 'dropped'] as const) {
      it(`after "${step}", loses and duplicates nothing, and can be continued by another node`, async () => {
        const [log, otherNode] = [await open(), await open()];
        await fill(log, 30);
        await otherNode.shared?.catchUp();
        const allEvents = await readEverything(log);
        const cause = new Error('stopped');
        const stopAt = ({ step: currentStep }: { readonly step: string }): void => {
          if (currentStep === step) throw cause;
        };
        expect(await rejection(archiveBefore(log, Infinity, stopAt))).to.equal(cause);
        const isArchived = step === 'sealed' || step === 'dropped';
        expect(await storedEvents()).to.equal(step === 'dropped' ? 1 : 30);
        for (const node of [log, otherNode, await open()]) {
          expect(await readEverything(node)).to.deep.equal(allEvents);
          await expectStream(
            node,
            'user-a',
            allEvents.filter(({ stream }) => stream === 'user-a'),
          );
        }
        expect(await archiveAll(otherNode)).to.include({ events: isArchived ? 0 : 29, end: 29 });
        expect(await storedEvents()).to.equal(1);
        expect(await readEverything(log)).to.deep.equal(allEvents);
        expect(await findArchiveDamage(await open())).to.deep.equal([]);
      });
    }

    it('between the seal and its entry in the database, leaves files that are ignored', async () => {
      const log = await open();
      await fill(log, 10);
      const allEvents = await readEverything(log);
      await query('alter function grantlog.list_segment rename to list_no_segment');
      await rejection(archiveAll(log));
      expect(sealsIn()).to.have.length(1);
      await query('alter function grantlog.list_no_segment rename to list_segment');
      const otherNode = await open();
      expect(requireArchive(otherNode).end()).to.equal(0);
      await fill(otherNode, 1);
      expect(await archiveAll(otherNode)).to.include({ events: 10, end: 10 });
      expect((await readEverything(await open())).slice(0, 10)).to.deep.equal(allEvents);
      expect(sealsIn()).to.have.length(2);
    });

    it('by a lost connection, reports the failure, and can be continued', async () => {
      const terminateConnection = `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'grantlog archive'`;
      const log = await open({ pause: async () => void (await query(terminateConnection)) }); // before it removes rows
      await fill(log, 20);
      expect(await rejection(archiveAll(log))).to.be.an('error');
      expect(await storedEvents()).to.equal(20);
      expect(await readEverything(log)).to.have.length(20);
      const reopenedLog = await open();
      await archiveAll(reopenedLog);
      expect(await storedEvents()).to.equal(1);
      expect(await readEverything(reopenedLog)).to.have.length(20);
      expect(await findArchiveDamage(reopenedLog)).to.deep.equal([]);
    });

    it('by closing the log, stops before the log is closed', async () => {
      const log = await open({
        pause: (_, signal) =>
          new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
      });
      await fill(log, 20);
      const archiving = rejection(archiveAll(log));
      await log.close();
      expect(await archiving).to.have.property('name', 'AbortError');
      expect(await readEverything(await open())).to.have.length(20);
    });

    it('leaves unsealed files that another process removes a day later', async () => {
      const log = await open();
      await fill(log, 4);
      const pathWith = (ending: string): string =>
        join(sharedDirectory, `${'1'.repeat(16)}-${'2'.repeat(16)}.abc-1.${ending}`);
      for (const path of [
        pathWith('index'),
        join(sharedDirectory, 'records.abc-1.new'),
        join(sharedDirectory, 'notes.txt'),
      ])
        writeFileSync(path, '');
      await archiveAll(log);
      expect(readdirSync(sharedDirectory)).to.have.length(6);
      const oldTime = new Date(Date.now() - 2 * 86_400_000);
      for (const name of readdirSync(sharedDirectory)) utimesSync(join(sharedDirectory, name), oldTime, oldTime);
      await fill(log, 1);
      await archiveAll(log);
      expect(readdirSync(sharedDirectory))
        .to.have.length(7)
        .and.include('notes.txt')
        .and.not.include('records.abc-1.new');
    });
  });

  describe('is not extended, and every event stays in the database,', () => {
    const refusalOf = async (log: EventLog): Promise<string> => {
      const error = (await rejection(archiveAll(log))) as Error;
      expect(error).to.have.property('name', 'ArchivingRefused');
      return error.message;
    };

    it('without a directory', async () => {
      const log = await open({ archiveDirectory: undefined });
      await fill(log, 3);
      expect(await refusalOf(log)).to.include('Set GRANTLOG_ARCHIVE');
    });

    it('while another process is archiving', async () => {
      const [log, otherNode] = [await open(), await open()];
      await fill(log, 3);
      let refusal: Promise<string> | undefined;
      await archiveBefore(log, Infinity, () => void (refusal ??= refusalOf(otherNode)));
      expect(await refusal).to.include('another process is archiving');
    });

    it('if a node has no directory, or runs an earlier release', async () => {
      const log = await open();
      await fill(log, 3);
      await open({
        archiveDirectory: undefined,
        node: { id: '00000000-0000-4000-8000-000000000000', release: '0.9.0', host: 'machine', processId: 12 },
      });
      expect(await refusalOf(log)).to.include('the node with release 0.9.0 on machine (process 12) has no archive');
      expect(await storedEvents()).to.equal(3);
      expect(sealsIn()).to.deep.equal([]);
    });

    it('if a node does not see the new files', async () => {
      const log = await open({ pause: async () => {} });
      await fill(log, 3);
      const otherNode = await open({ archiveDirectory: join(parent, 'elsewhere') });
      expect(await refusalOf(log)).to.include('cannot find the archive files up to position 2');
      expect(await storedEvents()).to.equal(3);
      expect(await readEverything(otherNode)).to.have.length(3);
    });
  });

  it('must be available when a node starts; otherwise, the message names the setting', async () => {
    const log = await open();
    await fill(log, 3);
    await archiveAll(log);
    for (const archiveDirectory of [undefined, join(parent, 'empty')]) {
      const unavailableArchive = requireArchive(await open({ archiveDirectory }));
      expect(() => unavailableArchive.assertComplete()).to.throw(
        /the events from position 1 on cannot be read.*GRANTLOG_ARCHIVE/,
      );
    }
    rmSync(join(sharedDirectory, readdirSync(sharedDirectory).find((name) => name.endsWith('.gz')) ?? ''));
    const damagedLog = await open();
    expect(() => requireArchive(damagedLog).assertComplete()).to.throw('missing');
    expect(await findArchiveDamage(damagedLog)).to.have.length(1);
  });
});

const stepArbitrary = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('append' as const),
      node: fc.nat(1),
      stream: fc.constantFrom(...STREAMS),
      offset: fc.oneof(
        { weight: 5, arbitrary: fc.constant(0) },
        { weight: 1, arbitrary: fc.integer({ min: -3, max: 3 }) },
      ),
      count: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('archive' as const),
      node: fc.nat(1),
      age: fc.integer({ min: -1, max: 6 }),
    }),
  },
);

const eventAt = (recordedAt: number): EventToAppend => ({ ...anEvent({}), recordedAt });

function revisionWithOffset(revision: StreamRevision, offset: number): StreamRevision {
  const claimedRevision = Math.max(0, (revision === 'no-stream' ? 0 : revision) + offset);
  return claimedRevision === 0 ? 'no-stream' : (claimedRevision as Revision);
}

async function tryAppend(log: EventLog, ...append: Parameters<EventLog['append']>): Promise<unknown> {
  return log.append(...append).catch((error: unknown) => {
    if (error instanceof WrongExpectedRevision) return error.message;
    throw error;
  });
}

/** Appends one event in each of `count` appends. */
async function fill(log: EventLog, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const stream = index % 5 === 0 ? 'user-a' : `grant-${log.head()}`;
    await log.append(stream, (await readWholeStream(log, stream)).revision, someEvents(1, `${index}`));
  }
}
