import { once } from 'node:events';
import { Writable, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { encodeEvent } from '../../../src/domain/events.ts';
import type { GroupId } from '../../../src/domain/values.ts';
import { createMemoryLog } from '../../../src/event-store/engines/memory.ts';
import { START, type EventLog } from '../../../src/event-store/event-log.ts';
import { exportLine } from '../../../src/event-store/export-line.ts';
import { createApp } from '../../../src/http/app.ts';
import { createEventStream, type EventStreamDeps } from '../../../src/http/pipeline/event-stream.ts';
import { readEvents, type ServerSentEvent } from '../../support/event-reader.ts';
import { withServer } from '../../support/with-server.ts';
import { runningService, type RunningService, type TestClient } from '../../support/running-service.ts';
import { repetitions } from '../../support/repetitions.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const LIFETIME_SECONDS = 36_000;
let groupCount = 0;

/** Adds `count` events whose records are a little longer than `length` characters. */
async function append(log: EventLog, count: number, length = 10): Promise<void> {
  const envelope = { recordedAt: 0, ...OPERATOR };
  const events = Array.from({ length: count }, () => ({
    ...encodeEvent({
      type: 'GroupCreated',
      data: {
        groupId: String((groupCount += 1)).padStart(22, '0') as GroupId,
        name: `${groupCount}`.padEnd(length, 'é'),
      },
    }),
    ...envelope,
  }));
  await log.append(`group-${groupCount}`, 'no-stream', events);
}

async function exportLines(running: RunningService): Promise<readonly string[]> {
  return (await running.events()).map(exportLine);
}

describe('the event log over HTTP', () => {
  let running: RunningService;
  let auditor: TestClient;
  let token: string;

  async function issueToken(client: TestClient, scope: string): Promise<string> {
    const { json } = await running.token(client, { grant_type: 'client_credentials', scope });
    return json?.['access_token'] as string;
  }

  async function start(log?: EventLog): Promise<void> {
    running = await runningService(log === undefined ? {} : { log });
    auditor = await running.addClient({ restrictedScopes: ['audit'] });
    token = await issueToken(auditor, 'audit');
  }

  beforeEach(() => start());
  afterEach(() => running.close());

  const getPage = (query = '', accept = '*/*') =>
    running.get(`/o/events/${query}`, { authorization: `Bearer ${token}`, accept });
  const openReader = (options: Parameters<typeof readEvents>[2] = {}) => readEvents(running.origin(), token, options);

  describe('in pages', () => {
    it('equals the export byte for byte', async () => {
      await append(running.log, 30, 5_000);
      const { status, headers, text } = await getPage();
      expect(status).to.equal(200);
      expect(headers.get('content-type')).to.equal('application/x-ndjson');
      expect(headers.get('cache-control')).to.equal('no-store');
      expect(headers.get('link')).to.equal(null);
      expect(text).to.equal((await exportLines(running)).map((line) => `${line}\n`).join(''));
    });

    it('links every page to the next up to the head without gaps, with any limit', async () => {
      await append(running.log, 20);
      const allLines = await exportLines(running);
      for (const limit of [1, 2, 7, allLines.length - 1, allLines.length, 100]) {
        const lines: string[] = [];
        for (let query: string | undefined = `?limit=${limit}`; query !== undefined;) {
          const { headers, text } = await getPage(query);
          const pageLines = text.split('\n').filter(Boolean);
          expect(pageLines).to.have.lengthOf.within(1, limit);
          lines.push(...pageLines);
          query = /^<\/o\/events\/(\?after=\d+&limit=\d+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
        }
        expect(lines, String(limit)).to.deep.equal(allLines);
      }
    });

    it('is empty at and after the head', async () => {
      for (const after of [running.log.head(), 999_999]) {
        const { status, text, headers } = await getPage(`?after=${after}`);
        expect({ status, text, link: headers.get('link') }).to.deep.equal({ status: 200, text: '', link: null });
      }
    });

    it('has 1,000 events on a page by default, and at most 10,000', async () => {
      await append(running.log, 10_500);
      expect((await getPage()).text.split('\n')).to.have.lengthOf(1_001);
      const { text, headers } = await getPage('?limit=999999');
      expect(text.split('\n')).to.have.lengthOf(10_001);
      expect(headers.get('link')).to.equal('</o/events/?after=10000&limit=10000>; rel="next"');
    });

    it('refuses an invalid position or limit with 400', async () => {
      for (const query of [
        '?after=-1',
        '?after=x',
        '?after=1.5',
        '?after=',
        '?limit=0',
        '?limit=',
        '?limit=1e3',
        '?after=1&after=2',
        `?after=${'9'.repeat(16)}`,
      ]) {
        for (const accept of ['*/*', 'text/event-stream']) {
          const { status, json } = await getPage(query, accept);
          expect({ status, detail: typeof json?.['detail'] }, query).to.deep.equal({ status: 400, detail: 'string' });
        }
      }
      const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream', 'last-event-id': 'x' };
      expect((await running.get('/o/events/', headers)).status).to.equal(400);
    });
  });

  describe('allows', () => {
    it('only tokens with the audit scope', async () => {
      expect((await running.get('/o/events/')).status).to.equal(401);
      const invalidResponse = await running.get('/o/events/', {
        authorization: 'Bearer dead',
        accept: 'text/event-stream',
      });
      expect(invalidResponse.status).to.equal(401);
      expect(invalidResponse.headers.get('www-authenticate')).to.include('invalid_token');
      token = await issueToken(auditor, 'read write groups');
      const insufficientResponse = await getPage();
      expect(insufficientResponse.status).to.equal(403);
      expect(insufficientResponse.headers.get('www-authenticate'))
        .to.include('insufficient_scope')
        .and.include('scope="audit"');
    });

    it('only read requests', async () => {
      const { status, headers } = await running.send('/o/events/', {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
      });
      expect({ status, allow: headers.get('allow') }).to.deep.equal({ status: 405, allow: 'GET, HEAD, OPTIONS' });
      expect(
        (
          await running.send('/o/events/', {
            method: 'HEAD',
            headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
          })
        ).status,
      ).to.equal(200);
    });
  });

  describe('as a live stream', () => {
    it('sends stored events, and then new ones', async () => {
      const reader = await openReader();
      expect(reader.response.headers.get('content-type')).to.equal('text/event-stream');
      expect(reader.response.headers.get('cache-control')).to.equal('no-store');
      const head = running.log.head();
      const storedEvents = await reader.readUntil(({ id }) => id === head);
      await append(running.log, 1);
      await append(running.log, 2);
      const receivedEvents = [...storedEvents, ...(await reader.readUntil(({ id }) => id === head + 3))];
      expect(receivedEvents.map(({ data }) => data)).to.deep.equal(await exportLines(running));
      expect(receivedEvents.map(({ id }) => id)).to.deep.equal(receivedEvents.map((_, index) => index + 1));
      reader.disconnect();
    });

    it('starts after the position in Last-Event-ID or, without this header, in ?after', async () => {
      await append(running.log, 20);
      const positions = [
        [await openReader({ query: '?after=7' }), 8],
        [await openReader({ query: '?after=7', lastEventId: 9 }), 10],
      ] as const;
      for (const [reader, first] of positions) {
        expect((await reader.next())?.id).to.equal(first);
        reader.disconnect();
      }
    });

    it('sends every event once and in order to a reader that reconnects at any moment', () =>
      fc.assert(
        fc.asyncProperty(
          fc.array(fc.integer({ min: 0, max: 60_000 }), { maxLength: 12 }),
          fc.infiniteStream(fc.integer({ min: 1, max: 40 })),
          async (cuts, sizes) => {
            const done = new AbortController();
            const writer = (async () => {
              while (!done.signal.aborted) {
                await append(running.log, sizes.next().value ?? 1, 100);
                await turn();
              }
            })();
            const startPosition = running.log.head();
            const receivedEvents: ServerSentEvent[] = [];
            for (const bytes of cuts) {
              const reader = await openReader({ lastEventId: receivedEvents.at(-1)?.id ?? startPosition });
              receivedEvents.push(...(await reader.readWithin(bytes)));
              reader.disconnect();
            }
            done.abort();
            await writer;
            const head = running.log.head();
            const reader = await openReader({ lastEventId: receivedEvents.at(-1)?.id ?? startPosition });
            if ((receivedEvents.at(-1)?.id ?? startPosition) < head)
              receivedEvents.push(...(await reader.readUntil(({ id }) => id === head)));
            reader.disconnect();
            expect(receivedEvents.map(({ data }) => data)).to.deep.equal(
              (await exportLines(running)).slice(startPosition),
            );
          },
        ),
        { numRuns: repetitions(10) },
      )).timeout(300_000);

    it('serves many readers at the same time, each from its own position', async () => {
      await append(running.log, 50);
      const readers = await Promise.all(
        Array.from({ length: 30 }, (_, after) => openReader({ query: `?after=${after}` })),
      );
      await append(running.log, 5);
      const head = running.log.head();
      const eventsByReader = await Promise.all(readers.map((reader) => reader.readUntil(({ id }) => id === head)));
      expect(eventsByReader.map((events) => events.length)).to.deep.equal(readers.map((_, after) => head - after));
      for (const reader of readers) reader.disconnect();
    });

    describe('ends', () => {
      const ends: Readonly<Record<string, () => Promise<unknown>>> = {
        'when its token expires': async () => running.clock.advance(LIFETIME_SECONDS),
        'when its token is revoked': () =>
          running.post('/o/revoke_token/', { token }, { authorization: auditor.basic }),
        'when its client is removed': () => running.service().registration.remove(auditor.id as never, OPERATOR),
        'when the operator withdraws the scope from its client': () => withdrawAuditScope(running, auditor),
      };
      for (const [occasion, end] of Object.entries(ends)) {
        it(occasion, async () => {
          const reader = await openReader({ lastEventId: running.log.head() });
          await append(running.log, 1);
          expect(await reader.next()).to.be.an('object');
          await end();
          await append(running.log, 1);
          expect(await reader.next()).to.equal(undefined);
          expect((await getPage()).status).to.be.oneOf([401, 403]);
        });
      }

      it('for every reader when the server stops', async () => {
        const stopping = new AbortController();
        const app = createApp(
          running.service(),
          { error: (details) => expect.fail(String(details['err'])) },
          stopping.signal,
        );
        await withServer(app, async (origin) => {
          const readers = await Promise.all([
            readEvents(origin, token),
            readEvents(origin, token, { lastEventId: running.log.head() }),
          ]);
          stopping.abort();
          for (const reader of readers)
            expect((await reader.readUntil(() => false)).length).to.be.at.most(running.log.head());
          expect(await (await readEvents(origin, token, { lastEventId: 1 })).next()).to.equal(undefined);
        });
      });
    });
  });

  it('stops reading ahead for a reader that pauses, and then sends it all events', async () => {
    await running.close();
    const memory = createMemoryLog();
    let deliveredCount = 0;
    await start({
      ...memory,
      subscribe: (after, handle) =>
        memory.subscribe(after, (events) => {
          deliveredCount += events.length;
          return handle(events);
        }),
    });
    // 2 kB each, so that the records do not fit in the socket buffers
    for (let batches = 0; batches < 15; batches += 1) await append(running.log, 1_000, 1_000);
    const reader = await openReader();
    for (
      let unchangedTurns = 0, previousCount = -1;
      unchangedTurns < 200;
      unchangedTurns = previousCount === deliveredCount ? unchangedTurns + 1 : 0
    ) {
      previousCount = deliveredCount;
      await turn();
    }
    const head = running.log.head();
    expect(deliveredCount).to.be.lessThan(head / 2);
    expect((await reader.readUntil(({ id }) => id === head)).map(({ id }) => id)).to.deep.equal(
      Array.from({ length: head }, (_, index) => index + 1),
    );
    reader.disconnect();
  });
});

async function withdrawAuditScope(running: RunningService, { id }: TestClient): Promise<void> {
  const { registration, projections } = running.service();
  const client = projections.clients.find(id);
  if (client === undefined) throw new Error('no such client');
  expect(await registration.update(client.clientId, { ...client, restrictedScopes: [] }, OPERATOR)).to.equal(undefined);
}

describe('an event stream', () => {
  let beat: () => void;
  let isHeartbeatRunning: boolean;
  let mayRead: boolean;
  const stopping = new AbortController();

  function openStream(deps: Partial<EventStreamDeps> & Pick<EventStreamDeps, 'log'>) {
    mayRead = true;
    isHeartbeatRunning = true;
    return createEventStream({
      after: START,
      stopping: stopping.signal,
      mayRead: () => mayRead,
      toLine: exportLine,
      ...deps,
      heartbeat(tick) {
        beat = tick;
        return () => void (isHeartbeatRunning = false);
      },
    });
  }

  it('buffers a limited number of bytes while nobody reads it', async () => {
    const log = createMemoryLog();
    for (let batches = 0; batches < 5; batches += 1) await append(log, 1_000, 1_000);
    let deliveredCount = 0;
    const stream = openStream({
      log: {
        subscribe: (after, handle) =>
          log.subscribe(after, (events) => {
            deliveredCount += 1;
            return handle(events);
          }),
      },
    });
    for (let turns = 0; turns < 100; turns += 1) await turn();
    expect(deliveredCount).to.equal(1);
    expect(stream.readableLength).to.be.lessThan(2 * 65_536);
    beat();
    expect(stream.readableLength).to.be.lessThan(2 * 65_536);

    let text = '';
    const streamEnd = pipeline(
      stream,
      new Writable({
        write: (chunk: Buffer, _encoding, done) => {
          text += chunk.toString('latin1');
          done();
        },
      }),
    );
    while (!text.includes(`id: ${log.head()}\n`)) await turn();
    expect(text.match(/^id: /gm)).to.have.lengthOf(log.head());
    await log.close();
    await streamEnd;
    expect(isHeartbeatRunning).to.equal(false);
  });

  it('sends heartbeats while idle, and ends at a heartbeat after its reader has lost access', async () => {
    const log = createMemoryLog();
    const stream = openStream({ log });
    let text = '';
    const streamEnd = pipeline(
      stream,
      new Writable({
        write: (chunk: Buffer, _encoding, done) => {
          text += chunk.toString();
          done();
        },
      }),
    );
    await turn();
    beat();
    await turn();
    expect(text).to.equal('retry: 1000\n\n:\n\n');
    mayRead = false;
    beat();
    await streamEnd;
    expect({ text, isHeartbeatRunning }).to.deep.equal({ text: 'retry: 1000\n\n:\n\n', isHeartbeatRunning: false });
  });

  it('is destroyed one heartbeat later if a reader that has lost access does not read it to the end', async () => {
    const log = createMemoryLog();
    await append(log, 1_000, 1_000);
    const stream = openStream({ log });
    await turn();
    mayRead = false;
    beat();
    expect(stream.destroyed).to.equal(false);
    const closed = once(stream, 'close');
    beat();
    await closed;
    expect(isHeartbeatRunning).to.equal(false);
    await log.close();
  });

  it('unsubscribes from the log when its reader disconnects or the server stops, even with unread events', async () => {
    const stop = new AbortController();
    const endings = [(stream: Readable) => stream.destroy(), () => stop.abort()];
    for (const end of endings) {
      const log = createMemoryLog();
      await append(log, 2_000, 1_000);
      const stream = openStream({ log, stopping: stop.signal });
      await turn();
      end(stream);
      await log.close();
      stream.destroy();
      await turn();
      expect(isHeartbeatRunning).to.equal(false);
    }
  });
});
