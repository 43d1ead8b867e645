import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/**
 * Runs a drill in a temporary directory.
 * @param ofError the exit status when the drill throws: 1 where an error is a finding, 2 where the drill cannot run
 * @returns the exit status of the script
 */
export function runDrill(name: string, drill: (directory: string) => Promise<number>, ofError: 1 | 2): Promise<number> {
  return inTemporaryDirectory(name, (directory) => statusOf(() => drill(directory), ofError));
}

/** The directory is removed afterwards. */
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

/** The status with which `drill` ends, or `ofError` for an error, which goes to standard error. */
export async function statusOf(drill: () => Promise<number>, ofError: 1 | 2): Promise<number> {
  try {
    return await drill();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return ofError;
  }
}

/** Reads the words of a drill without options. @throws Error there is another word than `--help` */
export function readHelp(words: readonly string[]): { readonly help: boolean } {
  return parseArgs({ args: [...words], options: { help: { type: 'boolean', default: false } } }).values;
}

export function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}
