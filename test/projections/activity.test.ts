import { expect } from 'chai';
import fc from 'fast-check';
import { createActivity } from '../../src/projections/activity.ts';
import { CLIENT_SETTINGS } from '../support/client-settings.ts';
import { clientId, grantId, hashOf, seconds } from '../support/domain-values.ts';
import { createRecording } from '../support/recording.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;

function setUp() {
  const activity = createActivity();
  const { record } = createRecording(activity);
  return {
    activity,
    register: (label: string): void =>
      record(`client-${clientId(label)}`, {
        type: 'ClientRegistered',
        data: { ...CLIENT_SETTINGS, clientId: clientId(label), ownerId: null, secret: null },
      }),
    remove: (label: string): void => record(`client-${clientId(label)}`, { type: 'ClientRemoved', data: {} }),
    issue: (label: string, at: number): void =>
      record(
        `grant-${grantId(label)}`,
        {
          type: 'AccessTokenIssued',
          data: {
            tokenHash: hashOf(label),
            grantId: grantId(label),
            clientId: clientId(label),
            userId: null,
            scope: [],
            expiresAt: seconds(at + HOUR),
          },
        },
        at,
      ),
  };
}

const counts = (periods: readonly { readonly count: number }[]): readonly number[] => periods.map(({ count }) => count);
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

describe('client activity', () => {
  it('includes token counts by hour and by day, up to the current period', () => {
    const { activity, register, issue } = setUp();
    const noon = 1_000 * DAY + 12 * HOUR;
    register('A');
    register('B');
    for (const at of [noon, noon + HOUR - 1, noon + HOUR, noon + DAY]) issue('A', at);
    issue('B', noon);
    const { hours, days } = activity.issuedTo(clientId('A'), seconds(noon + DAY + 60));
    expect(hours).to.have.length(24);
    expect(days).to.have.length(30);
    expect(hours.at(-1)).to.deep.equal({ from: noon + DAY, count: 1 });
    expect(hours[0]).to.deep.equal({ from: noon + HOUR, count: 1 });
    expect(days.slice(-2)).to.deep.equal([
      { from: noon - 12 * HOUR, count: 3 },
      { from: noon + 12 * HOUR, count: 1 },
    ]);
    expect(sum(counts(activity.issuedTo(clientId('B'), seconds(noon)).hours))).to.equal(1);
  });

  it('is empty for a client that is not registered or has been removed', () => {
    const { activity, register, issue, remove } = setUp();
    register('A');
    issue('A', 10);
    remove('A');
    issue('A', 20);
    issue('C', 20);
    for (const label of ['A', 'C'])
      expect(sum(counts(activity.issuedTo(clientId(label), seconds(20)).days)), label).to.equal(0);
    expect([...activity.contents()]).to.have.length(1); // the server-wide counts
  });

  const someTimes = fc.array(fc.integer({ min: 0, max: 40 * DAY }), { maxLength: 60 });

  it('equals a count of all events, even if the clock has been set back', () => {
    fc.assert(
      fc.property(someTimes, (times) => {
        const { activity, register, issue } = setUp();
        register('A');
        times.forEach((at) => issue('A', at));
        const now = Math.max(0, ...times);
        const { hours, days } = activity.issuedTo(clientId('A'), seconds(now));
        for (const [counters, length] of [
          [hours, HOUR],
          [days, DAY],
        ] as const) {
          let newest = -1;
          const recentTimes = times.filter((at) => {
            newest = Math.max(newest, Math.floor(at / length));
            return newest - Math.floor(at / length) < counters.length;
          });
          expect(counts(counters)).to.deep.equal(
            counters.map(({ from }) => recentTimes.filter((at) => at >= from && at < from + length).length),
          );
        }
      }),
    );
  });

  it('keeps only the counters that are displayed, and survives a snapshot', () => {
    fc.assert(
      fc.property(someTimes, someTimes, (earlierTimes, laterTimes) => {
        const [original, copy] = [setUp(), setUp()];
        original.register('A');
        earlierTimes.forEach((at) => original.issue('A', at));
        const frozenPieces = original.activity.freeze();
        laterTimes.forEach((at) => original.issue('A', at));
        for (const piece of frozenPieces) copy.activity.restore(piece);
        laterTimes.forEach((at) => copy.issue('A', at));
        expect([...copy.activity.contents()]).to.deep.equal([...original.activity.contents()]);
        const [, { hours, days }] = [...original.activity.contents()] as [
          unknown,
          { hours: { counts: number[] }; days: { counts: number[] } },
        ];
        expect(hours.counts.length).to.be.at.most(24);
        expect(days.counts.length).to.be.at.most(30);
      }),
    );
  });

  it("includes the server's token counts, even for clients that have been removed", () => {
    const { activity, register, issue, remove } = setUp();
    register('A');
    issue('A', HOUR);
    remove('A');
    issue('A', HOUR + 1);
    const { tokens, logins } = activity.ofServer(seconds(HOUR + 2));
    expect(tokens.hours.at(-1)).to.deep.equal({ from: HOUR, count: 2 });
    expect(tokens.days.at(-1)).to.deep.equal({ from: 0, count: 2 });
    expect(sum(counts(logins.days))).to.equal(0);
  });

  it('yields an upper bound on the number of live tokens, unless their lifetime exceeds its window', () => {
    fc.assert(
      fc.property(someTimes, fc.integer({ min: 1, max: 29 * DAY }), (times, lifetime) => {
        const { activity, register, issue } = setUp();
        register('A');
        const sortedTimes = times.toSorted((a, b) => a - b);
        sortedTimes.forEach((at) => issue('A', at));
        const now = sortedTimes.at(-1) ?? 0;
        const exact = sortedTimes.filter((at) => at > now - lifetime).length;
        const upperBound = activity.upperBoundWithin(clientId('A'), lifetime, seconds(now)) ?? expect.fail();
        const period = lifetime <= 23 * HOUR ? HOUR : DAY;
        expect(upperBound)
          .to.be.at.least(exact)
          .and.at.most(sortedTimes.filter((at) => at > now - lifetime - period).length);
      }),
    );
    expect(setUp().activity.upperBoundWithin(clientId('A'), 29 * DAY + 1, seconds(0))).to.equal(undefined);
  });
});
