import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runKillDrill, type DrillTotals } from '../test/support/kill-drill.ts';
import { runScript } from './run-script.ts';

const USAGE = `Usage: node --import tsx scripts/kill-drill.ts [--rounds N] [--seed S]

Kills a server (SIGKILL) under load N times on one data directory. After each kill, checks that the restarted
server honors every response: tokens are valid, codes can be redeemed once, refreshes rotate or repeat
identically, proofs and client assertions that were used are refused, positions have no gaps, and the projections
match a replay of the log.

  --rounds N   number of kills (200)
  --seed S     a whole number, to repeat a run (default: random)
  --help       show this help

Exit status 0: nothing was lost. 1: a finding; the data directory is kept for inspection. 2: usage error.
`;

const MAX_SEED = 1_000_000_000;
const ROUNDS_PER_LINE = 10;

async function run({ rounds, seed }: ReturnType<typeof readOptions>): Promise<number> {
  const dataDir = mkdtempSync(join(tmpdir(), 'grantlog-drill-'));
  process.stdout.write(`${rounds} rounds, seed ${seed}, in ${dataDir}\n`);
  try {
    const totals = await runKillDrill({
      dataDir,
      rounds,
      seed,
      progress: (done) => done.rounds % ROUNDS_PER_LINE === 0 && print(done),
    });
    print(totals);
  } catch (error) {
    process.stderr.write(
      `${error instanceof Error ? error.message : String(error)}\nthe data directory is kept: ${dataDir}\n`,
    );
    return 1;
  }
  rmSync(dataDir, { recursive: true });
  process.stdout.write('nothing was lost\n');
  return 0;
}

function readOptions(args: readonly string[]): {
  readonly rounds: number;
  readonly seed: number;
  readonly help: boolean;
} {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '200' },
      seed: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const seed = values.seed ?? String(Math.floor(Math.random() * MAX_SEED));
  if (!/^[1-9]\d{0,5}$/.test(values.rounds) || !/^\d{1,10}$/.test(seed))
    throw new Error('--rounds and --seed take whole numbers');
  return { rounds: Number(values.rounds), seed: Number(seed), help: values.help };
}

function print({ rounds, responses, unanswered, events }: DrillTotals): void {
  process.stdout.write(
    `${rounds} kills: ${responses} responses checked, ${unanswered} requests interrupted, ${events} events\n`,
  );
}

await runScript(USAGE, readOptions, run);
