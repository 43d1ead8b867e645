import { parseArgs } from 'node:util';
import { ROTATIONS_PER_SUMMARY } from '../src/domain/authorization-grant.ts';
import { familyDrill, type Cost, type FamilyCosts } from '../test/support/family-drill.ts';
import { runScript } from './run-script.ts';

const SHORT = 24;
/** Hourly refreshes for a year. */
const YEAR = 8_760;

const USAGE = `Usage: node --import tsx scripts/family-drill.ts [--rotations N] [--json]

Refreshes one grant N times, an hour between two refreshes, and compares what it costs then with what it costs
after ${SHORT} of them: what the first refresh after a restart reads of the log, also of an archived one, what the
reuse of the first token reads, how many access tokens are held, and how much memory the second half of the
rotations took. Nothing of that may grow with N. Times are printed and not judged.

  --rotations N   how many (${YEAR}: every hour of a year)
  --json          both measurements as JSON
  --help          this text

Exit status 0: a long family costs no more than a short one. 1: it does. 2: wrong usage.
`;

/** Read more by chance: where in its pages the newest summary lies. */
const EXTRA_EVENTS = 4 * ROTATIONS_PER_SUMMARY;
const EVENT_CHARACTERS = 1_000;
/** As many as end within the two hours in which the newest tokens and those before them are held. */
const MAX_ACCESS_TOKENS = 4;
/** The engine's own noise is half of it; 250 bytes kept for each rotation of half a year are more. */
const MAX_HEAP_BYTES = 1_048_576;

const ROTATIONS_PER_LINE = 2_000;

interface Options {
  readonly rotations: number;
  readonly json: boolean;
  readonly help: boolean;
}

async function run({ rotations, json }: Options): Promise<number> {
  const say = (line: string): void => void (json ? process.stderr : process.stdout).write(`${line}\n`);
  const drill = (count: number): Promise<FamilyCosts> =>
    familyDrill(count, (done) => done > 0 && done % ROTATIONS_PER_LINE === 0 && say(`${done} of ${count} rotations`));
  const [short, long] = [await drill(SHORT), await drill(rotations)];
  if (json) process.stdout.write(`${JSON.stringify([short, long])}\n`);
  for (const costs of [short, long]) say(describe(costs));
  const problems = findProblems(short, long);
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length === 0) say(`${rotations} rotations cost no more than ${SHORT}`);
  return problems.length === 0 ? 0 : 1;
}

function findProblems(short: FamilyCosts, long: FamilyCosts): readonly string[] {
  const reads = (['refresh', 'archivedRefresh', 'reuse'] as const).flatMap((what) => {
    const isMore =
      long[what].events > short[what].events + EXTRA_EVENTS ||
      long[what].characters > short[what].characters + EXTRA_EVENTS * EVENT_CHARACTERS;
    return isMore ? [`${what}: ${long[what].events} events were read, ${short[what].events} of the short family`] : [];
  });
  return [
    ...reads,
    ...exceeds(long.accessTokens, MAX_ACCESS_TOKENS, 'access tokens held'),
    ...exceeds(long.heapBytes, MAX_HEAP_BYTES, 'bytes of memory that the rotations left'),
  ];
}

function exceeds(count: number, most: number, of: string): readonly string[] {
  return count <= most ? [] : [`${of}: ${count}, and at most ${most} should be`];
}

function describe({ rotations, refresh, archivedRefresh, reuse, accessTokens, heapBytes }: FamilyCosts): string {
  return [
    `${rotations} rotations: ${accessTokens} access tokens held, ${Math.round(heapBytes / 1024)} KiB more heap`,
    `  first refresh after a restart   ${describeCost(refresh)}`,
    `  the same, archived              ${describeCost(archivedRefresh)}`,
    `  first token presented again     ${describeCost(reuse)}`,
  ].join('\n');
}

function describeCost({ events, characters, milliseconds, pauseMilliseconds }: Cost): string {
  const [time, pause] = [milliseconds.toFixed(1), pauseMilliseconds.toFixed(1)];
  return `${events} events, ${characters} characters; ${time} ms, others waited ${pause} ms`;
}

function readOptions(words: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...words],
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
