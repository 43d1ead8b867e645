import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openFilesDrill } from '../test/support/open-files-drill.ts';
import { runScript } from './run-script.ts';

const USAGE = `Usage: node --import tsx scripts/open-files-drill.ts

Starts the built server with a limit of 256 open files, opens 400 connections and holds them, and issues tokens
meanwhile and afterwards. The server must live on, answer again, and write every tile of its log.

  --help    this text

Exit status 0: everything held. 1: something did not. 2: wrong usage.
`;

async function run(): Promise<number> {
  const dataDir = mkdtempSync(join(tmpdir(), 'grantlog-files-'));
  try {
    await openFilesDrill({ dataDir, progress: (line) => process.stdout.write(`${line}\n`) });
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  } finally {
    rmSync(dataDir, { recursive: true });
  }
}

const read = (words: readonly string[]): { readonly help: boolean } =>
  parseArgs({ args: [...words], options: { help: { type: 'boolean', default: false } } }).values;

await runScript(USAGE, read, run);
