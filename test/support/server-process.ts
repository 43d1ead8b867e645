import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { watchOutput } from './watched-output.ts';
import { RUN_GRANTLOG } from './typescript.ts';

/** A server in a separate process, started as an operator would start it. */
export interface ServerProcess {
  readonly pid: number;
  /** Where it accepts requests. */
  readonly origin: string;
  /** Returns everything written to standard output and standard error so far. */
  output(): string;
  /**
   * Resolves once the output matches.
   * @throws Error if the server exits first
   */
  waitForOutput(pattern: RegExp): Promise<RegExpExecArray>;
  kill(signal: NodeJS.Signals): void;
  /** Kills the server, and its process group if it leads one. Resolves when the server has exited. */
  destroy(): Promise<void>;
  /** The exit status, or the signal that killed the server. */
  readonly exitStatus: Promise<number | NodeJS.Signals>;
}

export interface ServerProcessOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** The working directory; the checkout by default. */
  readonly cwd?: string;
  /** The command and its arguments; `SERVE` by default. */
  readonly command?: readonly [string, ...string[]];
  /** Whether to start the server in its own process group, so that a signal reaches its children, too. */
  readonly detached?: boolean;
}

const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));
export const SERVE = [process.execPath, ...RUN_GRANTLOG, 'serve'] as const;

/**
 * Starts a server. Resolves once it has printed its origin.
 * @throws Error if it exits first
 */
export async function startServer(
  dataDir: string,
  { env = {}, cwd = CHECKOUT, command = SERVE, detached = false }: ServerProcessOptions = {},
): Promise<ServerProcess> {
  const [program, ...args] = command;
  const { PATH = '', HOME = '' } = process.env; // npm needs these; other variables could change the server's settings
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
      throw new Error(`exited with ${status} before it printed ${pattern}: ${output}`);
    });
    return Promise.race([firstMatch, exit]);
  }

  async function destroy(): Promise<void> {
    try {
      process.kill(detached ? -pid : pid, 'SIGKILL');
    } catch {
      // the server has already exited
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
