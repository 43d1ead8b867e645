import { parseArgs } from 'node:util';
import { runRaceDrill } from '../test/support/cluster-drill/races.ts';
import { runRevocationDrill, type RevocationBound } from '../test/support/cluster-drill/revocation-bound.ts';
import { runClusterDrill, lyingClient, type DrillTotals } from '../test/support/cluster-drill/drill.ts';
import { FAULTS, type FaultName } from '../test/support/cluster-drill/faults.ts';
import { printLine, runDrill } from './run-drill.ts';
import { runScript } from './run-script.ts';

const NAMES = Object.keys(FAULTS) as readonly FaultName[];

const USAGE = `Usage: node --import tsx scripts/cluster-drill.ts [OPTIONS]

Runs three nodes of the built server (npm run build) on a temporary PostgreSQL server, under a steady load: client
credentials, codes, refreshes, revocations, introspection and bearer checks, each request to a random node.
Injects a fault in each round, and then checks:

- every token that a client received is in the log once, and no code or refresh token was redeemed twice
- positions and revisions have no gaps, and the log verifies with the same root on every node
- every request ended within 15 s; the worst response was 503 with Retry-After, or none from a killed node
- issued tokens are active on every node, and revoked tokens are refused
- the history of each grant is linearizable; tokens are withheld if the grant ends before the response

Options:
  --faults A,B   names of faults from the list below (all of them)
  --rounds N     rounds of each fault (1)
  --races N      instead of faults: presents N codes or refresh tokens to all nodes at the same time
  --revocations N
                 instead of faults: measures, N times each for introspection and bearer checks, how long other
                 nodes honor a token that was revoked
  --workers N    concurrent clients (8)
  --seed S       a whole number that determines the faults and requests, but not their timing (default: random)
  --self-test    uses a client that reports false tokens; the drill must detect that
  --json         prints the result as JSON
  --help         show this help

Faults:
${NAMES.map((name) => `  ${name.padEnd(16)} ${FAULTS[name].description}`).join('\n')}

Exit status 0: no findings. 1: findings. 2: usage error.
`;

const MAX_SEED = 1_000_000_000;

interface Options {
  readonly help: boolean;
  readonly faults: readonly FaultName[];
  readonly rounds: number;
  readonly workers: number;
  readonly seed: number;
  readonly races: number;
  readonly revocations: number;
  readonly selfTest: boolean;
  readonly json: boolean;
}

await runScript<Options>(USAGE, readOptions, (options) =>
  runDrill('cluster', (directory) => selectMode(options)(directory, options), 1),
);

function selectMode({ races, revocations }: Options): typeof injectFaults {
  if (races > 0) return race;
  return revocations > 0 ? measureRevocations : injectFaults;
}

async function race(directory: string, { races, json }: Options): Promise<number> {
  const progress = (done: number, { length }: readonly string[]): void =>
    json ? undefined : printLine(`${done} races, ${length} findings`);
  const totals = await runRaceDrill({ directory, races, progress });
  const { redemptions, endedMeanwhile, refreshes, statuses, findings } = totals;
  if (json) printLine(JSON.stringify(totals));
  else {
    printLine(`${redemptions} raced redemptions, of which ${endedMeanwhile} ended the grant before the first response`);
    printLine(`${refreshes} raced refreshes`);
    printLine(`responses by status: ${listCounts(statuses)}`);
  }
  return conclude(findings, json);
}

async function measureRevocations(directory: string, { revocations, json }: Options): Promise<number> {
  const progress = (done: number): void => (json ? undefined : printLine(`${done} revocations`));
  const bounds = await runRevocationDrill({ directory, revocations, progress });
  if (json) printLine(JSON.stringify(bounds));
  else {
    printBound('introspection', bounds.introspection);
    printBound('bearer checks', bounds.bearer);
  }
  return conclude(bounds.findings, json);
}

function printBound(check: string, { revocations, accepted, median, p99, longest }: RevocationBound): void {
  printLine(`${check}: after ${accepted} of ${revocations} revocations, another node still accepted the token`);
  printLine(`  all refused it ${median} ms later (median), ${p99} ms (p99), ${longest} ms (longest)`);
}

function conclude(findings: readonly string[], json: boolean): number {
  if (!json) [...findings, `findings: ${findings.length}`].forEach(printLine);
  return findings.length === 0 ? 0 : 1;
}

async function injectFaults(directory: string, options: Options): Promise<number> {
  const { faults, rounds, workers, seed, selfTest, json } = options;
  const print = json ? () => {} : printLine;
  print(`${rounds} rounds of ${faults.join(', ')}; seed ${seed}`);
  const totals = await runClusterDrill({
    directory,
    faults,
    rounds,
    workers,
    seed,
    ...(selfTest ? { disguise: lyingClient } : {}),
    progress: (fault, { rounds: done, tokens, histories }, findings) => {
      print(`${fault} ${done[fault]}: ${tokens} tokens and ${histories} histories so far`);
      if (!selfTest) findings.forEach(print);
    },
  });
  if (json) printLine(JSON.stringify({ seed, ...totals }));
  else printTotals(totals);
  if (selfTest) return hasDetectedLies(totals.findings) ? 0 : 1;
  return totals.findings.length === 0 ? 0 : 1;
}

/** Reports whether both the comparison with the log and the check of the histories found the false tokens. */
function hasDetectedLies(findings: readonly string[]): boolean {
  const isDetected = [/was recorded 0 times/, /no order explains/].every((pattern) =>
    findings.some((finding) => pattern.test(finding)),
  );
  printLine(`the false tokens of the client were ${isDetected ? '' : 'not '}detected`);
  return isDetected;
}

function printTotals(totals: DrillTotals): void {
  const { rounds, tokens, revoked, histories, operations, unknown, statuses, slowestMilliseconds, findings } = totals;
  printLine(`rounds: ${listCounts(rounds)}`);
  printLine(`${tokens} access tokens, ${revoked} of them revoked`);
  printLine(`${histories} histories with ${operations} operations, of which ${unknown} had an unknown outcome`);
  printLine(`responses by status (0: none, from a killed node): ${listCounts(statuses)}`);
  printLine(`slowest request: ${slowestMilliseconds} ms`);
  printLine(`findings: ${findings.length}`);
}

function listCounts(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} × ${count}`)
    .join(', ');
}

function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      faults: { type: 'string', default: NAMES.join(',') },
      rounds: { type: 'string', default: '1' },
      races: { type: 'string', default: '0' },
      revocations: { type: 'string', default: '0' },
      workers: { type: 'string', default: '8' },
      seed: { type: 'string' },
      'self-test': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const { faults, rounds, races, revocations, workers, seed, help, json } = values;
  return {
    help,
    json,
    selfTest: values['self-test'],
    faults: faults.split(',').map(readFault),
    rounds: readNumber('rounds', rounds, 100_000),
    races: readNumber('races', races, 1_000_000),
    revocations: readNumber('revocations', revocations, 1_000_000),
    workers: readNumber('workers', workers, 1_000),
    seed: seed === undefined ? Math.floor(Math.random() * MAX_SEED) : readNumber('seed', seed, MAX_SEED),
  };
}

function readFault(name: string): FaultName {
  const fault = NAMES.find((candidate) => candidate === name);
  if (fault === undefined) throw new Error(`--faults: unknown fault ${name}; use ${NAMES.join(', ')}`);
  return fault;
}

function readNumber(name: string, text: string, highest: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number <= highest) return number;
  throw new Error(`--${name} must be a whole number up to ${highest}, not ${text}`);
}
