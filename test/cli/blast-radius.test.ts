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
const CLIENTS = [
  { client_id: 'confidential', auth_methods: ['client_secret_basic', 'client_secret_post'] },
  { client_id: 'public', auth_methods: ['none'] },
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

  it('says before it asks whether the source can be stopped', async () => {
    const SUFFIX = 'everything that came from the source will end: 2 grants with 2 tokens';
    for (const [consequence, ...source] of [
      ['the source will be stopped, and ', '--client', 'confidential'],
      ['the source cannot be stopped, because it has no secret to replace, but ', '--client', 'public'],
      ['the source cannot be stopped, because it has no secret to replace, but ', '--client', 'removed'],
      ['the source will be stopped, and ', '--session', 's1'],
      ['', '--grant', 'g1'],
    ] as const) {
      const questions: string[] = [];
      const context: CliContext = {
        terminal: {
          out: async () => {},
          err: () => {},
          readInput: async () => '',
          signal: new AbortController().signal,
          ask: async (question) => {
            questions.push(question);
            return 'n';
          },
        },
        async *call(operation) {
          if (operation === 'log blast-radius') yield* [{ as_of: 7, at: TIME }, ...ROWS];
          if (operation === 'client list') yield* CLIENTS;
        },
      };
      const program = new Command();
      blastRadiusCommand(program, context);
      const answer = program.parseAsync(['blast-radius', '--end', ...source], { from: 'user' });
      expect(String(await answer.catch((error: unknown) => error))).to.include('not confirmed; nothing was changed');
      expect(questions).to.deep.equal([`This cannot be undone: ${consequence}${SUFFIX}. Continue? [y/N] `]);
    }
  });
});
