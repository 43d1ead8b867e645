import { expect } from 'chai';
import fc from 'fast-check';
import { DecisionOutdated, LogUnavailable, START, WrongExpectedRevision } from '../../src/event-store/event-log.ts';
import type {
  AppendResult,
  EventLog,
  EventToAppend,
  StreamRevision,
  Position,
  RecordedEvent,
  Revision,
} from '../../src/event-store/event-log.ts';
import { anEvent, someEvents } from '../support/some-events.ts';
import { expectStream, readPages, readShortPages, readWholeStream } from '../support/whole-stream.ts';
import { repetitions } from '../support/repetitions.ts';

/** The log of the engine under test. `reopen` closes it and opens the same storage again; in-memory engines lack it. */
export interface OpenedLog {
  readonly log: EventLog;
  reopen?(): Promise<EventLog>;
}

/**
 * Tests the guarantees that every engine gives. `open` returns an empty log each time; the caller cleans up the
 * storage. Guarantees about restarts apply only to durable engines.
 */
export function describeEventLog(
  name: string,
  open: () => Promise<OpenedLog>,
  { isDurable, modelRuns = 30 }: { readonly isDurable: boolean; readonly modelRuns?: number },
): void {
  describe(`event log: ${name}`, () => {
    let openedLog: OpenedLog;
    let log: EventLog;

    beforeEach(async () => {
      openedLog = await open();
      log = openedLog.log;
    });
    afterEach(() => log.close());

    describe('appending', () => {
      it('starts in a log with no events, no streams, and its head at START', async () => {
        expect(log.head()).to.equal(START);
        expect(await readEverything(log)).to.deep.equal([]);
        expect(await readWholeStream(log, 's')).to.deep.equal({ events: [], revision: 'no-stream' });
        await expectStream(log, 's', []);
      });

      it('preserves events, and reading returns them with their positions', async () => {
        const original: EventToAppend = {
          type: 'Happened',
          version: 3,
          recordedAt: 1_700_000_000_000,
          actor: { kind: 'user', id: 'ä\u0000\n' },
          requestId: 'r-1',
          data: { text: 'line\nline\u2028', list: [1, null, { deep: true }] },
        };
        const { revision, position } = await log.append('s', 'no-stream', [original]);
        const [event] = await readEverything(log);
        expect(event).to.deep.equal({ ...original, stream: 's', revision, position, record: event?.record });
        expect(JSON.parse(event?.record ?? '')).to.deep.equal({ ...original, stream: 's', revision });
      });

      it('keeps the appended events consecutive and in order, and returns the last position', async () => {
        const results = await Promise.all([
          log.append('a', 'no-stream', someEvents(3)),
          log.append('b', 'no-stream', someEvents(2)),
        ]);
        const events = await readEverything(log);
        expect(events.map(({ stream }) => stream)).to.deep.equal(['a', 'a', 'a', 'b', 'b']);
        expect(results.map(({ position }) => position)).to.deep.equal([events[2]?.position, events[4]?.position]);
        expect(log.head()).to.equal(events.at(-1)?.position);
      });

      it('leaves no gaps between positions, even with refusals and concurrent appends', async () => {
        const appends = Array.from({ length: 200 }, (_, i) =>
          log.append(`s${i % 50}`, 'no-stream', someEvents(1 + (i % 3))),
        );
        await Promise.allSettled(appends);
        const positions = (await readEverything(log)).map(({ position }) => position as number);
        expect(positions).to.deep.equal(positions.map((_, i) => START + 1 + i));
      });

      it('is refused without events', async () => {
        expect(await rejection(log.append('s', 'no-stream', []))).to.be.instanceOf(RangeError);
      });

      it('is refused without effect if an event cannot be encoded as JSON', async () => {
        expect(await rejection(log.append('s', 'no-stream', [anEvent(), { ...anEvent(), data: 1n }]))).to.be.instanceOf(
          TypeError,
        );
        await log.append('s', 'no-stream', someEvents(1));
        expect(await readEverything(log)).to.have.length(1);
      });

      it('is refused without effect if an event is too long for an entry bundle', async () => {
        const eventsOfLength = (length: number): EventToAppend[] =>
          someEvents(1).map((event) => ({ ...event, data: 'ä'.repeat(length) }));
        const refusal: unknown = await log
          .append('s', 'no-stream', eventsOfLength(33_000))
          .catch((error: unknown) => error);
        expect(refusal).to.be.instanceOf(RangeError).with.property('message').that.contains('65535');
        expect(await readEverything(log)).to.deep.equal([]);
        await log.append('s', 'no-stream', eventsOfLength(32_000));
        expect(await readEverything(log)).to.have.length(1);
      });

      it('is atomic, even if the events are larger than any buffer', async () => {
        const largeEvents = Array.from({ length: 500 }, (_, i) => ({
          ...anEvent(),
          data: { i, filling: 'x'.repeat(1000) },
        }));
        await Promise.all([
          log.append('a', 'no-stream', someEvents(1)),
          log.append('b', 'no-stream', largeEvents),
          log.append('c', 'no-stream', someEvents(1)),
        ]);
        const { events } = await readWholeStream(log, 'b');
        expect(events.map(({ data }) => data)).to.deep.equal(largeEvents.map(({ data }) => data));
        expect(await readEverything(log)).to.have.length(502);
      });
    });

    describe('an append with an expected revision', () => {
      it("succeeds only at the stream's current revision", async () => {
        const first = await log.append('s', 'no-stream', someEvents(2));
        const second = await log.append('s', first.revision, someEvents(1));
        for (const stale of ['no-stream', first.revision] as const) {
          expect(await rejection(log.append('s', stale, someEvents(1)))).to.be.instanceOf(WrongExpectedRevision);
        }
        expect((await readWholeStream(log, 's')).revision).to.equal(second.revision);
        expect(await readEverything(log)).to.have.length(3);
      });

      it('is refused if the revision is beyond the end of the stream', async () => {
        const { revision } = await log.append('long', 'no-stream', someEvents(3));
        expect(await rejection(log.append('new', revision, someEvents(1)))).to.be.instanceOf(WrongExpectedRevision);
        const shortAppend = await log.append('short', 'no-stream', someEvents(1));
        expect(await rejection(log.append('short', revision, someEvents(1)))).to.be.instanceOf(WrongExpectedRevision);
        expect((await readWholeStream(log, 'short')).revision).to.equal(shortAppend.revision);
      });

      it('is reported as admitted at most once, and only if later appends follow it in the log', async () => {
        let laterAppend: Promise<AppendResult> | undefined;
        let admissions = 0;
        const onAdmitted = (): void => {
          admissions += 1;
          laterAppend = log.append('later', 'no-stream', someEvents(1));
        };
        const first = await log.append('s', 'no-stream', someEvents(2), [], onAdmitted);
        if (laterAppend !== undefined) expect((await laterAppend).position).to.equal(first.position + 1);
        expect(admissions).to.be.at.most(1);
        let isLoserAdmitted = false;
        const losingAppend = log.append('s', 'no-stream', someEvents(1), [], () => (isLoserAdmitted = true));
        expect(await rejection(losingAppend)).to.be.instanceOf(WrongExpectedRevision);
        expect(isLoserAdmitted).to.equal(false);
      });

      it('is the only one to succeed at its revision, and concurrent losers can read its events', async () => {
        let expected: StreamRevision = 'no-stream';
        for (let round = 0; round < 5; round += 1) {
          const sharedRevision: StreamRevision = expected;
          const outcomes = await Promise.all(
            Array.from({ length: 16 }, (_, racer) => race(log, 's', sharedRevision, `${round}-${racer}`)),
          );
          const winners = new Set(outcomes.map(({ winner }) => winner));
          expect(outcomes.filter(({ isWinner }) => isWinner)).to.have.length(1);
          expect(winners).to.deep.equal(new Set([outcomes.find(({ isWinner }) => isWinner)?.racer]));
          expected = (await readWholeStream(log, 's')).revision;
        }
        expect(await readEverything(log)).to.have.length(5);
      });
    });

    describe('an append that is based on other streams', () => {
      it('succeeds while every stream is at its observed revision', async () => {
        const { revision } = await log.append('read', 'no-stream', someEvents(1));
        const otherAppend = await log.append('also read', 'no-stream', someEvents(20));
        const basedOn = [
          { stream: 'read', revision },
          { stream: 'also read', revision: otherAppend.revision },
        ];
        const first = await log.append('s', 'no-stream', someEvents(1), basedOn);
        await log.append('s', first.revision, someEvents(1), basedOn);
        expect((await readWholeStream(log, 's')).events).to.have.length(2);
      });

      it('is refused without effect if one of the streams has changed', async () => {
        const { revision } = await log.append('read', 'no-stream', someEvents(1));
        const unchangedAppend = await log.append('also read', 'no-stream', someEvents(1));
        await log.append('read', revision, someEvents(1));
        const basedOn = [
          { stream: 'also read', revision: unchangedAppend.revision },
          { stream: 'read', revision },
        ];
        const eventsBefore = await readEverything(log);
        expect(await rejection(log.append('s', 'no-stream', someEvents(1), basedOn))).to.be.instanceOf(
          DecisionOutdated,
        );
        expect(await readEverything(log)).to.deep.equal(eventsBefore);
      });

      it('may also be based on its own stream', async () => {
        const { revision } = await log.append('s', 'no-stream', someEvents(1));
        const laterAppend = await log.append('s', revision, someEvents(1), [{ stream: 's', revision }]);
        const outdatedAppend = log.append('s', laterAppend.revision, someEvents(1), [{ stream: 's', revision }]);
        expect(await rejection(outdatedAppend)).to.be.instanceOf(DecisionOutdated);
      });

      it('is refused once a concurrent append to one of the streams is durable', async () => {
        const receivedStreams: string[] = [];
        log.onAppended((events) => void receivedStreams.push(...events.map(({ stream }) => stream)));
        const { revision } = await log.append('read', 'no-stream', someEvents(1));
        const pendingAppend = log.append('read', revision, someEvents(1));
        const refusal = await rejection(log.append('s', 'no-stream', someEvents(1), [{ stream: 'read', revision }]));
        expect(refusal).to.be.instanceOf(DecisionOutdated);
        expect([(await readWholeStream(log, 'read')).events.length, receivedStreams]).to.deep.equal([
          2,
          ['read', 'read'],
        ]);
        await pendingAppend;
      });

      it("succeeds for only one of two appends that depend on each other's streams", async () => {
        for (const round of ['1', '2', '3']) {
          const [left, right] = [`left${round}`, `right${round}`];
          const leftAppend = await log.append(left, 'no-stream', someEvents(1));
          const rightAppend = await log.append(right, 'no-stream', someEvents(1));
          const outcomes = await Promise.allSettled([
            log.append(left, leftAppend.revision, someEvents(1), [{ stream: right, revision: rightAppend.revision }]),
            log.append(right, rightAppend.revision, someEvents(1), [{ stream: left, revision: leftAppend.revision }]),
          ]);
          expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
        }
      });

      if (isDurable)
        it('is compared with their revisions after a restart, however long the streams are', async () => {
          if (openedLog.reopen === undefined) throw new Error('a durable engine must have reopen()');
          const short = await log.append('short', 'no-stream', someEvents(1));
          let long = await log.append('long', 'no-stream', someEvents(1));
          for (let count = 0; count < 20; count += 1) long = await log.append('long', long.revision, someEvents(1));
          log = await openedLog.reopen();
          const basedOn = [
            { stream: 'short', revision: short.revision },
            { stream: 'long', revision: long.revision },
          ];
          await log.append('s', 'no-stream', someEvents(1), basedOn);
          const outdatedObservations = [
            { stream: 'short', revision: long.revision },
            { stream: 'long', revision: short.revision },
          ];
          for (const observation of outdatedObservations) {
            expect(await rejection(log.append('t', 'no-stream', someEvents(1), [observation]))).to.be.instanceOf(
              DecisionOutdated,
            );
          }
        });
    });

    describe('an append to several streams', () => {
      it('adds events to the other streams after those to its own, and all can be read back', async () => {
        const receivedStreams: string[] = [];
        const otherAppend = await log.append('other', 'no-stream', someEvents(2));
        const third = await log.append('third', 'no-stream', someEvents(1));
        log.onAppended((events) => void receivedStreams.push(...events.map(({ stream }) => stream)));
        const result = await log.append('s', 'no-stream', someEvents(3), [
          { stream: 'other', revision: otherAppend.revision, events: someEvents(2) },
          { stream: 'third', revision: third.revision, events: someEvents(1) },
        ]);
        const newEvents = (await readEverything(log)).slice(3);
        expect(newEvents.map(({ stream, revision }) => `${stream} ${revision}`)).to.deep.equal([
          's 1',
          's 2',
          's 3',
          'other 3',
          'other 4',
          'third 2',
        ]);
        expect(newEvents.map(({ position }) => position)).to.deep.equal([4, 5, 6, 7, 8, 9]);
        expect(result).to.deep.equal({ revision: 3, position: 9 });
        expect(receivedStreams).to.deep.equal(newEvents.map(({ stream }) => stream));
        for (const stream of ['s', 'other', 'third'])
          expect((await readWholeStream(log, stream)).events.length).to.equal({ s: 3, other: 4, third: 2 }[stream]);
        await log.append('s', result.revision, someEvents(1));
        await log.append('other', 4 as Revision, someEvents(1));
      });

      it('is refused without effect if one of the streams has changed', async () => {
        const ownAppend = await log.append('s', 'no-stream', someEvents(1));
        const { revision } = await log.append('other', 'no-stream', someEvents(1));
        await log.append('other', revision, someEvents(1));
        const eventsBefore = await readEverything(log);
        const outdatedAppend = log.append('s', ownAppend.revision, someEvents(1), [
          { stream: 'other', revision, events: someEvents(1) },
        ]);
        expect(await rejection(outdatedAppend)).to.be.instanceOf(DecisionOutdated);
        expect(await readEverything(log)).to.deep.equal(eventsBefore);
      });

      it('is refused without effect if another append has moved its own stream to the same revision', async () => {
        const ownAppend = await log.append('s', 'no-stream', someEvents(1));
        const { revision } = await log.append('other', 'no-stream', someEvents(1));
        await log.append('s', ownAppend.revision, someEvents(3));
        const eventsBefore = await readEverything(log);
        const lateAppend = log.append('s', ownAppend.revision, someEvents(3), [
          { stream: 'other', revision, events: someEvents(1) },
        ]);
        expect(await rejection(lateAppend)).to.be.instanceOf(WrongExpectedRevision);
        expect(await readEverything(log)).to.deep.equal(eventsBefore);
        await log.append('other', revision, someEvents(1));
      });

      it('is refused without effect if an event for another stream does not fit in a record', async () => {
        const { revision } = await log.append('other', 'no-stream', someEvents(1));
        const eventsBefore = await readEverything(log);
        const events = [{ ...anEvent(), data: 'x'.repeat(70_000) }];
        expect(
          await rejection(log.append('s', 'no-stream', someEvents(1), [{ stream: 'other', revision, events }])),
        ).to.be.instanceOf(RangeError);
        expect(await readEverything(log)).to.deep.equal(eventsBefore);
        await log.append('s', 'no-stream', someEvents(1));
      });

      it('has one winner among concurrent appends that add to the same other stream', async () => {
        const { revision } = await log.append('other', 'no-stream', someEvents(1));
        const racers = Array.from({ length: 8 }, (_, index) =>
          log.append(`s${index}`, 'no-stream', someEvents(2), [{ stream: 'other', revision, events: someEvents(1) }]),
        );
        const singleAppend = log.append('other', revision, someEvents(1));
        const outcomes = await Promise.allSettled([...racers, singleAppend]);
        expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
        expect((await readWholeStream(log, 'other')).events).to.have.length(2);
        const racerEvents = (await readEverything(log)).filter(({ stream }) => stream.startsWith('s'));
        expect(racerEvents).to.have.length(outcomes.at(-1)?.status === 'fulfilled' ? 0 : 2);
      });

      if (isDurable)
        it('is complete after a restart', async () => {
          const { revision } = await log.append('other', 'no-stream', someEvents(1));
          await log.append('s', 'no-stream', someEvents(2), [{ stream: 'other', revision, events: someEvents(1) }]);
          const eventsBefore = await readEverything(log);
          log = (await openedLog.reopen?.()) ?? log;
          expect(await readEverything(log)).to.deep.equal(eventsBefore);
          for (const stream of ['s', 'other']) expect((await readWholeStream(log, stream)).events).to.have.length(2);
          const outdatedAppend = log.append('t', 'no-stream', someEvents(1), [{ stream: 'other', revision }]);
          expect(await rejection(outdatedAppend)).to.be.instanceOf(DecisionOutdated);
        });
    });

    describe('reading backwards', () => {
      it('returns everything in reverse, from any position and from beyond the head', async () => {
        expect(await readBackFrom(log, START)).to.deep.equal([]);
        expect(await readBackFrom(log, 7 as Position)).to.deep.equal([]);
        for (let burst = 0; burst < 12; burst += 1) await appendMany(log, `s${burst}`, 1 + (burst % 5));
        await log.append('large', 'no-stream', someEvents(1500));
        await log.append('small', 'no-stream', someEvents(2));
        const all = await readEverything(log);
        const positions = [
          ...all.map(({ position }) => position).filter((_, index) => index % 97 === 0 || index < 20),
          log.head(),
          (log.head() + 1) as Position,
          Number.MAX_SAFE_INTEGER as Position,
        ];
        for (const from of positions) {
          expect(await readBackFrom(log, from)).to.deep.equal(
            all.filter(({ position }) => position <= from).toReversed(),
          );
        }
      });

      it('returns the events that were durable when it began, regardless of later appends', async () => {
        await appendMany(log, 'before', 30);
        const all = await readEverything(log);
        const events: RecordedEvent[] = [];
        for await (const batch of log.readBackwards(Number.MAX_SAFE_INTEGER as Position)) {
          events.push(...batch);
          await appendMany(log, `meanwhile-${events.length}`, 3);
        }
        expect(events).to.deep.equal(all.toReversed());
        for await (const [newest] of log.readBackwards(log.head())) {
          expect(newest?.position).to.equal(log.head());
          break;
        }
      });
    });

    describe('reading a stream', () => {
      it('returns its events in order or newest first, from either end or from any event', async () => {
        expect(await readPages(log.readStream('s'))).to.deep.equal([]);
        expect(await readPages(log.readStreamBackwards('s'))).to.deep.equal([]);
        let expected: StreamRevision = 'no-stream';
        for (let turn = 0; turn < 120; turn += 1) {
          ({ revision: expected } = await log.append('s', expected, someEvents(1 + (turn % 3))));
          if (turn % 7 === 0) await appendMany(log, `other-${turn}`, 2);
        }
        const events = (await readEverything(log)).filter(({ stream }) => stream === 's');
        await expectStream(log, 's', events);
        for (const [index, from] of events.entries()) {
          if (index % 31 !== 0) continue;
          expect(await readPages(log.readStream('s', from))).to.deep.equal(events.slice(index));
          expect(await readPages(log.readStreamBackwards('s', from))).to.deep.equal(
            events.slice(0, index + 1).toReversed(),
          );
        }
      });

      it('returns a long stream in short pages, and can be stopped after the first page', async () => {
        let expected: StreamRevision = 'no-stream';
        for (let turn = 0; turn < 150; turn += 1) {
          ({ revision: expected } = await log.append('long', expected, someEvents(2)));
        }
        const events = await readShortPages(log.readStream('long'));
        expect(events).to.have.length(300);
        expect(await readShortPages(log.readStreamBackwards('long'))).to.deep.equal(events.toReversed());
        for await (const page of log.readStreamBackwards('long')) {
          expect(page[0]).to.deep.include({ stream: 'long', revision: expected });
          break;
        }
        for await (const page of log.readStream('long')) {
          expect(page[0]).to.deep.include({ stream: 'long', revision: 1 });
          break;
        }
      });

      it("ends at the stream's revision when it began, regardless of later appends", async () => {
        let expected: StreamRevision = 'no-stream';
        for (let turn = 0; turn < 100; turn += 1)
          ({ revision: expected } = await log.append('s', expected, someEvents(1)));
        for (const pages of [log.readStream('s'), log.readStreamBackwards('s')]) {
          const { revision: revisionBefore } = await readWholeStream(log, 's');
          const events: RecordedEvent[] = [];
          for await (const page of pages) {
            events.push(...page);
            ({ revision: expected } = await log.append('s', expected, someEvents(2)));
          }
          expect(Math.max(...events.map(({ revision }) => revision))).to.equal(revisionBefore);
          expect(events).to.have.length(revisionBefore as number);
        }
      });
    });

    describe('a stream name', () => {
      it('never accesses another stream, however hostile it is', async () => {
        const names = [
          'a',
          'a/',
          'a/b',
          'a"',
          'a\\',
          'a\\"',
          'a\u0000',
          'a\u0000b',
          'a0000000000000001',
          '"a"',
          '',
          ' ',
          'ä',
          'a\u0308',
          '\u{1F511}',
          '\uD83D',
          '\uDD11',
          '\uFFFD',
          '\uFFFF',
          '__proto__',
          'constructor',
          'e',
          's"a"',
          '\n',
          'x'.repeat(5000),
        ];
        await Promise.all(names.map((stream, i) => log.append(stream, 'no-stream', someEvents(1 + (i % 3), stream))));
        for (const [i, stream] of names.entries()) {
          const { events } = await readWholeStream(log, stream);
          expect(
            events.map(({ data }) => data),
            JSON.stringify(stream),
          ).to.deep.equal(someEvents(1 + (i % 3), stream).map(({ data }) => data));
          expect(events.every((event) => event.stream === stream)).to.equal(true);
        }
      });

      it('refers to a different stream from every other name', async () => {
        await fc.assert(
          fc.asyncProperty(
            fc.uniqueArray(fc.string({ unit: 'binary' }), { minLength: 2, maxLength: 8 }),
            fc.nat(),
            async (suffixes, salt) => {
              const names = suffixes.map((suffix) => `${salt}-${log.head()}-${suffix}`);
              for (const stream of names) await log.append(stream, 'no-stream', someEvents(2, stream));
              for (const stream of names) {
                expect((await readWholeStream(log, stream)).events.map((e) => e.stream)).to.deep.equal([
                  stream,
                  stream,
                ]);
              }
            },
          ),
          { numRuns: repetitions(20) },
        );
      });
    });

    describe('the listener', () => {
      it('receives events before their append resolves, in log order', async () => {
        const receivedEvents: RecordedEvent[] = [];
        log.onAppended((events) => void receivedEvents.push(...events));
        await Promise.all(
          Array.from({ length: 50 }, async (_, i) => {
            const { position } = await log.append(`s${i}`, 'no-stream', someEvents(2));
            expect(receivedEvents.at(-1)?.position).to.be.at.least(position);
          }),
        );
        expect(receivedEvents).to.deep.equal(await readEverything(log));
      });

      it('receives exactly the events that are read back later', async () => {
        const receivedEvents: RecordedEvent[] = [];
        log.onAppended((events) => void receivedEvents.push(...events));
        await fc.assert(
          fc.asyncProperty(
            anyData,
            fc.option(fc.string()),
            fc.option(fc.string()),
            async (data, requestId, traceparent) => {
              await log.append(`s${log.head()}`, 'no-stream', [
                { ...anEvent(), requestId, ...(traceparent !== null && { traceparent }), data },
              ]);
              const storedEvents = await readEverything(log, ((log.head() as number) - 1) as Position);
              expect(receivedEvents.at(-1)).to.deep.equal(storedEvents[0]);
              expect(receivedEvents.at(-1)?.data).to.deep.equal(
                (JSON.parse(storedEvents[0]?.record ?? '') as { data?: unknown }).data,
              );
            },
          ),
          { numRuns: repetitions(200) },
        );
      });

      it('can read the events that it receives', async () => {
        const matches: boolean[] = [];
        log.onAppended((events) => void matches.push(log.head() === events.at(-1)?.position));
        await log.append('s', 'no-stream', someEvents(2));
        expect(matches).to.deep.equal([true]);
      });

      it('fails the log if it throws: pending and later appends reject with the cause', async () => {
        const cause = new Error('projection broke');
        await log.append('before', 'no-stream', someEvents(1));
        log.onAppended(() => {
          throw cause;
        });
        const refusals = await Promise.all(
          ['a', 'b'].map((stream) => rejection(log.append(stream, 'no-stream', someEvents(1)))),
        );
        refusals.push(await rejection(log.append('later', 'no-stream', someEvents(1))));
        for (const refusal of refusals) {
          expect(refusal).to.be.instanceOf(LogUnavailable);
          expect((refusal as Error).cause).to.equal(cause);
        }
        expect(await log.failed).to.equal(cause);
        expect((await readWholeStream(log, 'before')).events).to.have.length(1);
        expect((await readWholeStream(log, 'later')).events).to.have.length(0);
      });
    });

    describe('reading everything', () => {
      it('starts after any given position and ends at the head', async () => {
        for (let i = 0; i < 20; i += 1) await log.append(`s${i}`, 'no-stream', someEvents(1 + (i % 4)));
        const all = await readEverything(log);
        for (const [i, { position }] of all.entries())
          expect(await readEverything(log, position)).to.deep.equal(all.slice(i + 1));
      });

      it('ends at the head as it was when it began', async () => {
        await log.append('a', 'no-stream', someEvents(2));
        const batches = log.readAll(START)[Symbol.asyncIterator]();
        const first = await batches.next();
        await log.append('b', 'no-stream', someEvents(2));
        expect(first.value).to.have.length(2);
        expect((await batches.next()).done).to.equal(true);
      });
    });

    describe('subscribing', () => {
      it('delivers stored and then new events, without gaps or duplicates', async () => {
        await appendMany(log, 'past', 300);
        const deliveredEvents: RecordedEvent[] = [];
        const counter = createCounter(600);
        const subscription = log.subscribe(START, async (events) => {
          deliveredEvents.push(...events);
          await Promise.resolve();
          counter.count(events.length);
        });
        await appendMany(log, 'present', 300);
        await counter.reached;
        await subscription.close();
        expect(deliveredEvents).to.deep.equal(await readEverything(log));
      });

      it('starts after the given position', async () => {
        const { position } = await log.append('a', 'no-stream', someEvents(2));
        const deliveredEvents: RecordedEvent[] = [];
        const counter = createCounter(1);
        const subscription = log.subscribe(position, (events) => {
          deliveredEvents.push(...events);
          counter.count(events.length);
        });
        await log.append('b', 'no-stream', someEvents(1));
        await counter.reached;
        await subscription.close();
        expect(deliveredEvents.map(({ stream }) => stream)).to.deep.equal(['b']);
      });

      it('waits for its handler, one batch at a time', async () => {
        let activeHandlers = 0;
        let overlaps = 0;
        const deliveredPositions: number[] = [];
        const counter = createCounter(101);
        const gate = createCounter(1);
        const subscription = log.subscribe(START, async (events) => {
          activeHandlers += 1;
          if (activeHandlers > 1) overlaps += 1;
          await gate.reached;
          deliveredPositions.push(...events.map(({ position }) => position as number));
          activeHandlers -= 1;
          counter.count(events.length);
        });
        await log.append('first', 'no-stream', someEvents(1));
        await appendMany(log, 'while-slow', 100);
        gate.count(1);
        await counter.reached;
        await subscription.close();
        expect(overlaps).to.equal(0);
        expect(deliveredPositions).to.deep.equal((await readEverything(log)).map(({ position }) => position));
      });

      it("ends with its handler's error, without affecting other subscriptions", async () => {
        const counter = createCounter(2);
        const failingSubscription = log.subscribe(START, () => {
          throw new Error('handler broke');
        });
        const failure = rejection(failingSubscription.ended);
        const otherSubscription = log.subscribe(START, (events) => counter.count(events.length));
        await log.append('a', 'no-stream', someEvents(1));
        expect(await failure).to.have.property('message', 'handler broke');
        await log.append('b', 'no-stream', someEvents(1));
        await counter.reached;
        await failingSubscription.close();
        await otherSubscription.close();
      });

      it('delivers nothing after close', async () => {
        let deliveredCount = 0;
        const subscription = log.subscribe(START, (events) => void (deliveredCount += events.length));
        await subscription.close();
        await subscription.ended;
        const countBefore = deliveredCount;
        await log.append('s', 'no-stream', someEvents(1));
        expect(deliveredCount).to.equal(countBefore);
      });

      it('rejects if the log fails, after all durable events have been delivered', async () => {
        const deliveredEvents: RecordedEvent[] = [];
        const subscription = log.subscribe(START, (events) => void deliveredEvents.push(...events));
        const failure = rejection(subscription.ended);
        await log.append('a', 'no-stream', someEvents(1));
        log.onAppended(() => {
          throw new Error('projection broke');
        });
        await rejection(log.append('b', 'no-stream', someEvents(1)));
        expect(await failure).to.be.instanceOf(LogUnavailable);
        expect(deliveredEvents).to.deep.equal(await readEverything(log));
      });
    });

    describe('a stream that is expected to be new', () => {
      it("accepts 'new-stream' for its first append only", async () => {
        const first = log.append('s', 'new-stream', someEvents(2));
        expect(await rejection(log.append('s', 'new-stream', someEvents(1))), 'in flight').to.be.instanceOf(
          WrongExpectedRevision,
        );
        const { revision } = await first;
        expect(await rejection(log.append('s', 'new-stream', someEvents(1))), 'a moment ago').to.be.instanceOf(
          WrongExpectedRevision,
        );
        await log.append('s', revision, someEvents(1));
        expect((await readWholeStream(log, 's')).events.map((event) => event.revision as number)).to.deep.equal([
          1, 2, 3,
        ]);
      });
    });

    describe('closing', () => {
      it('completes pending appends, refuses later ones, and is idempotent', async () => {
        const pendingAppends = [
          log.append('a', 'no-stream', someEvents(1)),
          log.append('b', 'no-stream', someEvents(1)),
        ];
        const closing = Promise.all([log.close(), log.close()]);
        const laterAppend = rejection(log.append('c', 'no-stream', someEvents(1)));
        expect((await Promise.all(pendingAppends)).map(({ revision }) => revision)).to.have.length(2);
        expect(await laterAppend).to.be.instanceOf(LogUnavailable);
        await closing;
        await log.close();
      });

      it('ends all subscriptions, including those created later', async () => {
        const subscription = log.subscribe(START, () => undefined);
        await log.append('s', 'no-stream', someEvents(1));
        await log.close();
        await subscription.ended;
        await log.subscribe(START, () => expect.fail('a closed log delivered events')).ended;
      });
    });

    it('behaves like one list per stream and one list for the whole log', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(aBurst, { maxLength: 12 }), async (bursts) => {
          await log.close();
          openedLog = await open();
          log = openedLog.log;
          const model = createModel();
          for (const burst of bursts) {
            const expected = burst.map((attempt) => model.append(attempt));
            const outcomes = await Promise.all(
              burst.map((attempt, i) => tryAppend(log, attempt, expected[i]?.at ?? 'no-stream')),
            );
            expect(outcomes).to.deep.equal(expected.map(({ outcome: expectedOutcome }) => expectedOutcome));
            await expectMatchesModel(log, model);
          }
          if (openedLog.reopen === undefined) return;
          log = await openedLog.reopen();
          await expectMatchesModel(log, model);
        }),
        { numRuns: repetitions(modelRuns) },
      );
    });

    if (isDurable)
      it('keeps all events across a restart, and continues at the next position', async () => {
        if (openedLog.reopen === undefined) throw new Error('a durable engine must have reopen()');
        const { revision } = await log.append('s', 'no-stream', someEvents(3));
        await appendMany(log, 'other', 100);
        const eventsBefore = await readEverything(log);
        const head = log.head();
        log = await openedLog.reopen();
        expect(log.head()).to.equal(head);
        expect(await readEverything(log)).to.deep.equal(eventsBefore);
        expect(await rejection(log.append('s', 'no-stream', someEvents(1)))).to.be.instanceOf(WrongExpectedRevision);
        const outcomes = await Promise.all(
          Array.from({ length: 8 }, (_, racer) => race(log, 's', revision, `${racer}`)),
        );
        expect(outcomes.filter(({ isWinner }) => isWinner)).to.have.length(1);
        const { events } = await readWholeStream(log, 's');
        expect(events.map((event) => event.revision as number)).to.deep.equal([1, 2, 3, 4]);
        expect((await readEverything(log, head)).map(({ position }) => position as number)).to.deep.equal([head + 1]);
      });
  });
}

interface Attempt {
  readonly stream: string;
  /** The writer's distance from the head; 0 means up to date. */
  readonly distance: number;
  readonly count: number;
}

type Outcome = AppendResult | 'refused';

/** A log as a plain list. The property test compares every engine with it. */
interface Model {
  append(attempt: Attempt): { readonly at: StreamRevision; readonly outcome: Outcome };
  readonly events: readonly { readonly stream: string; readonly revision: number }[];
}

const STREAMS = ['a', 'ab', 'a/b'];
const anAttempt = fc.record({
  stream: fc.constantFrom(...STREAMS),
  distance: fc.oneof(
    { weight: 4, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: -2, max: 2 }) },
  ),
  count: fc.integer({ min: 1, max: 4 }),
});
const aBurst = fc.array(anAttempt, { minLength: 1, maxLength: 6 });

const anyData = fc.anything({
  withDate: true,
  withNullPrototype: true,
  withSparseArray: true,
  withBigInt: false,
  withMap: true,
});

function createModel(): Model {
  const events: { stream: string; revision: number }[] = [];
  return {
    events,
    append({ stream, distance, count }) {
      const head = events.filter((event) => event.stream === stream).length;
      const claimedRevision = Math.max(0, head + distance);
      const at = claimedRevision === 0 ? 'no-stream' : (claimedRevision as Revision);
      if (claimedRevision !== head) return { at, outcome: 'refused' };
      for (let i = 1; i <= count; i += 1) events.push({ stream, revision: head + i });
      return { at, outcome: { revision: (head + count) as Revision, position: events.length as Position } };
    },
  };
}

async function tryAppend(log: EventLog, { stream, count }: Attempt, at: StreamRevision): Promise<Outcome> {
  try {
    return await log.append(stream, at, someEvents(count));
  } catch (error) {
    if (error instanceof WrongExpectedRevision) return 'refused';
    throw error;
  }
}

const outline = (events: readonly RecordedEvent[]): unknown =>
  events.map(({ stream, revision }) => ({ stream, revision }));

async function expectMatchesModel(log: EventLog, model: Model): Promise<void> {
  expect(log.head()).to.equal(model.events.length);
  expect(outline(await readEverything(log))).to.deep.equal(model.events);
  for (const name of STREAMS) {
    const { events } = await readWholeStream(log, name);
    expect(outline(events)).to.deep.equal(model.events.filter(({ stream }) => stream === name));
    await expectStream(log, name, events);
  }
}

/** Tries to append at `expected`, then reads which racer's event comes next in the stream. */
async function race(
  log: EventLog,
  stream: string,
  expected: StreamRevision,
  racer: string,
): Promise<{ racer: string; isWinner: boolean; winner: unknown }> {
  const isWinner = await log.append(stream, expected, [anEvent(racer)]).then(
    () => true,
    (error: unknown) => {
      expect(error).to.be.instanceOf(WrongExpectedRevision);
      return false;
    },
  );
  const { events } = await readWholeStream(log, stream);
  return { racer, isWinner, winner: events[expected === 'no-stream' ? 0 : expected]?.data };
}

async function appendMany(log: EventLog, prefix: string, count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, i) => log.append(`${prefix}-${i}`, 'no-stream', someEvents(1))));
}

/** Returns the event at `from` and all events before it, newest first. */
export async function readBackFrom(log: EventLog, from: Position): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const batch of log.readBackwards(from)) {
    expect(batch).to.have.length.above(0);
    events.push(...batch);
  }
  return events;
}

/** Returns every event after `after`. */
export async function readEverything(log: EventLog, after: Position = START): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const batch of log.readAll(after)) events.push(...batch);
  return events;
}

/** Returns the reason why `promise` rejects. Fails if it resolves. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.fail('the promise resolved'),
    (error: unknown) => error,
  );
}

/** Returns a counter whose `reached` resolves once the counts add up to `total`. */
function createCounter(total: number): { count(increment: number): void; readonly reached: Promise<void> } {
  let resolve: () => void;
  let sum = 0;
  const reached = new Promise<void>((done) => (resolve = done));
  return {
    reached,
    count(increment) {
      sum += increment;
      if (sum >= total) resolve();
    },
  };
}
