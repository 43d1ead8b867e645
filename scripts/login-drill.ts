import { parseArgs } from 'node:util';
import { loginDrill, violations, type DrillResult, type DrillRow } from '../test/support/login-drill.ts';
import { median, quantile } from './bench/statistics.ts';
import { textTable } from './bench/table.ts';
import { runDrill } from './run-drill.ts';
import { runScript } from './run-script.ts';

const USAGE = `Usage: node --import tsx scripts/login-drill.ts [--flood N] [--attempts N] [--json]

Floods a server with N log-ins in flight, and logs in meanwhile: during a flood of one account with
its right password, of one address with unknown users, and of N addresses with unknown users.

A flood of one account or of one address may not hold up another user: in 99 of 100 log-ins, no more
than a quarter of the flood is hashed before them. The same holds for a browser that has logged in
before when N addresses flood. Other log-ins are let in within fifteen seconds, or refused with 503
and Retry-After; half of those that are refused must be let in when they come back at that time.
Each caller that may have to wait logs in half as often.

What is checked is the order of things, not how long they take: that depends on the machine, which
the server, the flood and the log-ins share.

  --flood N      how many log-ins of the flood are in flight (1100)
  --attempts N   how often each caller logs in (100)
  --json         print JSON
  --help         this text

Exit status 0: nobody was held up. 1: somebody was. 2: wrong usage, or the drill cannot run.
`;

interface Options {
  readonly flood: number;
  readonly attempts: number;
  readonly json: boolean;
  readonly help: boolean;
}

function progress(line: string): void {
  process.stderr.write(`${line}\n`);
}

function run({ flood, attempts, json }: Options): Promise<number> {
  return runDrill(
    'logins',
    async (dataDir) => {
      const result = await loginDrill({ dataDir, flood, attempts, progress });
      const found = result.rows.flatMap((row) => violations(row, flood));
      process.stdout.write(json ? `${JSON.stringify({ ...result, found }, null, 2)}\n` : `${formatResult(result)}\n`);
      for (const line of found) process.stderr.write(`${line}\n`);
      return found.length === 0 ? 0 : 1;
    },
    2,
  );
}

function formatResult({ alone, rows, floods }: DrillResult): string {
  const head = [
    'flood',
    'caller',
    'log-ins',
    'p50 ms',
    'p99 ms',
    'slowest',
    'within 2 s',
    'hashed before, most',
    'refused',
    'let in when told to come back',
  ];
  return [
    `A log-in takes ${median(alone).toFixed(0)} ms without a flood (median of ${alone.length}).`,
    ...floods.map(
      ({ name, hashesPerSecond, answers }) =>
        `A flood of ${name}: ${hashesPerSecond.toFixed(0)} hashes a second; answers ${JSON.stringify(answers)}.`,
    ),
    '',
    textTable([head, ...rows.map(cells)]),
  ].join('\n');
}

function cells({ flood, caller, attempts }: DrillRow): readonly string[] {
  const took = attempts.map(({ milliseconds }) => milliseconds).toSorted((one, other) => one - other);
  const prompt = attempts.filter(({ milliseconds, statuses }) => statuses[0] === 302 && milliseconds < 2_000);
  const refused = attempts.filter(({ statuses }) => statuses[0] === 503);
  const again = refused.filter(({ statuses }) => statuses[1] === 302);
  return [
    flood,
    caller,
    String(attempts.length),
    ...[0.5, 0.99, 1].map((share) => quantile(took, share).toFixed(0)),
    String(prompt.length),
    String(Math.max(...attempts.map(({ hashesAhead }) => hashesAhead))),
    String(refused.length),
    String(again.length),
  ];
}

function readOptions(words: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...words],
    options: {
      flood: { type: 'string', default: '1100' },
      attempts: { type: 'string', default: '100' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (!/^[1-9]\d{1,3}$/.test(values.flood)) throw new Error('--flood takes a whole number from 10 to 9999');
  if (!/^[1-9]\d{0,2}$/.test(values.attempts)) throw new Error('--attempts takes a whole number from 1 to 999');
  return { ...values, flood: Number(values.flood), attempts: Number(values.attempts) };
}

await runScript(USAGE, readOptions, run);
