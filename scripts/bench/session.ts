import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildCheckout, CHECKOUT } from './checkout.ts';
import { chooseCores, type Cores } from './cores.ts';
import { describeMachine, machineLine, type Machine } from './machine.ts';
import type { Cells } from './table.ts';

/** The environment of a measurement. */
export interface Session {
  /** An empty directory, removed afterwards. */
  readonly directory: string;
  readonly cores: Cores | undefined;
  readonly machine: Machine;
  /** Reports progress. */
  report(line: string): void;
}

/** The result of a measurement. */
export interface BenchResult {
  /** The method of measurement, in one sentence. */
  readonly method: string;
  readonly cells: Cells;
  /** Caveats for the reader. */
  readonly remarks: readonly string[];
  /** All figures, for programs. */
  readonly figures: unknown;
}

/** Builds the server, runs `measure`, and cleans up. */
export async function withSession(
  data: string | undefined,
  measure: (session: Session) => Promise<BenchResult>,
): Promise<BenchResult & Pick<Session, 'machine'>> {
  buildCheckout(CHECKOUT);
  const directory = mkdtempSync(join(data ?? tmpdir(), 'grantlog-bench-'));
  const cleanUp = (): void => rmSync(directory, { recursive: true, force: true });
  process.on('exit', cleanUp);
  // `process.exit` runs the exit handlers, which kill child processes.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  try {
    const cores = chooseCores();
    const machine = describeMachine(directory);
    report(machineLine(machine));
    return { ...(await measure({ directory, cores, machine, report })), machine };
  } finally {
    process.off('exit', cleanUp);
    cleanUp();
  }
}

function report(line: string): void {
  process.stderr.write(`${line}\n`);
}
