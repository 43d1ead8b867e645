import { parseArgs } from 'node:util';
import { runLoginDrill, findViolations, type DrillResult, type DrillRow } from '../test/support/login-drill.ts';
import { median, quantile } from './bench/statistics.ts';
import { textTable } from './bench/table.ts';
import { runDrill } from './run-drill.ts';
import { runScript } from './run-script.ts';

const USAGE = `Usage: node --import tsx scripts/login-drill.ts [--flood N] [--attempts N] [--json]

Floods a server with N concurrent logins, and logs in during the flood. There are three floods: one
account with the correct password, one address with unknown users, and N addresses with unknown users.

A flood of one account or from one address must not delay other users: for 99 of 100 logins, at most
a quarter of the flood is hashed first. The same holds for a browser that has logged in before, even
if N addresses flood. Other logins must succeed within 15 seconds or get 503 with Retry-After; half
of the refused logins must succeed when retried at that time. Callers that may have to wait log in half as often.

The drill checks the order of logins, not their duration, because the server, the flood and the
logins share the machine.

  --flood N      concurrent logins in the flood (1100)
  --attempts N   logins of each caller (100)
  --json         print JSON
  --help         show this help

Exit status 0: no login was delayed. 1: a login was delayed. 2: usage error, or the drill cannot run.
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
      const result = await runLoginDrill({ dataDir, flood, attempts, progress });
      const findings = result.rows.flatMap((row) => findViolations(row, flood));
      process.stdout.write(
        json ? `${JSON.stringify({ ...result, found: findings }, null, 2)}\n` : `${formatResult(result)}\n`,
      );
      for (const line of findings) process.stderr.write(`${line}\n`);
      return findings.length === 0 ? 0 : 1;
    },
    2,
  );
}

function formatResult({ baseline, rows, floods }: DrillResult): string {
  const header = [
    'flood',
    'caller',
    'logins',
    'p50 ms',
    'p99 ms',
    'slowest',
    'within 2 s',
    'hashed first (max)',
    'refused',
    'succeeded on retry',
  ];
  return [
    `A login takes ${median(baseline).toFixed(0)} ms without a flood (median of ${baseline.length}).`,
    ...floods.map(
      ({ name, hashesPerSecond, responses }) =>
        `A flood of ${name}: ${hashesPerSecond.toFixed(0)} hashes per second; responses ${JSON.stringify(responses)}.`,
    ),
    '',
    textTable([header, ...rows.map(cells)]),
  ].join('\n');
}

function cells({ flood, caller, attempts }: DrillRow): readonly string[] {
  const durations = attempts.map(({ milliseconds }) => milliseconds).toSorted((a, b) => a - b);
  const promptLogins = attempts.filter(({ milliseconds, statuses }) => statuses[0] === 302 && milliseconds < 2_000);
  const refusedAttempts = attempts.filter(({ statuses }) => statuses[0] === 503);
  const succeededRetries = refusedAttempts.filter(({ statuses }) => statuses[1] === 302);
  return [
    flood,
    caller,
    String(attempts.length),
    ...[0.5, 0.99, 1].map((share) => quantile(durations, share).toFixed(0)),
    String(promptLogins.length),
    String(Math.max(...attempts.map(({ hashesAhead }) => hashesAhead))),
    String(refusedAttempts.length),
    String(succeededRetries.length),
  ];
}

function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
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
