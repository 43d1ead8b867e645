import { expect } from 'chai';
import fc from 'fast-check';
import type { EpochSeconds } from '../../../src/domain/values.ts';
import { createTimes } from '../../../src/http/pages/times.ts';
import { createTranslators } from '../../../src/language/translators.ts';

const NOW = 1_700_000_000 as EpochSeconds;
const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400];
const UNIT_SECONDS: Readonly<Record<string, number>> = {
  minute: MINUTE,
  hour: HOUR,
  day: DAY,
  week: 7 * DAY,
  month: 30.436875 * DAY,
  year: 365.2425 * DAY,
};
const translators = createTranslators();
const times = createTimes(translators.en);
const relativeTime = (difference: number): string => times.instant((NOW + difference) as EpochSeconds, NOW).relative;

describe('A time on a page', () => {
  it('can be shown as the start of a period that ends now', () => {
    const period = (seconds: number): string => times.instant((NOW - seconds) as EpochSeconds, NOW).period;
    const examples = [
      [60, 'in the last hour'],
      [3 * 3_600, 'in the last 3 hours'],
      [86_400, 'in the last day'],
      [30 * 86_400 + 1, 'in the last 30 days'],
    ] as const;
    for (const [seconds, text] of examples) expect(period(seconds), String(seconds)).to.equal(text);
  });

  it('is relative to now', () => {
    const examples: readonly (readonly [number, string])[] = [
      [0, 'just now'],
      [-59, 'just now'],
      [5, 'just now'],
      [6, 'in less than a minute'],
      [-MINUTE, '1 minute ago'],
      [-59 * MINUTE - 59, '59 minutes ago'],
      [-HOUR, '1 hour ago'],
      [2 * HOUR, 'in 2 hours'],
      [-23.9 * HOUR, '23 hours ago'],
      [-DAY, '1 day ago'],
      [-13 * DAY, '13 days ago'],
      [-21 * DAY, '3 weeks ago'],
      [-61 * DAY, '2 months ago'],
      [-700 * DAY, '22 months ago'],
      [-3 * 365.2425 * DAY, '3 years ago'],
    ];
    for (const [difference, text] of examples) expect(relativeTime(difference), String(difference)).to.equal(text);
  });

  it('is rounded down to whole units', () => {
    const differences = fc.integer({ min: -100 * 366 * DAY, max: 100 * 366 * DAY });
    fc.assert(
      fc.property(differences, (difference) => {
        const [, number, unit] = /(?:^|in )(\d+) (\w+?)s?(?: ago|$)/.exec(relativeTime(difference)) ?? [];
        if (number === undefined) return Math.abs(difference) < MINUTE;
        const seconds = UNIT_SECONDS[unit ?? ''] ?? NaN;
        const isPast = relativeTime(difference).endsWith(' ago');
        const distance = Math.abs(difference);
        return (
          isPast === difference < 0 && Number(number) * seconds <= distance && distance < (Number(number) + 1) * seconds
        );
      }),
    );
  });

  it('has an exact form in UTC and in digits', () => {
    expect(times.instant(NOW, (NOW + 60) as EpochSeconds)).to.deep.equal({
      iso: '2023-11-14T22:13:20.000Z',
      exact: '2023-11-14 22:13:20 UTC',
      relative: '1 minute ago',
      text: '14 November 2023 at 22:13 UTC',
      period: 'in the last hour',
    });
  });

  it("is in the reader's language", () => {
    const germanTimes = createTimes(translators.de);
    const { relative: distance, text } = germanTimes.instant(NOW, (NOW + 7_200) as EpochSeconds);
    expect({ distance, text }).to.deep.equal({ distance: 'vor 2 Stunden', text: '14. November 2023 um 22:13 UTC' });
    expect(germanTimes.instant(NOW, NOW).relative).to.equal('gerade eben');
    expect(germanTimes.day(NOW, (NOW + DAY) as EpochSeconds).text).to.equal('gestern');
  });

  it("is in the reader's time zone", () => {
    const summerDate = (NOW + 200 * DAY) as EpochSeconds;
    const { exact, text } = createTimes(translators.de).instant(summerDate, NOW, 'Europe/Berlin');
    expect({ exact, text }).to.deep.equal({
      exact: '2024-06-02 00:13:20 UTC+02:00',
      text: '2. Juni 2024 um 00:13 MESZ',
    });
    expect(times.instant(NOW, NOW, 'America/New_York').exact).to.equal('2023-11-14 17:13:20 UTC−05:00');
    expect(times.instant(NOW, NOW, 'Nowhere').text).to.equal('14 November 2023 at 22:13 UTC');
  });

  it('is short in a chart, with days in UTC', () => {
    const germanTimes = createTimes(translators.de);
    expect(germanTimes.hour(NOW, 'Asia/Kolkata')).to.deep.equal({
      text: '15. November 2023 um 03:43 GMT+5:30',
      short: '03:43',
      zone: 'GMT+5:30',
    });
    expect(germanTimes.date(NOW)).to.deep.equal({ text: '14. November 2023 UTC', short: '14. November', zone: 'UTC' });
    expect(times.date(NOW)).to.deep.equal({ text: '14 November 2023 UTC', short: '14 November', zone: 'UTC' });
  });
});
