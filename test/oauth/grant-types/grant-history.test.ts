import { expect } from 'chai';
import { grantStream } from '../../../src/domain/streams.ts';
import type { GrantId } from '../../../src/domain/values.ts';
import { createMemoryLog } from '../../../src/event-store/engines/memory.ts';
import type { EventLog, EventToAppend, RecordedEvent } from '../../../src/event-store/event-log.ts';
import { createGrantHistoryReader, type ReadGrantHistory } from '../../../src/oauth/grant-types/grant-history.ts';
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
      const rotationEvents = Array.from({ length: rotations }, (_, index) => rotation(index + 1));
      await log.append(grantStream(grantId), 'no-stream', [firstRefresh, ...rotationEvents, revocation]);
    }
    async function* countEvents(
      pages: AsyncIterable<readonly RecordedEvent[]>,
    ): AsyncGenerator<readonly RecordedEvent[]> {
      for await (const page of pages) {
        eventsRead += page.length;
        yield page;
      }
    }
    const countingLog: Pick<EventLog, 'readStream' | 'readStreamBackwards'> = {
      readStream: (stream) => countEvents(log.readStream(stream)),
      readStreamBackwards: (stream) => ((reads += 1), countEvents(log.readStreamBackwards(stream))),
    };
    clock = manualClock();
    [reads, eventsRead] = [0, 0];
    history = createGrantHistoryReader({ log: countingLog, clock });
  });

  const countReads = async (readMany: () => Promise<unknown>): Promise<number> => {
    const before = reads;
    await readMany();
    return reads - before;
  };

  it('shows the first and the newest events of a grant of any length', async () => {
    const result = await history(LONG, true);
    expect(result?.firstRefresh?.tokenHash).to.equal(hashOf('refresh 0'));
    expect(result?.rotations[0]).to.include({ spentHash: hashOf('refresh 999'), tokenHash: hashOf('refresh 1000') });
    expect(result?.revoked?.reason).to.equal('revoked-by-client');
    expect(result?.isComplete).to.equal(false);
  });

  it('reads the same number of events for a long and a longer grant', async () => {
    await history(LONG, true);
    const eventsOfLong = eventsRead;
    clock.advance(1);
    await history(LONGER, true);
    expect(eventsRead - eventsOfLong)
      .to.equal(eventsOfLong)
      .and.to.be.below(200);
  });

  it('is read at most fifty times a second for short grants, separately for authenticated callers', async () => {
    for (const isProven of [false, true]) {
      const readMany = async (): Promise<void> => {
        for (let nth = 0; nth < 200; nth += 1) await history(`short ${nth}` as GrantId, isProven);
      };
      expect(await countReads(readMany)).to.equal(50);
      clock.advance(1);
      expect(await countReads(readMany)).to.equal(50);
    }
  });

  it('uses the budget of later seconds if the grant is long, for every caller', async () => {
    const readMany = async (): Promise<void> => {
      for (let times = 0; times < 100; times += 1) await history(LONG, false);
    };
    expect(await countReads(readMany)).to.be.within(3, 5);
    expect(await history(LONG, false)).to.equal(null);
    expect(await history('short' as GrantId, true)).not.to.equal(null);
    clock.advance(2);
    expect(await history(LONG, false)).not.to.equal(null);
  });

  it('is not read more often after the wall clock is changed', async () => {
    const readMany = async (): Promise<void> => {
      for (let nth = 0; nth < 200; nth += 1) await history(`short ${nth}` as GrantId, true);
    };
    expect(await countReads(readMany)).to.equal(50);
    for (const seconds of [3_600, -86_400]) {
      clock.shift(seconds);
      expect(await countReads(readMany), `${seconds}`).to.equal(0);
    }
    clock.advance(1);
    expect(await countReads(readMany)).to.equal(50);
  });

  it('is read once for concurrent requests', async () => {
    expect(await countReads(() => Promise.all(Array.from({ length: 100 }, () => history(LONG, false))))).to.equal(1);
  });
});
