import { parseArgs } from 'node:util';
import { countOutcomes, KIND_NAMES, makeFlipTarget, OUTCOMES, type Trial } from '../test/support/flip-drill.ts';
import { inTemporaryDirectory } from './run-drill.ts';
import { runScript } from './run-script.ts';

const USAGE = `Usage: node --import tsx scripts/flip-drill.ts [--flips N] [--cuts N] [--kind K] [--seed S] [--json]

Creates a data directory by killing a server under load. Then, for each trial, copies it and either flips one bit of one
file or truncates one file. Checks the reports of grantlog doctor and log verify, whether a server starts, and the data
and the responses of that server.

  refused             the server refuses to start, with a reason
  aborted             LevelDB aborts the process, at startup or soon after
  harmless            nothing has changed, and nothing reports the damage
  harmless, reported  nothing has changed; startup, the check after it, log verify or doctor reports the damage
  wrong, reported     something has changed, and one of them reports the damage
  in the window       only the last events before the kill are lost: see docs/threat-model.md
  silently wrong      something else has changed, and nothing reports the damage

  --flips N   number of bit flips (1000)
  --cuts N    number of truncations (200)
  --kind K    damage only files of one kind, as named in the first column of the table, such as "clients.keys"
  --seed S    a whole number, to repeat a run (default: random)
  --json      print every trial as a JSON line, and the table on standard error
  --help      show this help

Exit status 0: no trial was silently wrong. 1: a trial was silently wrong. 2: usage error.
`;

const MAX_SEED = 1_000_000_000;
const TRIALS_PER_LINE = 100;

interface Options {
  readonly flips: number;
  readonly cuts: number;
  readonly seed: number;
  readonly kind: string | undefined;
  readonly json: boolean;
  readonly help: boolean;
}

async function run({ flips, cuts, seed, kind, json }: Options): Promise<number> {
  const print = (line: string): void => void (json ? process.stderr : process.stdout).write(`${line}\n`);
  print(`${flips} flips and ${cuts} cuts, seed ${seed}`);
  return inTemporaryDirectory('flips', async (directory) => {
    const progress = (completedTrials: readonly Trial[]): void => {
      if (json) process.stdout.write(`${JSON.stringify(completedTrials.at(-1))}\n`);
      if (completedTrials.length % TRIALS_PER_LINE === 0) print(`${completedTrials.length} of ${flips + cuts}`);
    };
    const target = await makeFlipTarget(directory, seed);
    const trials = await target.drill({ flips, cuts, seed, kind, progress }).finally(target.close);
    print(formatTable(trials));
    const silentTrials = trials.filter(({ outcome }) => outcome === 'silently wrong');
    for (const { location, detail } of silentTrials) process.stderr.write(`silently wrong: ${location}: ${detail}\n`);
    return silentTrials.length === 0 ? 0 : 1;
  });
}

function formatTable(trials: readonly Trial[]): string {
  const countsByKind = countOutcomes(trials);
  const rows = [...countsByKind].map(
    ([kind, counts]) => [kind, ...OUTCOMES.map((outcome) => counts[outcome])] as const,
  );
  const totals = ['all', ...OUTCOMES.map((_, index) => rows.reduce((sum, row) => sum + Number(row[index + 1]), 0))];
  const lines = [['file', ...OUTCOMES], ['---', ...OUTCOMES.map(() => '--:')], ...rows, totals];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      flips: { type: 'string', default: '1000' },
      cuts: { type: 'string', default: '200' },
      seed: { type: 'string' },
      kind: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const seed = values.seed ?? String(Math.floor(Math.random() * MAX_SEED));
  if (![values.flips, values.cuts].every((count) => /^\d{1,6}$/.test(count)) || !/^\d{1,9}$/.test(seed)) {
    throw new Error('--flips, --cuts and --seed take whole numbers');
  }
  if (values.kind !== undefined && !KIND_NAMES.includes(values.kind)) {
    throw new Error(`--kind takes one of these: ${KIND_NAMES.join('; ')}`);
  }
  return { ...values, kind: values.kind, flips: Number(values.flips), cuts: Number(values.cuts), seed: Number(seed) };
}

await runScript(USAGE, readOptions, run);
