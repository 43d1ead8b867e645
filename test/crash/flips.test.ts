import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { flipDrill, type Trial } from '../support/flip-drill.ts';

const SEED = 20_260_101;

describe('a flipped bit and a file cut short, in any file of a data directory', function () {
  this.timeout(300_000);

  let trials: readonly Trial[];
  let workplace: string;
  before(async () => {
    workplace = mkdtempSync(join(tmpdir(), 'grantlog-flips-'));
    trials = await flipDrill({ workplace, flips: 24, cuts: 8, seed: SEED, progress: () => {} });
  });
  after(() => rmSync(workplace, { recursive: true }));

  it('never change what the server holds, answers or reads without a word about it', () => {
    expect(trials).to.have.length(32);
    expect(trials.filter(({ outcome }) => outcome === 'silently wrong')).to.deep.equal([]);
  });

  it('are met in many kinds of files, and change something in some', () => {
    expect(new Set(trials.map(({ kind }) => kind)).size).to.be.above(8);
    expect(trials.filter(({ outcome }) => outcome !== 'harmless').length).to.be.above(10);
  });
});
