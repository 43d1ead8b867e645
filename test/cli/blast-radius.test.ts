import { Command } from 'commander';
import { expect } from 'chai';
import { blastRadiusCommand } from '../../src/cli/blast-radius.ts';
import type { CliContext } from '../../src/cli/context.ts';

const TIME = 1_800_000_000;
const ISO_TIME = '2027-01-15T08:00:00.000Z';
const ROWS = [
  { grant: 'a', tokens: 1, expires_at: TIME },
  { grant: 'b', tokens: 1, expires_at: null },
];
const ROWS_WITH_ISO = [
  { ...ROWS[0], expires_at_iso: ISO_TIME },
  { ...ROWS[1], expires_at_iso: null },
];
const END_RESULT = { stopped: 'none', problem: null, client_secret: null, left: 0 };

/** Runs the command with an operation that yields these items, and returns its JSON output. */
async function runForJson(items: readonly unknown[], options: readonly string[]): Promise<unknown> {
  let output = '';
  const out = async (text: string): Promise<void> => void (output += text);
  const context: CliContext = {
    terminal: { out, err: () => {}, readInput: async () => '', signal: new AbortController().signal },
    async *call() {
      yield* items;
    },
  };
  const program = new Command();
  blastRadiusCommand(program, context);
  await program.parseAsync(['blast-radius', '--grant', 'a', '--json', ...options], { from: 'user' });
  return JSON.parse(output);
}

describe('grantlog log blast-radius', () => {
  it('repeats each time in its JSON output in ISO 8601', async () => {
    expect(await runForJson([{ as_of: 7, at: TIME }, ...ROWS], [])).to.deep.equal({
      as_of: 7,
      at: TIME,
      at_iso: ISO_TIME,
      affected: ROWS_WITH_ISO,
    });
    expect(await runForJson([{ ...END_RESULT, ended: ROWS }], ['--end', '--yes'])).to.deep.equal({
      ...END_RESULT,
      ended: ROWS_WITH_ISO,
    });
  });
});
