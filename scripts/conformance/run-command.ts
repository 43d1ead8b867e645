import { spawnSync } from 'node:child_process';

/** @returns the standard output @throws Error the command failed */
export function runCommand(command: string, args: readonly string[], env?: NodeJS.ProcessEnv): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { env, encoding: 'utf8' });
  if (status === 0) return stdout;
  throw new Error(`${command} failed: ${error?.message ?? stderr}`);
}
