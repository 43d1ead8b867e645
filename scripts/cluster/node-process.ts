import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A server of the cluster. */
export interface NodeProcess {
  readonly name: string;
  readonly pid: number;
  readonly port: number;
  /** Resolves with the node's exit status, or the signal that killed it. */
  readonly exitStatus: Promise<number | NodeJS.Signals>;
  /** Shuts the node down cleanly, and resolves when it has exited. */
  stop(): Promise<void>;
}

export interface NodeOptions {
  readonly name: string;
  readonly command: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Receives each line of its log. */
  readonly onLine: (line: string) => void;
}

const SERVING = /serving \S+ on https?:\/\/[^:"]+:(\d+)/;

/**
 * Starts a node, and resolves when it is ready.
 * @throws Error if it exits first; its log contains the reason
 */
export async function startNode({ name, command, env, onLine }: NodeOptions): Promise<NodeProcess> {
  const [program = '', ...args] = killWithParent(command);
  // In a separate process group, so that Ctrl-C interrupts only the script, which then shuts everything down cleanly.
  const child = spawn(program, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const kill = (): void => void child.kill('SIGKILL');
  process.on('exit', kill);
  const exitStatus = once(child, 'close').then(([status, signal]: (number | NodeJS.Signals | null)[]) => {
    process.off('exit', kill);
    return status ?? signal ?? 'SIGKILL';
  }) as NodeProcess['exitStatus'];
  const port = await new Promise<number>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        onLine(line);
        const servedPort = SERVING.exec(line)?.[1];
        if (servedPort !== undefined) resolve(Number(servedPort));
      });
    }
    exitStatus.then((status) => reject(new Error(`${name} exited with ${status} before it was ready`)), reject);
  });
  return {
    name,
    pid: child.pid ?? 0,
    port,
    exitStatus,
    async stop() {
      child.kill('SIGTERM');
      await exitStatus;
    },
  };
}

/** Wraps a command so that, on Linux, the kernel kills the child even if this process is killed. */
function killWithParent(command: readonly string[]): readonly string[] {
  return process.platform === 'linux' ? ['setpriv', '--pdeathsig', 'KILL', ...command] : command;
}
