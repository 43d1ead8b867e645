import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runKillDrill } from '../support/kill-drill.ts';

/** Small, because each round starts a process. `.ci/run` runs `scripts/kill-drill.ts` with more rounds. */
const ROUNDS = 3;
const SEED = 20_260_101;

describe('a server killed under load', function () {
  this.timeout(300_000);

  let dataDir: string;
  before(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'grantlog-kill-'));
  });
  after(() => rmSync(dataDir, { recursive: true }));

  it('keeps every acknowledged token, code redemption and rotation, and leaves no gaps between positions', async () => {
    const { rounds, responses } = await runKillDrill({ dataDir, rounds: ROUNDS, seed: SEED });
    expect(rounds).to.equal(ROUNDS);
    expect(responses).to.be.above(ROUNDS);
  });
});
