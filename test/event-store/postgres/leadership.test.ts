import { expect } from 'chai';
import { createLeadership, type Leadership } from '../../../src/event-store/postgres/leadership.ts';
import { connectPrimary } from '../../../src/platform/postgres/connect.ts';
import { parsePostgresUrl } from '../../../src/platform/postgres/connection-url.ts';
import { createDatabase } from '../../support/postgres/cluster.ts';
import { until } from '../../support/postgres/service-nodes.ts';

describe('leadership', function () {
  this.timeout(180_000);
  let url: string;
  let candidates: Leadership[];

  beforeEach(async () => {
    url = await createDatabase();
    candidates = [];
  });
  afterEach(() => candidates.forEach(({ close }) => close()));

  function startCandidate(onBeat: () => Promise<void> = async () => {}): Leadership {
    const leadership = createLeadership({
      open: (settings) =>
        connectPrimary(parsePostgresUrl(url), { purpose: 'test', timeoutMilliseconds: 4_000, settings }),
      attach: async () => {},
      onBeat,
    });
    candidates.push(leadership);
    leadership.start();
    return leadership;
  }

  it('passes to another node when the leader stops', async () => {
    const first = startCandidate();
    await until(first.isLeader);
    const otherCandidates = [startCandidate(), startCandidate()];
    first.close();
    expect(first.isLeader()).to.equal(false);
    await until(() => otherCandidates.some((leadership) => leadership.isLeader()));
    expect(otherCandidates.filter((leadership) => leadership.isLeader())).to.have.length(1);
  });

  it('passes to another node when the leader is unresponsive, even if its connection is open', async () => {
    const frozenLeader = startCandidate(() => new Promise(() => {}));
    await until(frozenLeader.isLeader);
    const candidate = startCandidate();
    await until(candidate.isLeader);
    expect(frozenLeader.isLeader(), 'the database has ended its session').to.equal(false);
  });
});
