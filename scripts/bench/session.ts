import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHECKOUT } from './checkout.ts';
import { separateCores, type Cores } from './cores.ts';
import { describeMachine, machineLine, type Machine } from './machine.ts';
import type { Cells } from './table.ts';

/** What every kind of measurement is given. */
export interface Session {
  /** Empty; removed afterwards. */
  readonly directory: string;
  readonly cores: Cores | undefined;
  readonly machine: Machine;
  /** Tells who waits what is going on. */
  report(line: string): void;
}

/** What a measurement came to. */
export interface BenchResult {
  /** How it was measured, in a sentence. */
  readonly method: string;
  readonly cells: Cells;
  /** What a reader should know before believing it. */
  readonly remarks: readonly string[];
  /** All of it, for programs. */
  readonly figures: unknown;
}

/** Builds, for what is measured is what users start, and cleans up after `measure`. */
export async function withSession(
  data: string | undefined,
  measure: (session: Session) => Promise<BenchResult>,
): Promise<BenchResult & Pick<Session, 'machine'>> {
  build();
  const directory = mkdtempSync(join(data ?? tmpdir(), 'grantlog-bench-'));
  const cleanUp = (): void => rmSync(directory, { recursive: true, force: true });
  process.on('exit', cleanUp);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1)); // what ends with this process is ended
  try {
    const cores = separateCores();
    const machine = describeMachine(directory);
    say(machineLine(machine));
    return { ...(await measure({ directory, cores, machine, report: say })), machine };
  } finally {
    process.off('exit', cleanUp);
    cleanUp();
  }
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

function build(): void {
  const { status } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
    cwd: CHECKOUT,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Error('the build failed');
}
