import { spawnSync } from 'node:child_process';

/**
 * Runs a command, and returns its standard output.
 * @throws Error if it fails
 */
export function runCommand(command: string, args: readonly string[], env?: NodeJS.ProcessEnv): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { env, encoding: 'utf8' });
  if (status === 0) return stdout;
  throw new Error(`${command} failed: ${error?.message ?? stderr}`);
}
