import { expect } from 'chai';
import { queryOnce } from '../../../scripts/postgres/query-once.ts';
import { START } from '../../../src/event-store/event-log.ts';
import { openTestLog } from '../../support/postgres/open-log.ts';
import { startReplication, type Replication } from '../../support/postgres/replication.ts';
import { someEvents } from '../../support/some-events.ts';
import { readPages } from '../../support/whole-stream.ts';

describe('a log in a replicated PostgreSQL', function () {
  this.timeout(300_000);
  let replication: Replication;
  let url: string;

  beforeEach(async () => {
    replication = await startReplication(1);
    url = await replication.createDatabase();
  });
  afterEach(() => replication.destroy());

  it('uses the primary, whatever the order of the hosts', async () => {
    const reversedUrl = url.replace(/@([^,]*),([^/]*)/, '@$2,$1');
    expect(reversedUrl).not.to.equal(url);
    for (const address of [url, reversedUrl]) {
      const log = await openTestLog(address);
      await log.append(address, 'no-stream', someEvents(1));
      await log.close();
    }
  });

  it('keeps every acknowledged append when the primary is lost, and continues with the standby', async () => {
    const log = await openTestLog(url);
    const acknowledgedStreams: string[] = [];
    const failOver = Promise.all(Array.from({ length: 50 }, (_, index) => appendTo(`before-${index}`))).then(() =>
      replication.failOver(),
    );
    await Promise.all([failOver, ...Array.from({ length: 50 }, (_, index) => appendTo(`during-${index}`))]);
    await appendTo('after');
    const storedEvents = await readPages(log.readAll(START));
    expect(storedEvents.map(({ stream }) => stream)).to.have.members(acknowledgedStreams);
    expect(storedEvents.map(({ position }) => position as number)).to.deep.equal(
      storedEvents.map((_, index) => index + 1),
    );
    await log.close();

    async function appendTo(stream: string): Promise<void> {
      await log.append(stream, 'no-stream', someEvents(1));
      acknowledgedStreams.push(stream);
    }
  });

  it('does not acknowledge an append whose wait for the standby was canceled', async () => {
    const primary = replication.primary();
    const log = await openTestLog(url);
    await log.append('before', 'no-stream', someEvents(1));
    await replication.otherServers()[0]?.kill();
    let isAcknowledged = false;
    const append = log.append('s', 'no-stream', someEvents(1)).then((result) => {
      isAcknowledged = true;
      return result;
    });
    const waitingAppends =
      "from pg_stat_activity where application_name = 'grantlog append' and wait_event = 'SyncRep'";
    while ((await queryOnce(primary.url('postgres'), `select 1 ${waitingAppends}`)).length === 0)
      await waitForNextTurn();
    await queryOnce(primary.url('postgres'), `select pg_cancel_backend(pid) ${waitingAppends}`);
    // The append is sent again, is already stored, and waits again.
    while ((await queryOnce(primary.url('postgres'), `select 1 ${waitingAppends}`)).length === 0)
      await waitForNextTurn();
    expect(isAcknowledged).to.equal(false);
    await queryOnce(primary.url('postgres'), "alter system set synchronous_standby_names = ''");
    await queryOnce(primary.url('postgres'), 'select pg_reload_conf()');
    await append;
    expect(await readPages(log.readStream('s'))).to.have.length(1);
    await log.close();
  });

  it('fails on a standby that was promoted without the newest events', async () => {
    const [standby] = replication.otherServers();
    const log = await openTestLog(url);
    await log.append('before', 'no-stream', someEvents(1));
    const primary = replication.primary();
    await queryOnce(primary.url('postgres'), "alter system set synchronous_standby_names = ''");
    await queryOnce(primary.url('postgres'), 'select pg_reload_conf()');
    await standby?.kill(); // falls behind
    await log.append('s', 'no-stream', someEvents(1));
    await primary.kill();
    await standby?.start();
    await queryOnce(standby?.url('postgres') ?? '', 'select pg_promote(true)');
    expect((await log.failed).message).to.contain('lost or replaced');
    await log.close();
  });
});

const waitForNextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
