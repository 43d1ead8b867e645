import { expect } from 'chai';
import { comparisonTable, comparisonRemarks } from '../../scripts/bench/comparison.ts';
import { machineRemarks } from '../../scripts/bench/machine.ts';
import type { Result } from '../../scripts/bench/rounds.ts';

const createResult = (contender: string, changes: Partial<Result> = {}): Result => ({
  row: 'code',
  contender,
  rate: 10_000,
  ratio: 1,
  cpuRatio: 1,
  target: undefined,
  p50: 1,
  p99: 2,
  serverCpu: 0.05,
  loadCpuShare: 0.3,
  rounds: [],
  ...changes,
});
const BARE_KOA = createResult('bare Koa');
const GRANTLOG = createResult('Grantlog', { ratio: 0.7, target: 0.6, p99: 6.9 });

describe('the remarks on a comparison', () => {
  it('are empty if every target is met', () => {
    expect(comparisonRemarks([BARE_KOA, GRANTLOG])).to.deep.equal([]);
  });

  it('include each figure that misses its target, and a load generator that was too busy', () => {
    expect(comparisonRemarks([BARE_KOA, { ...GRANTLOG, ratio: 0.59 }]).join()).to.match(/0\.59 .*target of 0\.60/);
    expect(comparisonRemarks([BARE_KOA, { ...GRANTLOG, p99: 7.1 }]).join()).to.match(/p99 of 7\.1 ms/);
    expect(comparisonRemarks([BARE_KOA, { ...GRANTLOG, loadCpuShare: 0.95 }]).join()).to.match(/used 95%/);
  });

  it('include the factor over the best-known peer', () => {
    expect(comparisonRemarks([BARE_KOA, GRANTLOG, createResult('oidc-provider', { ratio: 0.2 })])).to.deep.equal([
      'code: 3.5 × oidc-provider',
    ]);
  });

  it('include the ratio to the baseline by rate and processor time, as the median and quartiles of the rounds', () => {
    const round = (rate: number, serverCpu: number | undefined) => ({ ...BARE_KOA, rate, serverCpu });
    const rounds = [round(80, 4), round(180, 2), round(400, 2), round(600, 1)];
    const baseline = createResult('baseline', { rounds: [100, 200, 400, 500].map((rate) => round(rate, 2)) });
    expect(comparisonRemarks([BARE_KOA, { ...GRANTLOG, rounds }, baseline])).to.deep.equal([
      'code: 0.95 (quartiles 0.80 to 1.00) × baseline; by CPU 1.00 (quartiles 0.50 to 1.00)',
    ]);
    const roundsWithoutCpu = rounds.map((measurement) => ({ ...measurement, serverCpu: undefined }));
    expect(comparisonRemarks([{ ...GRANTLOG, rounds: roundsWithoutCpu }, baseline]).join()).to.include('by CPU –');
  });

  it('warn of a busy machine', () => {
    const machine = { cpu: 'x', cores: 2, memoryGiB: 1, system: 'x', node: 'x', fdatasyncMs: 1, load: 0.2 };
    expect(machineRemarks(machine)).to.deep.equal([]);
    expect(machineRemarks({ ...machine, load: 3.26 }).join()).to.match(/load 3\.3 on 2 cores/);
  });
});

describe('the comparison table', () => {
  it('shows a dash if the system reports no processor time', () => {
    const [, row = []] = comparisonTable([{ ...GRANTLOG, serverCpu: undefined, cpuRatio: Number.NaN }]);
    expect(row.filter((cell) => cell === '–')).to.have.lengthOf(2);
  });
});
