import { expect } from 'chai';
import { grantStream } from '../../../src/domain/streams.ts';
import type { GrantId } from '../../../src/domain/values.ts';
import { createMemoryLog } from '../../../src/event-store/engines/memory.ts';
import type { EventLog, EventToAppend, RecordedEvent } from '../../../src/event-store/event-log.ts';
import { createGrantHistory, type ReadGrantHistory } from '../../../src/oauth/grant-types/grant-history.ts';
import { clientId, hashOf, userId } from '../../support/domain-values.ts';
import { manualClock, type ManualClock } from '../../support/manual-clock.ts';

const LONG = 'long' as GrantId;
const LONGER = 'longer' as GrantId;

const envelope = { recordedAt: 0, actor: { kind: 'server' }, requestId: null } as const;
const firstRefresh: EventToAppend = {
  ...envelope,
  type: 'RefreshTokenIssued',
  version: 3,
  data: {
    tokenHash: hashOf('refresh 0'),
    tagged: true,
    clientId: clientId('A'),
    userId: userId('ada'),
    scope: ['read'],
    expiresAt: null,
  },
};
const rotation = (nth: number): EventToAppend => ({
  ...envelope,
  type: 'RefreshTokenRotated',
  version: 2,
  data: {
    spentHash: hashOf(`refresh ${nth - 1}`),
    tokenHash: hashOf(`refresh ${nth}`),
    scope: ['read'],
    rotatedAt: nth,
    expiresAt: null,
  },
});
const revocation: EventToAppend = {
  ...envelope,
  type: 'GrantRevoked',
  version: 1,
  data: { reason: 'revoked-by-client' },
};

describe('the history of a grant', () => {
  let clock: ManualClock;
  let history: ReadGrantHistory;
  let reads: number;
  let eventsRead: number;

  beforeEach(async () => {
    const log = createMemoryLog();
    for (const [grantId, rotations] of [
      [LONG, 1_000],
      [LONGER, 10_000],
    ] as const) {
      const rotated = Array.from({ length: rotations }, (_, index) => rotation(index + 1));
      await log.append(grantStream(grantId), 'no-stream', [firstRefresh, ...rotated, revocation]);
    }
    async function* counted(pages: AsyncIterable<readonly RecordedEvent[]>): AsyncGenerator<readonly RecordedEvent[]> {
      for await (const page of pages) {
        eventsRead += page.length;
        yield page;
      }
    }
    const counting: Pick<EventLog, 'readStream' | 'readStreamBackwards'> = {
      readStream: (stream) => counted(log.readStream(stream)),
      readStreamBackwards: (stream) => ((reads += 1), counted(log.readStreamBackwards(stream))),
    };
    clock = manualClock();
    [reads, eventsRead] = [0, 0];
    history = createGrantHistory({ log: counting, clock });
  });

  const readsOf = async (ask: () => Promise<unknown>): Promise<number> => {
    const before = reads;
    await ask();
    return reads - before;
  };

  it('shows the first and the newest events of the grant, however many are between them', async () => {
    const found = await history(LONG, true);
    expect(found?.firstRefresh?.tokenHash).to.equal(hashOf('refresh 0'));
    expect(found?.rotations[0]).to.include({ spentHash: hashOf('refresh 999'), tokenHash: hashOf('refresh 1000') });
    expect(found?.revoked?.reason).to.equal('revoked-by-client');
    expect(found?.isComplete).to.equal(false);
  });

  it('costs as little for a long grant as for a longer one', async () => {
    await history(LONG, true);
    const ofLong = eventsRead;
    clock.advance(1);
    await history(LONGER, true);
    expect(eventsRead - ofLong)
      .to.equal(ofLong)
      .and.to.be.below(200);
  });

  it('is read at most fifty times a second for short grants, separately for strangers and for clients', async () => {
    for (const isProven of [false, true]) {
      const ask = async (): Promise<void> => {
        for (let nth = 0; nth < 200; nth += 1) await history(`short ${nth}` as GrantId, isProven);
      };
      expect(await readsOf(ask)).to.equal(50);
      clock.advance(1);
      expect(await readsOf(ask)).to.equal(50);
    }
  });

  it('of a long grant uses up the budget of later seconds, for every caller', async () => {
    const ask = async (): Promise<void> => {
      for (let times = 0; times < 100; times += 1) await history(LONG, false);
    };
    expect(await readsOf(ask)).to.be.within(3, 5);
    expect(await history(LONG, false)).to.equal(null);
    expect(await history('short' as GrantId, true)).not.to.equal(null);
    clock.advance(2);
    expect(await history(LONG, false)).not.to.equal(null);
  });

  it('is read no more often when the wall clock is set', async () => {
    const ask = async (): Promise<void> => {
      for (let nth = 0; nth < 200; nth += 1) await history(`short ${nth}` as GrantId, true);
    };
    expect(await readsOf(ask)).to.equal(50);
    for (const seconds of [3_600, -86_400]) {
      clock.set(seconds);
      expect(await readsOf(ask), `${seconds}`).to.equal(0);
    }
    clock.advance(1);
    expect(await readsOf(ask)).to.equal(50);
  });

  it('is read once for concurrent requests', async () => {
    expect(await readsOf(() => Promise.all(Array.from({ length: 100 }, () => history(LONG, false))))).to.equal(1);
  });
});
