import { tmpdir } from 'node:os';
import { buildCheckout, CHECKOUT } from './checkout.ts';
import { chooseCores, type Cores } from './cores.ts';
import { describeMachine, machineLine, type Machine } from './machine.ts';
import type { Cells } from './table.ts';
import { withTemporaryDirectory } from './temporary-directory.ts';

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
  return withTemporaryDirectory(data ?? tmpdir(), async (directory) => {
    const cores = chooseCores();
    const machine = describeMachine(directory);
    report(machineLine(machine));
    return { ...(await measure({ directory, cores, machine, report })), machine };
  });
}

function report(line: string): void {
  process.stderr.write(`${line}\n`);
}
