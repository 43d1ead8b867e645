import { spawnSync } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';

const COMPILER = 'node_modules/typescript/bin/tsc';
const OPTIONS =
  '--noEmit false --noCheck --incremental --rootDir . --outDir .test-build --tsBuildInfoFile .test-build/.tsbuildinfo' +
  ` --rewriteRelativeImportExtensions false --inlineSourceMap --sourceRoot ${pathToFileURL('.').href}/`;

const BUILD = ['scripts/check-build.mjs', '--build'];

/** The `node` option for running the compiled files, in any working directory. */
export const RUN_COMPILED = `--import=${fileURLToPath(new URL('compiled.mjs', import.meta.url))}`;

/**
 * Compiles the sources, tests and scripts that have changed since the last compilation to `.test-build`. Does not check
 * types.
 * @throws Error if a file has a syntax error
 */
export function compile(): void {
  const args = [COMPILER, '--project', 'tsconfig.json', ...OPTIONS.split(' ')];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the tests do not compile: ${stdout}${stderr}`);
}

/**
 * Builds `dist` if it is missing or outdated. Tests start servers from it.
 * @throws Error if the build fails
 */
export function buildServer(): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, BUILD, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the server does not build: ${stdout}${stderr}`);
}
