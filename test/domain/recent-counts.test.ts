import { expect } from 'chai';
import fc from 'fast-check';
import {
  copyHistory,
  countOccurrence,
  DAY_SECONDS,
  DAYS,
  emptyHistory,
  HOUR_SECONDS,
  HOURS,
  periodsUpTo,
  type PeriodCount,
  type RecentHistory,
} from '../../src/domain/recent-counts.ts';
import { seconds } from '../support/domain-values.ts';

const START = 20_000 * DAY_SECONDS;

/** Times within and beyond the hours and days that a history covers, in any order, because clocks are set back. */
const someTimes = fc.array(
  fc.oneof(fc.integer({ min: 0, max: 2 * HOURS * HOUR_SECONDS }), fc.integer({ min: 0, max: 2 * DAYS * DAY_SECONDS })),
  { maxLength: 30 },
);
const aTime = fc.integer({ min: 0, max: 3 * DAYS * DAY_SECONDS });

function historyOf(times: readonly number[]): RecentHistory {
  const history = emptyHistory();
  for (const time of times) countOccurrence(history, START + time);
  return history;
}

/** Returns the counts of the last `size` periods up to `now`, ignoring those too far behind the last counted one. */
function expectedCounts(times: readonly number[], now: number, size: number, length: number): readonly PeriodCount[] {
  const periodOf = (time: number): number => Math.floor((START + time) / length);
  const newest = Math.max(...times.map(periodOf));
  return Array.from({ length: size }, (_, index) => {
    const period = periodOf(now) - index;
    const isCounted = period > newest - size;
    const count = isCounted ? times.filter((time) => periodOf(time) === period).length : 0;
    return { from: seconds(period * length), count };
  }).toReversed();
}

describe('the recent counts', () => {
  it('are the numbers of events in each of the last hours and days, even after the clock was set back', () => {
    fc.assert(
      fc.property(someTimes, aTime, (times, now) => {
        const { hours, days } = periodsUpTo(seconds(START + now), historyOf(times));
        expect(hours).to.deep.equal(expectedCounts(times, now, HOURS, HOUR_SECONDS));
        expect(days).to.deep.equal(expectedCounts(times, now, DAYS, DAY_SECONDS));
      }),
    );
  });

  it('do not include an event that is a full day or 30 days behind the last one', () => {
    const [anHourAgo, aDayAgo] = [HOURS * HOUR_SECONDS, DAYS * DAY_SECONDS];
    const { hours } = periodsUpTo(seconds(START), historyOf([anHourAgo, 0]));
    expect(hours.map(({ count }) => count)).to.deep.equal(Array.from({ length: HOURS }, () => 0));
    const { days } = periodsUpTo(seconds(START), historyOf([aDayAgo, 0]));
    expect(days.map(({ count }) => count)).to.deep.equal(Array.from({ length: DAYS }, () => 0));
  });

  it('are 24 hours and 30 days, of which the last ones contain the present', () => {
    const now = seconds(START + 5 * HOUR_SECONDS + 1);
    const { hours, days } = periodsUpTo(now, emptyHistory());
    expect([hours.length, days.length]).to.deep.equal([24, 30]);
    expect(hours.at(-1)).to.deep.equal({ from: START + 5 * HOUR_SECONDS, count: 0 });
    expect(days.at(-1)).to.deep.equal({ from: START, count: 0 });
  });

  it('take no more space after many hours and days', () => {
    fc.assert(
      fc.property(someTimes, (times) => {
        const { hours, days } = historyOf(times);
        expect(hours.counts.length).to.be.at.most(HOURS);
        expect(days.counts.length).to.be.at.most(DAYS);
      }),
    );
  });

  it('of a copy change independently of the original', () => {
    const original = historyOf([0]);
    const copy = copyHistory(original);
    expect(copy).to.deep.equal(original);
    for (const time of [0, HOUR_SECONDS, DAY_SECONDS]) countOccurrence(copy, START + time);
    expect(original).to.deep.equal(historyOf([0]));
    expect(copy).to.deep.equal(historyOf([0, 0, HOUR_SECONDS, DAY_SECONDS]));
  });
});
