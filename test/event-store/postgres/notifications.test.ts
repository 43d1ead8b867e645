import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import type { EventLog } from '../../../src/event-store/event-log.ts';
import { MAX_PAYLOAD_BYTES, type Broadcast } from '../../../src/platform/broadcast/broadcast.ts';
import { createDatabase } from '../../support/postgres/cluster.ts';
import { openTestLog, withConnection } from '../../support/postgres/open-log.ts';

const PAUSE_MILLISECONDS = 20;

describe('messages between nodes on PostgreSQL', () => {
  let url: string;
  let logs: EventLog[];

  beforeEach(async () => {
    url = await createDatabase();
    logs = [await openTestLog(url), await openTestLog(url, { isMigrated: true })];
  });
  afterEach(() => Promise.all(logs.map((log) => log.close())));

  const node = (index: number): Broadcast => logs[index]?.shared?.broadcast ?? expect.fail();

  /** Resolves with the received payloads once the node has received `last`. */
  function payloadsUntil(index: number, topic: string, last: string): Promise<readonly string[]> {
    const payloads: string[] = [];
    return new Promise((resolve) => {
      node(index).subscribe(topic, (payload) => {
        payloads.push(payload);
        if (payload === last) resolve(payloads);
      });
    });
  }

  it('reach only the other nodes, and arrive unchanged', async () => {
    const ownPayloads: string[] = [];
    node(0).subscribe('topic', (payload) => ownPayloads.push(payload));
    const payloads = ['', 'two words', 'ä€😀', 'x'.repeat(MAX_PAYLOAD_BYTES), 'last'];
    const receivedPayloads = payloadsUntil(1, 'topic', 'last');
    const otherPayloads = payloadsUntil(1, 'another', 'last of another');
    for (const payload of payloads) node(0).publish('topic', payload);
    node(0).publish('another', 'last of another');
    expect(await receivedPayloads).to.deep.equal(payloads);
    expect(await otherPayloads).to.deep.equal(['last of another']);
    const answer = payloadsUntil(0, 'topic', 'answer');
    node(1).publish('topic', 'answer');
    await answer;
    expect(ownPayloads).to.deep.equal(['answer']);
  });

  it('are not sent if they are too long', async () => {
    const receivedPayloads = payloadsUntil(1, 'topic', 'last');
    node(0).publish('topic', 'x'.repeat(2 * MAX_PAYLOAD_BYTES));
    node(0).publish('topic', 'last');
    expect(await receivedPayloads).to.deep.equal(['last']);
  });

  it('continue after connections have been lost', async () => {
    const text = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'grantlog tail'`;
    await withConnection(url, (connection) => connection.query({ text: `${text} and datname = current_database()` }));
    const receivedPayloads = payloadsUntil(1, 'topic', 'again');
    do node(0).publish('topic', 'again');
    while ((await Promise.race([receivedPayloads, delay(PAUSE_MILLISECONDS)])) === undefined);
  });

  it('are not sent by a closed log', async () => {
    const [first] = logs;
    const broadcast = node(0);
    await first?.close();
    broadcast.publish('topic', 'late');
    const receivedPayloads = payloadsUntil(1, 'topic', 'last');
    const otherLog = await openTestLog(url, { isMigrated: true });
    otherLog.shared?.broadcast?.publish('topic', 'last');
    expect(await receivedPayloads).to.deep.equal(['last']);
    await otherLog.close();
  });
});
