import { expect } from 'chai';
import { grantStream } from '../../src/domain/streams.ts';
import type { GrantId } from '../../src/domain/values.ts';
import { createMemoryLog } from '../../src/eventsourcing/engines/memory.ts';
import type { EventLog } from '../../src/eventsourcing/event-log.ts';
import { createGrantHistory, type ReadGrantHistory } from '../../src/oauth/grant-history.ts';
import { manualClock, type ManualClock } from '../support/manual-clock.ts';

const LONG = 'long' as GrantId;

describe('the history of grants that something was refused under', () => {
  let clock: ManualClock;
  let history: ReadGrantHistory;
  let reads: number;

  beforeEach(async () => {
    const log = createMemoryLog();
    const revoked = { type: 'GrantRevoked', version: 1, data: { reason: 'revoked-by-client' }, recordedAt: 0, actor: { kind: 'server' }, requestId: null } as const;
    await log.append(grantStream(LONG), 'no-stream', Array.from({ length: 5_000 }, () => revoked));
    const counting: Pick<EventLog, 'readStream'> = { readStream: (stream) => ((reads += 1), log.readStream(stream)) };
    clock = manualClock();
    reads = 0;
    history = createGrantHistory({ log: counting, clock });
  });

  const readsOf = async (ask: () => Promise<unknown>): Promise<number> => {
    const before = reads;
    await ask();
    return reads - before;
  };

  it('is read fifty times a second at most where it is short, for strangers and for clients that proved themselves', async () => {
    for (const isProven of [false, true]) {
      const ask = async (): Promise<void> => {
        for (let nth = 0; nth < 200; nth += 1) await history(`short ${nth}` as GrantId, isProven);
      };
      expect(await readsOf(ask)).to.equal(50);
      clock.advance(1);
      expect(await readsOf(ask)).to.equal(50);
    }
  });

  it('is paid for by the seconds to come where it is long, by whoever had it read', async () => {
    expect((await history(LONG, false))?.revoked?.reason).to.equal('revoked-by-client');
    for (let seconds = 0; seconds < 9; seconds += 1) {
      clock.advance(1);
      expect(await history(LONG, false)).to.equal(null);
    }
    expect(reads).to.equal(1);
    expect(await history('short' as GrantId, true)).not.to.equal(null);
    clock.advance(2);
    expect(await history(LONG, false)).not.to.equal(null);
  });

  it('is read no oftener when the wall clock is set', async () => {
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

  it('is read once for all who ask side by side', async () => {
    expect(await readsOf(() => Promise.all(Array.from({ length: 100 }, () => history(LONG, false))))).to.equal(1);
  });
});
