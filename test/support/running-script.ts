import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { RUN_TYPESCRIPT } from './typescript.ts';

/** A script from this repository that runs in a separate process. */
export interface RunningScript {
  readonly child: ChildProcess;
  output(): string;
  /**
   * Resolves with the first group of `pattern` once the output matches.
   * @throws Error if the script exits first
   */
  waitForOutput(pattern: RegExp): Promise<string>;
}

export function startScript(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): RunningScript {
  const child = spawn(process.execPath, [RUN_TYPESCRIPT, script, ...args], { env: { ...process.env, ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()));
  return {
    child,
    output: () => output,
    async waitForOutput(pattern) {
      for (;;) {
        const match = pattern.exec(output);
        if (match !== null) return match[1] ?? '';
        if (child.exitCode !== null) throw new Error(`exited with ${child.exitCode}: ${output}`);
        await setTimeout(20);
      }
    },
  };
}

/** Waits until the script exits, and returns its exit status. */
export const waitForExit = async ({ child }: RunningScript): Promise<number> =>
  ((await once(child, 'close')) as [number])[0];
