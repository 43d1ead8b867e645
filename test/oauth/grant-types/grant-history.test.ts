import { expect } from 'chai';
import { grantStream } from '../../../src/domain/streams.ts';
import type { GrantId } from '../../../src/domain/values.ts';
import { createMemoryLog } from '../../../src/event-store/engines/memory.ts';
import type { EventLog, EventToAppend, RecordedEvent } from '../../../src/event-store/event-log.ts';
import { createGrantHistoryReader, type ReadGrantHistory } from '../../../src/oauth/grant-types/grant-history.ts';
import { clientId, hashOf, userId } from '../../support/domain-values.ts';
import { manualClock, type ManualClock } from '../../support/manual-clock.ts';

const LONG_GRANT = 'long' as GrantId;
const LONGER_GRANT = 'longer' as GrantId;

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
const rotationEvent = (nth: number): EventToAppend => ({
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
  let readHistory: ReadGrantHistory;
  let readCount: number;
  let eventCount: number;

  beforeEach(async () => {
    const log = createMemoryLog();
    for (const [grantId, rotations] of [
      [LONG_GRANT, 1_000],
      [LONGER_GRANT, 10_000],
    ] as const) {
      const rotationEvents = Array.from({ length: rotations }, (_, index) => rotationEvent(index + 1));
      await log.append(grantStream(grantId), 'no-stream', [firstRefresh, ...rotationEvents, revocation]);
    }
    async function* countEvents(
      pages: AsyncIterable<readonly RecordedEvent[]>,
    ): AsyncGenerator<readonly RecordedEvent[]> {
      for await (const page of pages) {
        eventCount += page.length;
        yield page;
      }
    }
    const countingLog: Pick<EventLog, 'readStream' | 'readStreamBackwards'> = {
      readStream: (stream) => countEvents(log.readStream(stream)),
      readStreamBackwards: (stream) => ((readCount += 1), countEvents(log.readStreamBackwards(stream))),
    };
    clock = manualClock();
    [readCount, eventCount] = [0, 0];
    readHistory = createGrantHistoryReader({ log: countingLog, clock });
  });

  const countReads = async (readMany: () => Promise<unknown>): Promise<number> => {
    const countBefore = readCount;
    await readMany();
    return readCount - countBefore;
  };

  it('contains the first and the newest events of a grant of any length', async () => {
    const result = await readHistory(LONG_GRANT, true);
    expect(result?.firstRefresh?.tokenHash).to.equal(hashOf('refresh 0'));
    expect(result?.rotations[0]).to.include({ spentHash: hashOf('refresh 999'), tokenHash: hashOf('refresh 1000') });
    expect(result?.revoked?.reason).to.equal('revoked-by-client');
    expect(result?.isComplete).to.equal(false);
  });

  it('needs the same number of events for a long and a longer grant', async () => {
    await readHistory(LONG_GRANT, true);
    const eventsOfLongGrant = eventCount;
    clock.advance(1);
    await readHistory(LONGER_GRANT, true);
    expect(eventCount - eventsOfLongGrant)
      .to.equal(eventsOfLongGrant)
      .and.to.be.below(200);
  });

  it('is read at most fifty times a second if it is short; authenticated callers have a separate limit', async () => {
    for (const isProven of [false, true]) {
      const readMany = async (): Promise<void> => {
        for (let nth = 0; nth < 200; nth += 1) await readHistory(`short ${nth}` as GrantId, isProven);
      };
      expect(await countReads(readMany)).to.equal(50);
      clock.advance(1);
      expect(await countReads(readMany)).to.equal(50);
    }
  });

  it('uses the budget of later seconds if the grant is long, for every caller', async () => {
    const readMany = async (): Promise<void> => {
      for (let attempt = 0; attempt < 100; attempt += 1) await readHistory(LONG_GRANT, false);
    };
    expect(await countReads(readMany)).to.be.within(3, 5);
    expect(await readHistory(LONG_GRANT, false)).to.equal(null);
    expect(await readHistory('short' as GrantId, true)).not.to.equal(null);
    clock.advance(2);
    expect(await readHistory(LONG_GRANT, false)).not.to.equal(null);
  });

  it('is not read more often after the wall clock is changed', async () => {
    const readMany = async (): Promise<void> => {
      for (let nth = 0; nth < 200; nth += 1) await readHistory(`short ${nth}` as GrantId, true);
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
    expect(
      await countReads(() => Promise.all(Array.from({ length: 100 }, () => readHistory(LONG_GRANT, false)))),
    ).to.equal(1);
  });
});
