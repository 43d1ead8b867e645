import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { clockDrill } from '../test/support/clock-drill.ts';
import { runScript } from './run-script.ts';

const USAGE = `Usage: node --import tsx scripts/clock-drill.ts

Starts the built server and sets its wall clock to a day ago, to a year ahead and back, issues tokens at each time, and
restarts it. No token may live longer than its lifetime, and the log must verify afterwards.

  --help    this text

Exit status 0: everything held. 1: something did not. 2: wrong usage.
`;

async function run(): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'grantlog-clock-'));
  try {
    await clockDrill({ directory, progress: (line) => process.stdout.write(`${line}\n`) });
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const read = (words: readonly string[]): { readonly help: boolean } =>
  parseArgs({ args: [...words], options: { help: { type: 'boolean', default: false } } }).values;

await runScript(USAGE, read, run);
