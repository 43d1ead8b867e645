import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { watchOutput } from './watched-output.ts';
import { RUN_GRANTLOG } from './typescript.ts';

/** A server in a separate process, started as an operator would start it. */
export interface ServerProcess {
  readonly pid: number;
  /** Its address. */
  readonly origin: string;
  /** Returns everything that it has written to standard output and standard error. */
  output(): string;
  /**
   * Resolves when its output matches.
   * @throws Error if the server ended first
   */
  waitForOutput(pattern: RegExp): Promise<RegExpExecArray>;
  kill(signal: NodeJS.Signals): void;
  /** Kills it, and its process group if it leads one. Resolves when it has ended. */
  destroy(): Promise<void>;
  /** The exit status, or the signal that ended it. */
  readonly exitStatus: Promise<number | NodeJS.Signals>;
}

export interface ServerProcessOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** The working directory; the checkout by default. */
  readonly cwd?: string;
  /** The command and its arguments; `SERVE` by default. */
  readonly command?: readonly [string, ...string[]];
  /** Starts a separate process group, which can be signaled as a whole. */
  readonly detached?: boolean;
}

const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));
export const SERVE = [process.execPath, ...RUN_GRANTLOG, 'serve'] as const;

/**
 * Starts a server. Resolves when it has printed its address.
 * @throws Error if it ended first
 */
export async function startServer(
  dataDir: string,
  { env = {}, cwd = CHECKOUT, command = SERVE, detached = false }: ServerProcessOptions = {},
): Promise<ServerProcess> {
  const [program, ...args] = command;
  const { PATH = '', HOME = '' } = process.env; // npm needs these; other variables could be settings of the server
  const child = spawn(program, args, {
    cwd,
    detached,
    env: { PATH, HOME, DATA_DIR: dataDir, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const checks = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      watchOutput(text);
      for (const check of checks) check();
    });
  }
  const exitStatus = once(child, 'close').then(
    ([status, signal]: (number | NodeJS.Signals | null)[]) => status ?? signal ?? 'SIGKILL',
  ) as ServerProcess['exitStatus'];

  async function waitForOutput(pattern: RegExp): Promise<RegExpExecArray> {
    const firstMatch = new Promise<RegExpExecArray>((resolve) => {
      const check = (): void => {
        const match = pattern.exec(output);
        if (match === null) return;
        checks.delete(check);
        resolve(match);
      };
      checks.add(check);
      check();
    });
    const exit = exitStatus.then((status) => {
      const match = pattern.exec(output);
      if (match !== null) return match;
      throw new Error(`ended with ${status} before it printed ${pattern}: ${output}`);
    });
    return Promise.race([firstMatch, exit]);
  }

  async function destroy(): Promise<void> {
    try {
      process.kill(detached ? -pid : pid, 'SIGKILL');
    } catch {
      // it has ended already
    }
    await exitStatus;
  }

  const pid = child.pid ?? 0;
  const [, origin = ''] = await waitForOutput(/serving \S+ on (http:[^"\s]+)/);
  return {
    pid,
    origin,
    output: () => output,
    waitForOutput,
    exitStatus,
    destroy,
    kill: (signal) => void child.kill(signal),
  };
}

/** Reports whether a server accepts connections at `origin`. */
export async function isListening(origin: string): Promise<boolean> {
  return fetch(origin).then(
    () => true,
    () => false,
  );
}
