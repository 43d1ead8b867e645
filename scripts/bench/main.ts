import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readArguments, USAGE, type BenchOptions } from './arguments.ts';
import { CHECKOUT } from './checkout.ts';
import { comparedCells, remarksOn } from './compared.ts';
import { bareKoa } from './contenders/bare-koa.ts';
import type { Contender, Surroundings } from './contenders/contender.ts';
import { grantlog } from './contenders/grantlog.ts';
import { separateCores } from './cores.ts';
import { startLoad } from './load/load.ts';
import { describeMachine, machineLine } from './machine.ts';
import { MOST_REQUESTS_A_SECOND, runRounds, WARM_ANSWERS } from './rounds.ts';
import { ROW_NAMES, type RowName } from './rows.ts';
import { markdownTable, textTable } from './table.ts';

async function main(words: readonly string[]): Promise<number> {
  const options = read(words);
  if (options === undefined) return 2;
  if (options.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const directory = mkdtempSync(join(options.data ?? tmpdir(), 'grantlog-bench-'));
  try {
    await compare(options, directory);
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function read(words: readonly string[]): BenchOptions | undefined {
  try {
    return readArguments(words);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    return undefined;
  }
}

async function compare(options: BenchOptions, directory: string): Promise<void> {
  build();
  const cores = separateCores();
  const machine = describeMachine(directory, cores);
  say(machineLine(machine));
  const load = startLoad(cores?.load);
  const contenders: Contender[] = [];
  try {
    const surroundings = { directory, cores, connections: options.connections, requests: mostRequests(options) };
    for (const start of [bareKoa, grantlog]) contenders.push(await start(surroundings));
    const results = await runRounds(options, contenders, load, say);
    const figures = { measuredAt: new Date().toISOString(), machine, options, results };
    keep(options, figures);
    const cells = comparedCells(results);
    const remarks = remarksOn(results);
    process.stdout.write(options.print === 'json' ? `${JSON.stringify(figures, null, 2)}\n` : `${[
      machineLine(machine), `${options.connections} connections, medians of ${options.rounds} interleaved rounds of ${options.seconds} s`, '',
      options.print === 'markdown' ? markdownTable(cells) : textTable(cells), ...(remarks.length === 0 ? [] : ['', ...remarks]),
    ].join('\n')}\n`);
  } finally {
    load.end();
    for (const contender of contenders) await contender.end();
  }
}

/** What is measured is what users start. */
function build(): void {
  const { status } = spawnSync('npm', ['run', '-s', 'build'], { cwd: CHECKOUT, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw new Error('the build failed');
}

function mostRequests({ rows, rounds, seconds, warmUpSeconds }: BenchOptions): Surroundings['requests'] {
  const each = Math.ceil((rounds * seconds + warmUpSeconds) * MOST_REQUESTS_A_SECOND) + WARM_ANSWERS;
  return Object.fromEntries(ROW_NAMES.map((row) => [row, rows.includes(row) ? each : 0])) as Record<RowName, number>;
}

function keep({ save }: BenchOptions, figures: { readonly measuredAt: string }): void {
  const text = `${JSON.stringify(figures, null, 2)}\n`;
  const kept = join(CHECKOUT, 'bench-results', `compared-${figures.measuredAt.replaceAll(/[:.]/g, '-')}.json`);
  for (const file of [kept, ...(save === undefined ? [] : [save])]) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

process.exitCode = await main(process.argv.slice(2));
