import { expect } from 'chai';
import fc from 'fast-check';
import { MODES, readArguments } from '../../scripts/bench/arguments.ts';
import { ROW_NAMES, DEFAULT_ROWS } from '../../scripts/bench/rows.ts';

describe("the benchmark's arguments", () => {
  it('are all optional: every row that has a target, beside bare Koa', () => {
    expect(readArguments([])).to.deep.include({ mode: 'compare', rows: DEFAULT_ROWS, connections: 64, print: 'text' });
  });

  it('name what is measured and which rows', () => {
    for (const mode of MODES) expect(readArguments([mode]).mode).to.equal(mode);
    fc.assert(
      fc.property(fc.subarray([...ROW_NAMES], { minLength: 1 }), (rows) => {
        expect(readArguments(['--rows', rows.join(',')]).rows).to.deep.equal(rows);
      }),
    );
  });

  it('take any number of rounds, seconds and connections that makes sense, and say which they do not take', () => {
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
      for (const wrong of ['0', '-1', 'many', '1e3', ''])
        expect(() => readArguments([`${option}=${wrong}`]), `${option} ${wrong}`).to.throw(option);
    }
  });

  it('are faster with --quick, and what is said beside it goes before', () => {
    const [usual, quick, asked] = [
      readArguments([]),
      readArguments(['--quick']),
      readArguments(['--quick', '--rounds', '50']),
    ];
    expect(quick.rounds * quick.seconds).to.be.below(usual.rounds * usual.seconds);
    expect(asked).to.deep.include({ rounds: 50, seconds: quick.seconds });
  });

  it('are refused, with what there is instead, when there is no such row, measurement or option', () => {
    expect(() => readArguments(['--rows', 'code,cookie'])).to.throw(/"cookie".*introspection/);
    expect(() => readArguments(['profit'])).to.throw(/"profit".*profile/);
    expect(() => readArguments(['profile', 'compare'])).to.throw('one measurement at a time');
    expect(() => readArguments(['--fast'])).to.throw('--fast');
  });
});
