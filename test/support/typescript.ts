import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The `node` option that lets a child process run TypeScript: the same as in this process, or else `tsx`. */
export const RUN_TYPESCRIPT = process.execArgv.find((option) => option.startsWith('--import=')) ?? '--import=tsx';

const IS_IN_RUNNER = basename(RUN_TYPESCRIPT) === 'compiled.mjs';

/**
 * The `node` arguments that run `grantlog` in a child process. The suite's runner has built `dist`, which starts in
 * half the processor time. A single test file under mocha runs the sources instead, never an outdated build.
 */
export const RUN_GRANTLOG: readonly string[] = IS_IN_RUNNER
  ? [fileURLToPath(new URL('../../dist/main.js', import.meta.url))]
  : [RUN_TYPESCRIPT, fileURLToPath(new URL('../../src/main.ts', import.meta.url))];
