import { expect } from 'chai';
import fc from 'fast-check';
import { MODES, readArguments } from '../../scripts/bench/arguments.ts';
import { ROW_NAMES, DEFAULT_ROWS } from '../../scripts/bench/rows.ts';

describe("the benchmark's arguments", () => {
  it('are optional: by default every row with a target is compared with bare Koa', () => {
    expect(readArguments([])).to.deep.include({ mode: 'compare', rows: DEFAULT_ROWS, connections: 64, format: 'text' });
  });

  it('select a measurement and rows', () => {
    for (const mode of MODES) expect(readArguments([mode]).mode).to.equal(mode);
    fc.assert(
      fc.property(fc.subarray([...ROW_NAMES], { minLength: 1 }), (rows) => {
        expect(readArguments(['--rows', rows.join(',')]).rows).to.deep.equal(rows);
      }),
    );
  });

  it('accept only positive numbers of rounds, seconds and connections, and the error names the option', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999 }), (count) => {
        const { rounds, seconds, connections } = readArguments([
          '--rounds',
          String(count),
          '--seconds',
          String(count),
          '--connections',
          String(count),
        ]);
        expect([rounds, seconds, connections]).to.deep.equal([count, count, count]);
      }),
    );
    for (const option of ['--rounds', '--seconds', '--connections']) {
      for (const invalid of ['0', '-1', 'many', '1e3', ''])
        expect(() => readArguments([`${option}=${invalid}`]), `${option} ${invalid}`).to.throw(option);
    }
  });

  it('name a baseline version, but only for the comparison', () => {
    expect(readArguments([])).to.include({ baseline: undefined });
    expect(readArguments(['--baseline', '../other'])).to.include({ mode: 'compare', baseline: '../other' });
    expect(() => readArguments(['memory', '--baseline', '../other'])).to.throw(
      '--baseline can only be used with compare',
    );
  });

  it('shorten the measurement with --quick, but keep an explicit number of rounds', () => {
    const [defaultArguments, quickArguments, explicitArguments] = [
      readArguments([]),
      readArguments(['--quick']),
      readArguments(['--quick', '--rounds', '50']),
    ];
    expect(quickArguments.rounds * quickArguments.seconds).to.be.below(
      defaultArguments.rounds * defaultArguments.seconds,
    );
    expect(explicitArguments).to.deep.include({ rounds: 50, seconds: quickArguments.seconds });
  });

  it('are refused, with the alternatives, if a row, measurement or option is unknown', () => {
    expect(() => readArguments(['--rows', 'code,cookie'])).to.throw(/"cookie".*introspection/);
    expect(() => readArguments(['profit'])).to.throw(/"profit".*profile/);
    expect(() => readArguments(['profile', 'compare'])).to.throw('expected one measurement');
    expect(() => readArguments(['--fast'])).to.throw('--fast');
  });
});
