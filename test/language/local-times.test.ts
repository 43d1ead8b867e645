import { expect } from 'chai';
import fc from 'fast-check';
import { createLocalTimes } from '../../src/language/local-times.ts';

const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Apia'];

/** Returns the instants of a local time, in ISO 8601. */
function findInstants(zone: string, local: string): readonly string[] | undefined {
  const instants = createLocalTimes(zone).instants(local);
  return instants && [instants.first, instants.last].map((at) => new Date(at).toISOString().replace('.000Z', 'Z'));
}

describe('The local times of a zone', () => {
  it('convert back to instants with the same local time, including the original second', () => {
    const milliseconds = fc.integer({ min: Date.UTC(1975, 0), max: Date.UTC(2035, 0) });
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), milliseconds, (zone, at) => {
        const { localTime, instants } = createLocalTimes(zone);
        const second = at - (at % 1000);
        const { first, last } = instants(localTime(at)) ?? expect.fail();
        expect([first, last]).to.include(second);
        expect([localTime(first), localTime(last)]).to.deep.equal([localTime(at), localTime(at)]);
      }),
      { numRuns: 300 },
    );
  });

  it('have the offset of their day', () => {
    expect(findInstants('Europe/Berlin', '2026-11-29T21:06:50')).to.deep.equal(Array(2).fill('2026-11-29T20:06:50Z'));
    expect(findInstants('Europe/Berlin', '2026-07-01T21:06')).to.deep.equal(Array(2).fill('2026-07-01T19:06:00Z'));
    expect(findInstants('Asia/Kolkata', '2026-07-01T00:00')).to.deep.equal(Array(2).fill('2026-06-30T18:30:00Z'));
  });

  it('have two instants if clocks were set back', () => {
    expect(findInstants('Europe/Berlin', '2026-10-25T02:30')).to.deep.equal([
      '2026-10-25T00:30:00Z',
      '2026-10-25T01:30:00Z',
    ]);
  });

  it('have two instants if clocks skipped them, one for each offset around the change', () => {
    expect(findInstants('Europe/Berlin', '2026-03-29T02:30')).to.deep.equal([
      '2026-03-29T00:30:00Z',
      '2026-03-29T01:30:00Z',
    ]);
  });

  it('must be a date with a time', () => {
    for (const text of [
      '',
      '2026-01-01',
      '2026-01-01T09:00Z',
      '2026-13-01T09:00',
      '2026-02-01T25:00',
      '1969-12-31T00:00',
      'now',
    ])
      expect(findInstants('Europe/Berlin', text), text).to.equal(undefined);
    for (const year of ['0000', '0001', '0099', '9999'])
      for (const zone of ZONES) expect(() => findInstants(zone, `${year}-01-01T00:00`), year).not.to.throw();
  });
});
