import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { pinToCore } from './cores.ts';
import { processorTime } from './processor-time.ts';

/** A measured server: a separate process whose output goes to a file, as in production. */
export interface ServerProcess {
  readonly pid: number;
  readonly port: number;
  /** Milliseconds from the start of the process until it accepted requests. */
  readonly startupMs: number;
  /** Returns its processor time since startup, including descendants, in milliseconds; undefined if unknown. */
  cpu(): number | undefined;
  /** Sends a message to a server with IPC, and resolves with its reply. */
  ask(message: object): Promise<unknown>;
  /** Sends the signal, and resolves when the process has exited. */
  end(signal: NodeJS.Signals): Promise<void>;
}

export interface ServerCommand {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly core: number | undefined;
  readonly env?: Readonly<Record<string, string>>;
  /** The file for the server's output. */
  readonly output: string;
  /** Whether it replies to messages from its parent. */
  readonly hasIpc?: boolean;
  /** Matches the line that it prints when it is ready, and captures the port if it contains one. */
  readonly readyPattern?: RegExp;
  /** The signal sent to it by `killServers`. */
  readonly killSignal?: NodeJS.Signals;
}

interface StartedServer {
  kill(): void;
  readonly closed: Promise<unknown>;
}

const startedServers = new Set<StartedServer>();
let areEnding = false;

/** Kills all servers. Returns before they have exited. */
export function killServers(): void {
  for (const server of startedServers) server.kill();
}

/** Kills all servers, and resolves when they have exited. No server can be started afterwards. */
export async function endServers(): Promise<void> {
  areEnding = true;
  killServers();
  await Promise.all([...startedServers].map(({ closed }) => closed));
}

const POLL_MS = 10;
const READY_PATTERN = /serving \S+ on http:\/\/[^:"]+:(\d+)|serving on http:\/\/[^:"]+:(\d+)/;

/**
 * Starts a server and resolves when it is ready.
 * @throws Error if the server exits before it is ready, or the servers are being ended
 */
export async function startServer({
  command,
  cwd,
  core,
  env = {},
  output,
  hasIpc = false,
  readyPattern = READY_PATTERN,
  killSignal = 'SIGKILL',
}: ServerCommand): Promise<ServerProcess> {
  if (areEnding) throw new Error('no server is started, because the benchmark is ending');
  const [program = '', ...args] = pinToCore(core, command);
  const file = openSync(output, 'w');
  const { PATH = '', HOME = '' } = process.env; // other variables could contain settings
  const startedAt = performance.now();
  const child = spawn(program, args, {
    cwd,
    env: { PATH, HOME, ...env },
    stdio: ['ignore', file, file, ...(hasIpc ? ['ipc' as const] : [])],
  });
  closeSync(file);
  const closeEvent = once(child, 'close');
  const server = { kill: () => void child.kill(killSignal), closed: closeEvent };
  startedServers.add(server);
  void closeEvent.then(() => startedServers.delete(server));
  for (;;) {
    const match = readyPattern.exec(readFileSync(output, 'utf8'));
    if (match !== null) {
      const pid = child.pid ?? 0;
      return {
        pid,
        port: Number(match[1] ?? match[2]),
        startupMs: performance.now() - startedAt,
        cpu: () => processorTime(pid),
        async ask(message) {
          const reply = once(child, 'message');
          child.send(message);
          return (
            (await Promise.race([
              reply,
              closeEvent.then(() => Promise.reject(new Error(`${command.join(' ')} exited`))),
            ])) as readonly unknown[]
          )[0];
        },
        async end(signal) {
          child.kill(signal);
          await closeEvent;
        },
      };
    }
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`${command.join(' ')} exited before it was ready: ${readFileSync(output, 'utf8')}`);
    await setTimeout(POLL_MS);
  }
}
