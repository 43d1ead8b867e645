import { parseArgs } from 'node:util';
import { timingDrill, type Comparison } from '../test/support/timing-drill.ts';
import { runDrill } from './run-drill.ts';
import { runScript } from './run-script.ts';

const USAGE = `Usage: node --import tsx scripts/timing-drill.ts [--samples N] [--json]

Tries to tell by the answers, and by how long they take, whether a client id or a user name exists:
sends a server in another process the same wrong secret for an unknown client and for a known one,
and the same wrong password for an unknown user and for a known one, in turns.

Each row compares N answers of one kind with N of the other. "larger" is how often one of the known
kind took longer than one of the unknown kind (Mann and Whitney's U; 0.5: neither tends to), "z" how
many standard deviations that is from 0.5. Beyond 4 the two can be told apart; samples of one and
the same kind come out beyond it once in 16,000 rows. The more samples, the smaller the difference
that is found: to halve it, take four times as many.

  --samples N  how many of each kind (60: a quarter of a minute)
  --json       print JSON
  --help       this text

Exit status 0: nothing can be told apart. 1: something can. 2: wrong usage, or the drill cannot run.
`;

/** Standard deviations. */
const BOUND = 4;

function run({ samples, json }: ReturnType<typeof readOptions>): Promise<number> {
  return runDrill(
    'timing',
    async (dataDir) => {
      const compared = await timingDrill({ dataDir, samples });
      const rows = compared.map((row) => ({ ...row, apart: !row.sameBytes || Math.abs(row.z) > BOUND }));
      process.stdout.write(json ? `${JSON.stringify(rows, null, 2)}\n` : table(rows));
      return rows.some(({ apart }) => apart) ? 1 : 0;
    },
    2,
  );
}

function table(rows: readonly (Comparison & { readonly apart: boolean })[]): string {
  const widest = Math.max(...rows.map(({ name }) => name.length));
  const line = (name: string, ...cells: readonly string[]): string =>
    `${name.padEnd(widest)}${cells.map((cell) => cell.padStart(11)).join('')}\n`;
  return (
    line('', 'unknown ms', 'known ms', 'larger', 'z', '') +
    rows
      .map(({ name, medians, larger, z, sameBytes, apart }) => {
        const verdict = sameBytes ? (apart ? 'TIME TELLS' : 'alike') : 'BYTES TELL';
        return line(name, medians[0].toFixed(3), medians[1].toFixed(3), larger.toFixed(3), z.toFixed(2), verdict);
      })
      .join('')
  );
}

function readOptions(words: readonly string[]): {
  readonly samples: number;
  readonly json: boolean;
  readonly help: boolean;
} {
  const { values } = parseArgs({
    args: [...words],
    options: {
      samples: { type: 'string', default: '60' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (!/^[1-9]\d{1,5}$/.test(values.samples)) throw new Error('--samples takes a whole number, 10 or more');
  return { samples: Number(values.samples), json: values.json, help: values.help };
}

await runScript(USAGE, readOptions, run);
