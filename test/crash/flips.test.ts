import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeFlipTarget, type FlipTarget, type Trial } from '../support/flip-drill.ts';

const SEED = 20_260_101;

/** Small numbers, because each trial opens two damaged copies. `.ci/run` runs `scripts/flip-drill.ts` with more. */
const FLIP_COUNT = 5;
const CUT_COUNT = 2;

describe('a flipped bit or a truncation in any file of a data directory', function () {
  this.timeout(300_000);

  let directory: string;
  let target: FlipTarget;
  let trials: readonly Trial[];
  const commonOptions = { seed: SEED, progress: () => {} };
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-flips-'));
    target = await makeFlipTarget(directory, SEED);
    trials = await target.drill({ flips: FLIP_COUNT, cuts: CUT_COUNT, ...commonOptions });
  });
  after(() => {
    target.close();
    rmSync(directory, { recursive: true });
  });

  it('never silently changes data that the server stores, returns or reads', () => {
    expect(trials).to.have.length(FLIP_COUNT + CUT_COUNT);
    expect(trials.filter(({ outcome }) => outcome === 'silently wrong')).to.deep.equal([]);
  });

  it('is tested in several kinds of files, and several of the changes have an effect', () => {
    expect(new Set(trials.map(({ kind }) => kind)).size).to.be.above(3);
    expect(trials.filter(({ outcome }) => outcome !== 'harmless').length).to.be.above(3);
  });

  it('in the keys of imported clients locks out those clients, and is reported', async () => {
    const clientTrials = await target.drill({ flips: 2, cuts: 1, kind: 'clients.keys', ...commonOptions });
    expect(clientTrials.map(({ damage }) => damage)).to.deep.equal(['flip', 'flip', 'cut']);
    expect(new Set(clientTrials.map(({ outcome }) => outcome))).to.deep.equal(new Set(['wrong, reported']));
    for (const { detail } of clientTrials) expect(detail).to.match(/different: .*imported/);
  });
});
