import { expect } from 'chai';
import { LogUnavailable, type EventLog, type RecordedEvent } from '../../../src/event-store/event-log.ts';
import { LogUnreachable, AppendOutcomeUnknown } from '../../../src/event-store/log-unreachable.ts';
import { startPostgres, type Postgres } from '../../../scripts/postgres/cluster.ts';
import { queryOnce } from '../../../scripts/postgres/query-once.ts';
import { openTestLog, withConnection } from '../../support/postgres/open-log.ts';
import { startProxy, type PostgresProxy } from '../../support/postgres/proxy.ts';
import { someEvents } from '../../support/some-events.ts';
import { readPages } from '../../support/whole-stream.ts';

/** The statement itself, or its name in a message that executes it again. */
// eslint-disable-next-line no-control-regex
const APPEND = /grantlog\.append\(|\0append\0/;

describe('a log in PostgreSQL, when something fails', () => {
  let server: Postgres;
  let proxy: PostgresProxy;
  let url: string;
  let log: EventLog;
  let millisecondsAhead: number;
  let deliveredEvents: RecordedEvent[];

  before(async function () {
    this.timeout(180_000);
    server = await startPostgres({ fsync: 'off' }); // the tests stop only processes, not machines
  });
  after(() => server.destroy());

  beforeEach(async () => {
    url = await server.createDatabase();
    proxy = await startProxy(server.port);
    millisecondsAhead = 0;
    deliveredEvents = [];
    log = await openTestLog(proxy.proxiedUrl(url), { ticks: () => performance.now() + millisecondsAhead });
    log.onAppended((events) => deliveredEvents.push(...events));
  });
  afterEach(async () => {
    await proxy.pass();
    await log.close();
    await proxy.close();
  });

  it('recognizes its stored events if the reply to the commit is lost', async () => {
    for (let round = 1; round <= 5; round += 1) {
      const replyDropped = proxy.dropNextReply(APPEND);
      const append = log.append(`s${round}`, 'no-stream', someEvents(2));
      await replyDropped;
      const { revision } = await append;
      expect(revision).to.equal(2);
      await expectEvents(2 * round);
    }
  });

  it('distinguishes a lost reply from a conflict', async () => {
    await log.append('s', 'no-stream', someEvents(1));
    const replyDropped = proxy.dropNextReply(APPEND);
    const conflict = log.append('s', 'no-stream', someEvents(1)).catch((error: unknown) => error);
    await replyDropped;
    expect(await conflict).to.have.property('name', 'WrongExpectedRevision');
    await expectEvents(1);
  });

  it('stores every append exactly once, even if its connections are cut repeatedly', async () => {
    for (let batch = 0; batch < 10; batch += 1) {
      const appends = Array.from({ length: 20 }, (_, index) =>
        log.append(`s${batch}-${index}`, 'no-stream', someEvents(2)),
      );
      for (let turn = 0; turn < batch; turn += 1) await new Promise(setImmediate);
      proxy.cut();
      await Promise.all(appends);
    }
    await expectEvents(400);
  });

  it('reports neither success nor failure if the outcome is unknown at the deadline', async () => {
    await log.append('before', 'no-stream', someEvents(1)); // connects
    proxy.partition();
    const outcome = log.append('s', 'no-stream', someEvents(1)).catch((error: unknown) => error);
    await new Promise(setImmediate); // sent
    millisecondsAhead = 11_000;
    expect(await outcome).to.be.instanceOf(AppendOutcomeUnknown);
    expect(log.shared?.counts().unknownOutcomes).to.equal(1);
    await proxy.pass();
    await log.shared?.catchUp();
    const [storedEvent, ...otherEvents] = await readPages(log.readStream('s'));
    expect(otherEvents).to.deep.equal([]);
    expect(deliveredEvents.slice(1)).to.deep.equal(storedEvent === undefined ? [] : [storedEvent]);
  });

  it('reports that no event was stored if the append was never sent', async () => {
    await proxy.refuse();
    proxy.cut();
    const readFailure = await readPages(log.readStream('s')).catch((error: unknown) => error);
    expect(readFailure).to.be.instanceOf(LogUnreachable);
    const outcome = log.append('s', 'no-stream', someEvents(1)).catch((error: unknown) => error);
    await new Promise(setImmediate);
    millisecondsAhead = 11_000;
    const refusal = await outcome;
    expect(refusal).to.be.instanceOf(LogUnreachable).and.not.instanceOf(AppendOutcomeUnknown);
  });

  it('is not current while it is out of touch, and catches up afterward', async () => {
    const otherLog = await openTestLog(url);
    proxy.partition();
    const currentBefore = log.shared?.lastCurrentAt() ?? 0;
    const { position } = await otherLog.append('s', 'no-stream', someEvents(1));
    const catchUp = log.shared?.catchUp();
    expect(deliveredEvents).to.deep.equal([]);
    await proxy.pass();
    await catchUp;
    expect(deliveredEvents.at(-1)?.position).to.equal(position);
    expect(log.shared?.lastCurrentAt()).to.be.at.least(currentBefore);
    await otherLog.close();
  });

  it('stores an append that is pending while the server is restarted', async function () {
    this.timeout(180_000);
    await log.append('before', 'no-stream', someEvents(1));
    await server.kill();
    const append = log.append('s', 'no-stream', someEvents(1));
    await server.start();
    await append;
    await expectEvents(2);
    expect(log.shared?.counts().reconnects).to.be.greaterThan(0);
  });

  it('stores an append that is pending while the server is frozen exactly once', async () => {
    server.freeze();
    const append = log.append('s', 'no-stream', someEvents(1));
    await new Promise(setImmediate);
    server.thaw();
    await append;
    await expectEvents(1);
  });

  it('fails if the database has lost an event that it has delivered', async () => {
    await log.append('s', 'no-stream', someEvents(2));
    await withConnection(url, async (connection) => {
      await connection.query({ text: 'delete from grantlog.events where position = 2' });
      await connection.query({ text: 'update grantlog.head set position = 1' });
    });
    proxy.cut();
    expect((await log.failed).message)
      .to.contain('position 2')
      .and.contain('lost or replaced');
    expect(await log.append('s', 'no-stream', someEvents(1)).catch((error: unknown) => error)).to.be.instanceOf(
      LogUnavailable,
    );
  });

  it('fails if an event is missing in the middle', async () => {
    const otherLog = await openTestLog(url);
    await withConnection(url, (connection) =>
      connection.query({ text: 'update grantlog.head set position = position + 1' }),
    );
    await otherLog.append('s', 'no-stream', someEvents(1)).catch((error: unknown) => error); // fails, too
    expect((await log.failed).message).to.contain('missing');
    await otherLog.close();
  });

  it('accepts appends with any default isolation level of the database', async () => {
    const name = new URL(url).pathname.slice(1);
    for (const level of ['repeatable read', 'serializable']) {
      await withConnection(url, (connection) =>
        connection.query({ text: `alter database ${name} set default_transaction_isolation = '${level}'` }),
      );
      const nodes = await Promise.all([openTestLog(url), openTestLog(url)]);
      const streams = Array.from({ length: 100 }, (_, index) => `${level}-${index}`);
      const appends = streams.map((stream, index) =>
        (nodes[index % 2] ?? log).append(stream, 'no-stream', someEvents(1)),
      );
      await Promise.all(appends);
      await Promise.all(nodes.map((node) => node.close()));
    }
  });

  it('does not use a read-only server', async () => {
    const name = new URL(url).pathname.slice(1);
    const setReadOnly = (mode: 'on' | 'off'): Promise<unknown> =>
      queryOnce(server.url('postgres'), `alter database ${name} set default_transaction_read_only = ${mode}`);
    await setReadOnly('on');
    const refusal: unknown = await openTestLog(url, { isMigrated: true }).catch((error: unknown) => error);
    expect(refusal).to.be.an('error').with.property('message').that.contains('read-only');
    await setReadOnly('off');
  });

  it('refuses only the append that the database refuses, and stores the other appends in the batch', async () => {
    await withConnection(url, (connection) =>
      connection.query({ text: `alter table grantlog.events add check (stream <> 'bad')` }),
    );
    const [good, bad, better] = await Promise.allSettled([
      log.append('good', 'no-stream', someEvents(1)),
      log.append('bad', 'no-stream', someEvents(1)),
      log.append('better', 'no-stream', someEvents(1)),
    ]);
    expect([good.status, bad.status, better.status]).to.deep.equal(['fulfilled', 'rejected', 'fulfilled']);
    await expectEvents(2);
  });

  it('leaves no connection open if it cannot be opened', async () => {
    await withConnection(url, (connection) =>
      connection.query({ text: 'alter function grantlog.report_node rename to report_of_another_release' }),
    );
    await log.close();
    const failure = await openTestLog(url, { isMigrated: true }).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(Error);
    await withConnection(url, async (connection) => {
      const text = `select application_name from pg_stat_activity
        where datname = current_database() and application_name in ('grantlog tail', 'grantlog heartbeat')`;
      await waitUntilEmpty(() => connection.query({ text }));
    });
  });

  /** Expects that the log has exactly this many events, and has delivered them in order. */
  async function expectEvents(count: number): Promise<void> {
    // The first catch-up may use a connection that has been cut.
    await log.shared?.catchUp().catch(() => log.shared?.catchUp());
    const storedEvents = await readPages(log.readAll(0 as RecordedEvent['position']));
    expect(storedEvents).to.have.length(count);
    expect(deliveredEvents).to.deep.equal(storedEvents);
  }
});

/** Waits until the server notices that its connections have ended, or until the test times out. */
async function waitUntilEmpty(read: () => Promise<readonly object[]>): Promise<void> {
  while ((await read()).length > 0) await new Promise(setImmediate);
}
