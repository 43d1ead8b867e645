import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The option of `node` with which a child process runs TypeScript: that of this process, or `tsx`. */
export const RUN_TYPESCRIPT = process.execArgv.find((option) => option.startsWith('--import=')) ?? '--import=tsx';

const IN_RUNNER = basename(RUN_TYPESCRIPT) === 'compiled.mjs';

/**
 * The arguments of `node` with which a child process runs `grantlog`. The runner of the suite has built `dist`, which
 * starts in half the processor time. A single test file under mocha runs the sources, never an outdated build.
 */
export const RUN_GRANTLOG: readonly string[] = IN_RUNNER
  ? [fileURLToPath(new URL('../../dist/main.js', import.meta.url))]
  : [RUN_TYPESCRIPT, fileURLToPath(new URL('../../src/main.ts', import.meta.url))];
