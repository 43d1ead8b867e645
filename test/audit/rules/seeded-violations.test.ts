import { expect } from 'chai';
import { runAuditDrill } from '../../support/audit-drill/audit-drill.ts';
import { VIOLATIONS } from '../../support/audit-drill/violations.ts';

/** Small, because `.ci/run` also runs `scripts/audit-drill.ts` with more events. */
const EVENTS = 10_000;
const SEED = 20_260_101;

describe('The audit of a log with thousands of exchanges', function () {
  this.timeout(60_000);

  it('reports nothing in a sound log', async () => {
    const { summary, findings } = await runAuditDrill({ events: EVENTS, seed: SEED, plantViolations: false });
    expect(findings).to.deep.equal([]);
    expect(summary).to.include({ findings: 0, notices: 0 });
    expect(summary.eventsByType['TokenExchanged']).to.be.greaterThan(EVENTS / 5);
  });

  it('reports each seeded violation at its position, and nothing else', async () => {
    const { planted, findings } = await runAuditDrill({ events: EVENTS, seed: SEED, plantViolations: true });
    expect(findings).to.deep.equal([]);
    expect(planted).to.equal(VIOLATIONS.length).and.at.least(15);
  });
});
