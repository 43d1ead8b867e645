import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { ENGINE_NAMES, type EngineName } from '../test/support/forest-drill/engines.ts';
import { runForestDrill } from '../test/support/forest-drill/forest.ts';
import { raceChains } from '../test/support/forest-drill/races.ts';
import { printLine, statusOf } from './run-drill.ts';
import { runScript } from './run-script.ts';

const USAGE = `Usage: node --import tsx scripts/forest-drill.ts [OPTIONS]

Tests delegation with random operations, over HTTP, on each engine of the event log:

- forests: users and clients authorize, clients exchange tokens at any depth, with and without actors; grants are
  revoked, clients removed, accounts disabled and erased, policies changed, and time passes. Each response, and the
  validity, scope and expiry of random tokens after each operation, must agree with a small model
- races: a chain is extended while its root is being revoked; no token may be valid afterwards, and no exchange may be
  recorded after the revocation

The log of each run must pass the audit.

  --operations N   operations of the forest (10000); 0 for none
  --races N        races (10000); 0 for none
  --engines A,B    engines from this list: ${ENGINE_NAMES.join(', ')} (all)
                   postgres: two nodes on one PostgreSQL; nodes: three nodes on a shared log in memory
  --seed S         a whole number that determines the operations (default: random)
  --help           show this help

Exit status 0: no findings. 1: findings. 2: usage error.
`;

const MAX_SEED = 1_000_000_000;
const MAX_PRINTED = 20;

interface Options {
  readonly operations: number;
  readonly races: number;
  readonly engines: readonly EngineName[];
  readonly seed: number;
  readonly help: boolean;
}

async function run({ operations, races, engines, seed }: Options): Promise<number> {
  printLine(`seed ${seed}`);
  const findings: string[] = [];
  for (const engine of engines) {
    if (operations > 0) {
      const print = (done: number, { exchanges, refusals, ends }: Awaited<ReturnType<typeof runForestDrill>>): void =>
        printLine(`${engine}: ${done} operations, ${exchanges} exchanges, ${refusals} refusals, ${ends} ends`);
      const totals = await runForestDrill({ engine, operations, seed, progress: print });
      print(operations, totals);
      printLine(`${engine}: ${totals.checks} checks, chains up to ${totals.deepest} deep`);
      findings.push(...totals.findings.map((finding) => `${engine}: ${finding}`));
    }
    if (races > 0) {
      const print = (
        done: number,
        { extensionsBeforeEnd, refusedExtensions }: Awaited<ReturnType<typeof raceChains>>,
      ): void =>
        printLine(
          `${engine}: ${done} races, ${extensionsBeforeEnd} extensions before the end, ${refusedExtensions} refused`,
        );
      const totals = await raceChains({ engine, races, seed, progress: print });
      print(races, totals);
      findings.push(...totals.findings.map((finding) => `${engine}: ${finding}`));
    }
  }
  for (const finding of findings.slice(0, MAX_PRINTED)) process.stderr.write(`${finding}\n`);
  printLine(`findings: ${findings.length}`);
  return findings.length === 0 ? 0 : 1;
}

function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      operations: { type: 'string', default: '10000' },
      races: { type: 'string', default: '10000' },
      engines: { type: 'string', default: ENGINE_NAMES.join(',') },
      seed: { type: 'string', default: String(randomInt(MAX_SEED)) },
      help: { type: 'boolean', default: false },
    },
  });
  const engines = values.engines.split(',').map((name) => {
    const engine = ENGINE_NAMES.find((candidate) => candidate === name);
    if (engine === undefined) throw new Error(`--engines: ${name} is not one of ${ENGINE_NAMES.join(', ')}`);
    return engine;
  });
  for (const name of ['operations', 'races', 'seed'] as const)
    if (!/^\d{1,9}$/.test(values[name])) throw new Error(`--${name} takes a whole number`);
  const { operations, races, seed, help } = values;
  return { operations: Number(operations), races: Number(races), seed: Number(seed), engines, help };
}

await runScript(USAGE, readOptions, (options) => statusOf(() => run(options), 1));
