import { expect } from 'chai';
import fc from 'fast-check';
import { processTreeTime } from '../../scripts/bench/processor-time.ts';

/** The Linux format: the user and system ticks of the process, then those of its exited children. */
const formatStat = (pid: number, parent: number, ticks: readonly number[], name = 'server') =>
  `${pid} (${name}) S ${parent} 1 1 0 -1 4194560 100 0 0 0 ${ticks.join(' ')} 20 0 1 0 100 1000 100`;

const arbitraryTicks = fc.array(fc.nat(100_000), { minLength: 4, maxLength: 4 });

describe('the processor time of a server', () => {
  it('includes its descendants and no other processes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(), arbitraryTicks), { minLength: 2, maxLength: 20 }),
        fc.nat(),
        (draws, pick) => {
          const processes = draws.map(([parent, ticks], index) => ({
            pid: index + 1,
            parent: index === 0 ? 0 : 1 + (parent % index),
            ticks,
          }));
          const root = 1 + (pick % processes.length);
          const parentOf = new Map(processes.map(({ pid, parent }) => [pid, parent]));
          const isDescendant = (pid: number): boolean =>
            pid === root || (pid !== 0 && isDescendant(parentOf.get(pid) ?? 0));
          const expected = processes
            .filter(({ pid }) => isDescendant(pid))
            .flatMap(({ ticks }) => ticks)
            .reduce((sum, ticks) => sum + ticks * 10, 0);
          expect(
            processTreeTime(
              processes.map(({ pid, parent, ticks }) => formatStat(pid, parent, ticks)),
              root,
            ),
          ).to.equal(expected);
        },
      ),
    );
  });

  it('is read correctly even if the process name looks like other fields', () => {
    expect(processTreeTime([formatStat(7, 1, [1, 2, 0, 0], 'a) S 3 (b')], 7)).to.equal(30);
  });

  it('is unknown if the system does not report it', () => {
    expect(processTreeTime([], 7)).to.equal(undefined);
  });
});
