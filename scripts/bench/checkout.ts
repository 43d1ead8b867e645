import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The root of the project. */
export const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Builds the server of a checkout whose dependencies are installed.
 * @throws Error if the build fails
 */
export function buildCheckout(directory: string): void {
  const { status } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
    cwd: directory,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Error(`the build of ${directory} failed`);
}
