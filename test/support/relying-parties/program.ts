import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';

/** A program that runs until it is stopped. */
export interface Program {
  /**
   * Resolves when its output contains `text`.
   * @throws Error if the program exits first; the message contains the output
   */
  waitForOutput(text: string): Promise<void>;
  /** Returns the status (running, or the exit code or signal) and the output, for error messages. */
  describeState(): string;
  stop(): Promise<void>;
}

export function startProgram([command, ...args]: readonly [string, ...string[]], env = process.env): Program {
  const child = spawn(command, args, { env, detached: true }); // a process group, so that `stop` kills its children
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()));
  const closeEvent = once(child, 'close');
  return {
    async waitForOutput(text) {
      while (!output.includes(text)) {
        if (child.exitCode !== null) throw new Error(`${command} exited with ${child.exitCode}: ${output}`);
        await setTimeout(20);
      }
    },
    describeState() {
      const exit = child.exitCode ?? child.signalCode;
      return `${command} ${exit === null ? 'is running' : `exited with ${exit}`}, output: ${output}`;
    },
    async stop() {
      if (child.exitCode === null) process.kill(-(child.pid ?? 0), 'SIGKILL');
      await closeEvent;
    },
  };
}

const WAIT_MILLISECONDS = 15_000;

/**
 * Resolves when `isTrue` resolves to true. A rejection counts as false.
 * @throws Error if it is still false after 15 seconds
 */
export async function waitUntil(description: string, isTrue: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + WAIT_MILLISECONDS;
  while (!(await isTrue().catch(() => false))) {
    if (performance.now() > deadline)
      throw new Error(`timed out after ${WAIT_MILLISECONDS / 1000} seconds: ${description}`);
    await setTimeout(100);
  }
}
