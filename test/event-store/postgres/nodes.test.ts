import { expect } from 'chai';
import fc from 'fast-check';
import {
  DecisionOutdated,
  START,
  WrongExpectedRevision,
  type EventLog,
  type RecordedEvent,
  type StreamRevision,
} from '../../../src/event-store/event-log.ts';
import { createDatabase } from '../../support/postgres/cluster.ts';
import { openTestLog } from '../../support/postgres/open-log.ts';
import { someEvents } from '../../support/some-events.ts';
import { readWholeStream } from '../../support/whole-stream.ts';

const NODES = 3;

describe('a log with several nodes', () => {
  let nodes: EventLog[];
  let deliveredEvents: RecordedEvent[][];

  beforeEach(async () => {
    const url = await createDatabase();
    nodes = [];
    for (let index = 0; index < NODES; index += 1) nodes.push(await openTestLog(url));
    deliveredEvents = nodes.map(() => []);
    for (const [index, node] of nodes.entries()) node.onAppended((events) => deliveredEvents[index]?.push(...events));
  });
  afterEach(() => Promise.all(nodes.map((node) => node.close())));

  it('delivers the same events in the same order to every node, without gaps or duplicates', async () => {
    const appends = Array.from({ length: 300 }, (_, index) =>
      nodeAt(index).append(`s${index % 40}`, index < 40 ? 'no-stream' : 'new-stream', someEvents(1 + (index % 3))),
    );
    await Promise.allSettled(appends);
    for (const node of nodes) await node.shared?.catchUp();
    const [first = []] = deliveredEvents;
    expect(first.map(({ position }) => position as number)).to.deep.equal(first.map((_, index) => START + 1 + index));
    for (const events of deliveredEvents) expect(events).to.deep.equal(first);
  });

  it('accepts exactly one of many appends at the same revision, from any node', async () => {
    let expected: StreamRevision = 'no-stream';
    for (let round = 0; round < 20; round += 1) {
      const revision: StreamRevision = expected;
      const outcomes = await Promise.allSettled(
        Array.from({ length: 4 * NODES }, (_, racer) => nodeAt(racer).append('s', revision, someEvents(1))),
      );
      const successes = outcomes.filter((outcome) => outcome.status === 'fulfilled');
      expect(successes).to.have.length(1);
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') expect(outcome.reason).to.be.instanceOf(WrongExpectedRevision);
      ({ revision: expected } = await readWholeStream(nodeAt(round), 's'));
    }
  });

  it('refuses an append based on a stream that another node has changed, and delivers the change', async () => {
    const { revision } = await nodeAt(0).append('basis', 'no-stream', someEvents(1));
    const { position } = await nodeAt(1).append('basis', revision, someEvents(1));
    const refusal: unknown = await nodeAt(2)
      .append('s', 'no-stream', someEvents(1), [{ stream: 'basis', revision }])
      .catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(DecisionOutdated);
    expect(deliveredEvents[2]?.some((event) => event.position === position)).to.equal(true);
    await nodeAt(2).append('s', 'no-stream', someEvents(1), [{ stream: 'basis', revision: 2 as typeof revision }]);
  });

  it('includes all acknowledged appends after a catch-up', async () => {
    let streamCount = 0;
    await fc.assert(
      fc.asyncProperty(fc.nat(NODES - 1), fc.nat(NODES - 1), async (writer, reader) => {
        streamCount += 1;
        const { position } = await nodeAt(writer).append(`s${streamCount}`, 'new-stream', someEvents(1));
        await nodeAt(reader).shared?.catchUp();
        expect(deliveredEvents[reader]?.at(-1)?.position).to.be.at.least(position);
      }),
      { numRuns: 50 },
    );
  });

  it('reports the database time to all nodes', () => {
    for (const node of nodes) expect(node.shared?.clockOffset()).to.be.within(-1_000, 1_000);
  });

  function nodeAt(index: number): EventLog {
    return nodes[index % NODES] ?? expect.fail();
  }
});
