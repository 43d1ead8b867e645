import { expect } from 'chai';
import { ENGINE_NAMES } from '../support/forest-drill/engines.ts';
import { runForestDrill } from '../support/forest-drill/forest.ts';
import { raceChains } from '../support/forest-drill/races.ts';

/** Kept small because there are four engines. `.ci/run` runs `scripts/forest-drill.ts` with more operations. */
const OPERATIONS = 150;
const RACES = 20;
const SEED = 20_260_101;

for (const engine of ENGINE_NAMES) {
  describe(`A random forest of exchanged tokens on the ${engine} engine`, function () {
    this.timeout(300_000);

    it('agrees with the model after every operation', async () => {
      const { findings, exchanges, refusals, ends, deepest } = await runForestDrill({
        engine,
        operations: OPERATIONS,
        seed: SEED,
      });
      expect(findings).to.deep.equal([]);
      expect([exchanges > 10, refusals > 10, ends > 3, deepest > 1]).to.deep.equal([true, true, true, true]);
    });

    it('is not extended once its root is revoked, whatever the order of concurrent requests', async () => {
      const { findings, extensionsBeforeEnd, refusedExtensions } = await raceChains({
        engine,
        races: RACES,
        seed: SEED,
      });
      expect(findings).to.deep.equal([]);
      expect(extensionsBeforeEnd + refusedExtensions).to.equal(2 * RACES);
    });
  });
}
