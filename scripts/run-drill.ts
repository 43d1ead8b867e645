import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/**
 * Runs a drill in a temporary directory.
 * @param errorStatus the exit status if the drill throws: 1 if an error is a finding, 2 if the drill cannot run
 * @returns the exit status of the script
 */
export function runDrill(
  name: string,
  drill: (directory: string) => Promise<number>,
  errorStatus: 1 | 2,
): Promise<number> {
  return inTemporaryDirectory(name, (directory) => statusOf(() => drill(directory), errorStatus));
}

/** Runs `work` in a temporary directory, which is removed afterwards. */
export async function inTemporaryDirectory<Result>(
  name: string,
  work: (directory: string) => Promise<Result>,
): Promise<Result> {
  const directory = mkdtempSync(join(tmpdir(), `grantlog-${name}-`));
  try {
    return await work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Runs `drill`, and returns its exit status. If it throws, prints the error and returns `errorStatus`. */
export async function statusOf(drill: () => Promise<number>, errorStatus: 1 | 2): Promise<number> {
  try {
    return await drill();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return errorStatus;
  }
}

/**
 * Parses the arguments of a drill without options.
 * @throws Error if there is an argument other than `--help`
 */
export function readHelp(args: readonly string[]): { readonly help: boolean } {
  return parseArgs({ args: [...args], options: { help: { type: 'boolean', default: false } } }).values;
}

export function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}
