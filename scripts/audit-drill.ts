import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { runAuditDrill } from '../test/support/audit-drill/audit-drill.ts';
import { VIOLATIONS } from '../test/support/audit-drill/violations.ts';
import { printLine, statusOf } from './run-drill.ts';
import { runScript } from './run-script.ts';

const USAGE = `Usage: node --import tsx scripts/audit-drill.ts [--events N] [--seed S]

Audits two logs that consist mostly of token exchanges: users and clients authorize, clients exchange their tokens
up to four times, with and without actors, and grants are revoked. The audit must have no findings in the first log.
The second log has ${VIOLATIONS.length} violations at random positions. The audit must find exactly these, each with its
rule and its position.

  --events N   events in each log (1000000)
  --seed S     a whole number that determines the events (default: random)
  --help       show this help

Exit status 0: the findings are as expected. 1: they are not. 2: usage error.
`;

const MAX_SEED = 1_000_000_000;

async function run({ events, seed }: ReturnType<typeof readOptions>): Promise<number> {
  printLine(`seed ${seed}`);
  let status = 0;
  for (const plantViolations of [false, true]) {
    const { summary, planted, findings } = await runAuditDrill({
      events,
      seed,
      plantViolations,
      progress: printProgress,
    });
    const exchanges = summary.eventsByType['TokenExchanged'] ?? 0;
    printLine(
      `${summary.events} events, ${exchanges} exchanges, ${planted} violations; ` +
        `${summary.rules} rules, ${summary.findings} findings, ${summary.notices} notices`,
    );
    for (const finding of findings) process.stderr.write(`${finding}\n`);
    if (findings.length > 0) status = 1;
  }
  return status;
}

function printProgress(events: number): void {
  printLine(`${events} events`);
}

function readOptions(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      events: { type: 'string', default: '1000000' },
      seed: { type: 'string', default: String(randomInt(MAX_SEED)) },
      help: { type: 'boolean', default: false },
    },
  });
  for (const name of ['events', 'seed'] as const)
    if (!/^\d{1,9}$/.test(values[name])) throw new Error(`--${name} takes a whole number`);
  return { events: Number(values.events), seed: Number(values.seed), help: values.help };
}

await runScript(USAGE, readOptions, (options) => statusOf(() => run(options), 1));
