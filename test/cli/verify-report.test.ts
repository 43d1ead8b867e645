import { expect } from 'chai';
import { createVerifyReport } from '../../src/cli/verify-report.ts';
import type { Position } from '../../src/event-store/event-log.ts';

const AUDIT = { events: 3, position: 3 as Position, eventsByType: {}, rules: 40, findings: 1, notices: 0 };
const LOG = { size: 3, root: 'abc', checkpoints: 1, tiles: 0 };
const POSITION = 2 as Position;
const FINDING = {
  position: POSITION,
  stream: 'grant-x',
  severity: 'finding',
  message: 'odd',
  rule: 'some-rule',
} as const;

describe('A verification report', () => {
  async function print(
    json: boolean,
    ...items: readonly Parameters<ReturnType<typeof createVerifyReport>['add']>[0][]
  ) {
    let output = '';
    const out = async (text: string): Promise<void> => void (output += text);
    const report = createVerifyReport({ out }, json ? { json: true } : {});
    for (const item of items) await report.add(item);
    await report.end();
    return output;
  }

  it('is one JSON object with the members of both summaries and all problems', async () => {
    expect(JSON.parse(await print(true, FINDING, AUDIT, LOG))).to.deep.equal({
      ...AUDIT,
      ...LOG,
      problems: [FINDING],
    });
    const damage = { damage: 'a byte changed', position: 2 };
    expect(JSON.parse(await print(true, damage))).to.deep.equal({ problems: [damage] });
  });

  it('has one line for each result without --json', async () => {
    expect((await print(false, FINDING, AUDIT, LOG)).split('\n')).to.deep.equal([
      'finding at position 2 in grant-x: odd (rule: some-rule)',
      '3 events checked against 40 rules: 1 finding, 0 notices',
      'root abc of 3 records, verified against 1 checkpoint and 0 tiles',
      '',
    ]);
    expect(await print(false, { ...AUDIT, findings: 0 })).to.equal(
      '3 events checked against 40 rules: 0 findings, 0 notices (no event violates a rule)\n',
    );
  });
});
