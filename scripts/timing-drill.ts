import { parseArgs } from 'node:util';
import { runTimingDrill, type Comparison } from '../test/support/timing-drill.ts';
import { runDrill } from './run-drill.ts';
import { runScript } from './run-script.ts';

const USAGE = `Usage: node --import tsx scripts/timing-drill.ts [--samples N] [--json]

Tests whether responses or their timing reveal that a client id or a user name exists. Sends a server
in another process the same incorrect secret alternately for an unknown and an existing client, and the
same incorrect password alternately for an unknown and an existing user.

Each row compares N responses of each kind. "larger" is the share of pairs in which the response for
the existing one took longer (Mann-Whitney U; 0.5 means no difference), and "z" is its distance from 0.5
in standard deviations. Beyond 4, the two are distinguishable; by chance, this happens once in 16,000
rows. Four times as many samples detect half the difference.

  --samples N  number of samples of each kind (60, which takes about 15 seconds)
  --json       print JSON
  --help       show this help

Exit status 0: indistinguishable. 1: distinguishable. 2: usage error, or the drill cannot run.
`;

/** In standard deviations. */
const BOUND = 4;

function run({ samples, json }: ReturnType<typeof readOptions>): Promise<number> {
  return runDrill(
    'timing',
    async (dataDir) => {
      const comparisons = await runTimingDrill({ dataDir, samples });
      const rows = comparisons.map((row) => ({ ...row, apart: !row.sameBytes || Math.abs(row.z) > BOUND }));
      process.stdout.write(json ? `${JSON.stringify(rows, null, 2)}\n` : formatTable(rows));
      return rows.some(({ apart }) => apart) ? 1 : 0;
    },
    2,
  );
}

function formatTable(rows: readonly (Comparison & { readonly apart: boolean })[]): string {
  const nameWidth = Math.max(...rows.map(({ name }) => name.length));
  const line = (name: string, ...cells: readonly string[]): string =>
    `${name.padEnd(nameWidth)}${cells.map((cell) => cell.padStart(13)).join('')}\n`;
  return (
    line('', 'unknown ms', 'existing ms', 'larger', 'z', '') +
    rows
      .map(({ name, medians, larger, z, sameBytes, apart }) => {
        const result = sameBytes ? (apart ? 'TIMING' : 'equal') : 'BYTES';
        return line(name, medians[0].toFixed(3), medians[1].toFixed(3), larger.toFixed(3), z.toFixed(2), result);
      })
      .join('')
  );
}

function readOptions(args: readonly string[]): {
  readonly samples: number;
  readonly json: boolean;
  readonly help: boolean;
} {
  const { values } = parseArgs({
    args: [...args],
    options: {
      samples: { type: 'string', default: '60' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (!/^[1-9]\d{1,5}$/.test(values.samples)) throw new Error('--samples must be a whole number from 10 to 999999');
  return { samples: Number(values.samples), json: values.json, help: values.help };
}

await runScript(USAGE, readOptions, run);
