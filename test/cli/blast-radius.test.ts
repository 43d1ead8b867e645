import { Command } from 'commander';
import { expect } from 'chai';
import { blastRadiusCommand } from '../../src/cli/blast-radius.ts';
import type { CliContext } from '../../src/cli/context.ts';

const AT = 1_800_000_000;
const ISO = '2027-01-15T08:00:00.000Z';
const ROWS = [
  { grant: 'a', tokens: 1, expires_at: AT },
  { grant: 'b', tokens: 1, expires_at: null },
];
const WITH_ISO = [
  { ...ROWS[0], expires_at_iso: ISO },
  { ...ROWS[1], expires_at_iso: null },
];
const ENDED = { stopped: 'none', problem: null, client_secret: null, left: 0 };

/** Runs the command with an operation that yields these items, and returns the JSON. */
async function jsonOf(items: readonly unknown[], options: readonly string[]): Promise<unknown> {
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
  it('repeats each time of its JSON in ISO 8601', async () => {
    expect(await jsonOf([{ as_of: 7, at: AT }, ...ROWS], [])).to.deep.equal({
      as_of: 7,
      at: AT,
      at_iso: ISO,
      affected: WITH_ISO,
    });
    expect(await jsonOf([{ ...ENDED, ended: ROWS }], ['--end', '--yes'])).to.deep.equal({ ...ENDED, ended: WITH_ISO });
  });
});
