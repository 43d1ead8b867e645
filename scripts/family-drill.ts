import { parseArgs } from 'node:util';
import { REFRESHES_PER_SUMMARY } from '../src/domain/authorization-grant.ts';
import { runFamilyDrill, type Cost, type FamilyCosts } from '../test/support/family-drill.ts';
import { runScript } from './run-script.ts';

const SHORT = 24;
/** Hourly refreshes for a year. */
const YEAR = 8_760;

const USAGE = `Usage: node --import tsx scripts/family-drill.ts [--rotations N] [--json]

Refreshes one grant N times, hourly, and compares its costs with those after ${SHORT} refreshes: how much of the log
the first refresh after a restart reads, with and without an archive; how much the reuse of the first token reads; how
many access tokens are kept; and how much memory the second half of the rotations takes. None of these may grow with N.
Durations are printed, but not checked.

  --rotations N   number of rotations (${YEAR}: hourly for a year)
  --json          print both measurements as JSON
  --help          show this help

Exit status 0: a long family costs no more than a short one. 1: it costs more. 2: usage error.
`;

/** Allows for random variation: the position of the newest summary within a page differs. */
const EXTRA_EVENTS = 4 * REFRESHES_PER_SUMMARY;
const EVENT_CHARACTERS = 1_000;
/** The newest token and its predecessors are kept for about two hours. */
const MAX_ACCESS_TOKENS = 4;
/** Twice the noise of the JavaScript engine, but less than 250 bytes per rotation over half a year. */
const MAX_HEAP_BYTES = 1_048_576;

const ROTATIONS_PER_LINE = 2_000;

interface Options {
  readonly rotations: number;
  readonly json: boolean;
  readonly help: boolean;
}

async function run({ rotations, json }: Options): Promise<number> {
  const print = (line: string): void => void (json ? process.stderr : process.stdout).write(`${line}\n`);
  const drill = (count: number): Promise<FamilyCosts> =>
    runFamilyDrill(
      count,
      (done) => done > 0 && done % ROTATIONS_PER_LINE === 0 && print(`${done} of ${count} rotations`),
    );
  const [shortCosts, longCosts] = [await drill(SHORT), await drill(rotations)];
  if (json) process.stdout.write(`${JSON.stringify([shortCosts, longCosts])}\n`);
  for (const costs of [shortCosts, longCosts]) print(describe(costs));
  const problems = findProblems(shortCosts, longCosts);
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length === 0) print(`${rotations} rotations cost no more than ${SHORT}`);
  return problems.length === 0 ? 0 : 1;
}

function findProblems(shortCosts: FamilyCosts, longCosts: FamilyCosts): readonly string[] {
  const reads = (['refresh', 'archivedRefresh', 'reuse'] as const).flatMap((operation) => {
    const [shortCost, longCost] = [shortCosts[operation], longCosts[operation]];
    const costsMore =
      longCost.events > shortCost.events + EXTRA_EVENTS ||
      longCost.characters > shortCost.characters + EXTRA_EVENTS * EVENT_CHARACTERS;
    return costsMore
      ? [`${operation}: ${longCost.events} events were read, compared with ${shortCost.events} for the short family`]
      : [];
  });
  return [
    ...reads,
    ...limitProblems(longCosts.accessTokens, MAX_ACCESS_TOKENS, 'access tokens kept'),
    ...limitProblems(longCosts.heapBytes, MAX_HEAP_BYTES, 'bytes of heap growth'),
  ];
}

function limitProblems(count: number, limit: number, quantity: string): readonly string[] {
  return count <= limit ? [] : [`${quantity}: ${count}, limit ${limit}`];
}

function describe({ rotations, refresh, archivedRefresh, reuse, accessTokens, heapBytes }: FamilyCosts): string {
  return [
    `${rotations} rotations: ${accessTokens} access tokens kept, ${Math.round(heapBytes / 1024)} KiB heap growth`,
    `  first refresh after a restart   ${describeCost(refresh)}`,
    `  the same from an archive        ${describeCost(archivedRefresh)}`,
    `  first token presented again     ${describeCost(reuse)}`,
  ].join('\n');
}

function describeCost({ events, characters, milliseconds, pauseMilliseconds }: Cost): string {
  const [time, pause] = [milliseconds.toFixed(1), pauseMilliseconds.toFixed(1)];
  return `${events} events, ${characters} characters; ${time} ms, event loop blocked for ${pause} ms`;
}

function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rotations: { type: 'string', default: String(YEAR) },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (!/^[1-9]\d{0,6}$/.test(values.rotations)) throw new Error('--rotations takes a whole number');
  return { ...values, rotations: Number(values.rotations) };
}

await runScript(USAGE, readOptions, run);
