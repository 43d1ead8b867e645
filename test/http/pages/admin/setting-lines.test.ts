import { expect } from 'chai';
import fc from 'fast-check';
import { english } from '../../../../src/language/english.ts';
import { settingLines } from '../../../../src/http/pages/admin/setting-lines.ts';

const SECONDS_IN_UNIT: Readonly<Record<string, number>> = { day: 86_400, hour: 3_600, minute: 60, second: 1 };
const BYTES_IN_UNIT: Readonly<Record<string, number>> = {
  byte: 1,
  bytes: 1,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
};

function sumUnits(text: string, units: Readonly<Record<string, number>>): number {
  const amounts = [...text.replaceAll(',', '').matchAll(/(\d+) (\w+)/g)].map(([, count, unit = '']) => {
    return Number(count) * (units[unit] ?? units[unit.replace(/s$/, '')] ?? NaN);
  });
  return amounts.reduce((sum, amount) => sum + amount, 0);
}

describe("A setting's lines", () => {
  it('show a number of seconds as the same time in larger units, with the number of seconds beside it', () => {
    fc.assert(
      fc.property(fc.nat(315_360_000), (seconds) => {
        const [line] = settingLines('sessionLifetimeSeconds', seconds, 'seconds');
        expect(sumUnits(english.text(line?.text ?? ''), SECONDS_IN_UNIT)).to.equal(seconds);
        if (seconds >= 60) expect(english.text(line?.note ?? '')).to.equal(`${english.number(seconds)} seconds`);
      }),
    );
  });

  it('show a number of bytes as the same size in the largest unit that divides it', () => {
    fc.assert(
      fc.property(fc.nat(1_023), fc.constantFrom(...Object.values(BYTES_IN_UNIT)), (count, unit) => {
        const [line] = settingLines('bodyLimitBytes', (count + 1) * unit, 'bytes');
        expect(sumUnits(english.text(line?.text ?? ''), BYTES_IN_UNIT)).to.equal((count + 1) * unit);
      }),
    );
  });

  it('show the number of bytes only beside a size in larger units', () => {
    const notes = [1_023, 1_024, 1_500].map((bytes) => settingLines('bodyLimitBytes', bytes, 'bytes')[0]?.note ?? null);
    expect(notes.map((note) => note && english.text(note))).to.deep.equal([null, '1,024 bytes', null]);
  });

  it('show every member of a map entry', () => {
    const entries = { 'invoices:read': { icon: 'card', sensitivity: 'sensitive' }, read: { icon: 'file' } };
    expect(settingLines('scopeDisplay', entries, null).map(({ text, note }) => [text, note])).to.deep.equal([
      ['invoices:read', 'icon: card, sensitivity: sensitive'],
      ['read', 'icon: file'],
    ]);
  });

  it('show durations and sizes in their usual units', () => {
    const textOf = (value: number, unit: string) => english.text(settingLines('port', value, unit)[0]?.text ?? '');
    expect([1_209_600, 36_000, 60, 1, 0, 90_061].map((seconds) => textOf(seconds, 'seconds'))).to.deep.equal([
      '14 days',
      '10 hours',
      '1 minute',
      '1 second',
      '0 seconds',
      '1 day 1 hour 1 minute 1 second',
    ]);
    expect([65_536, 67_108_864, 1_500].map((bytes) => textOf(bytes, 'bytes'))).to.deep.equal([
      '64 KiB',
      '64 MiB',
      '1,500 bytes',
    ]);
  });

  it('have one line for each entry of a list or a map', () => {
    expect(settingLines('scopes', { read: 'Read your data', write: 'Change it' }, null)).to.deep.equal([
      { text: 'read', isLiteral: true, note: 'Read your data' },
      { text: 'write', isLiteral: true, note: 'Change it' },
    ]);
    expect(settingLines('defaultScopes', { password: ['read', 'write'] }, null)).to.deep.equal([
      { text: 'password', isLiteral: true, note: 'read, write' },
    ]);
    expect(settingLines('pkceMethods', ['S256', 'plain'], null).map(({ text }) => text)).to.deep.equal([
      'S256',
      'plain',
    ]);
  });

  it('show flags and choices in words, choices with their value beside them, and numbers in the usual format', () => {
    const linesOf = (...parameters: Parameters<typeof settingLines>) =>
      settingLines(...parameters).map(({ text, note }) => [english.text(text), note]);
    expect(linesOf('requirePar', true, null)).to.deep.equal([['yes', null]]);
    expect(linesOf('signup', 'closed', null)).to.deep.equal([['Only administrators can create accounts', 'closed']]);
    expect(linesOf('keysBackupDays', 30, null)).to.deep.equal([['30 days', null]]);
    expect(linesOf('port', 8_000, null)).to.deep.equal([['8000', null]]);
    expect(linesOf('tokensPerMinutePerClient', 6_000, null)).to.deep.equal([['6,000', null]]);
  });

  it('are empty if nothing is set', () => {
    for (const value of [null, [], {}]) expect(settingLines('resources', value, null)).to.deep.equal([]);
  });
});
