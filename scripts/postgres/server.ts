import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { asDatabaseUser } from './programs.ts';
import { listChildren, isRunning, signal } from './process-tree.ts';

/** A PostgreSQL server with an initialized data directory. */
export interface PostgresServer {
  readonly port: number;
  /** Returns the server's process id; undefined if it is not running. */
  pid(): number | undefined;
  /** Resolves when the server has exited; immediately if it is not running. */
  waitForExit(): Promise<void>;
  /** Returns the text of the server's log. */
  log(): string;
  /**
   * Resolves when the server accepts connections.
   * @throws Error if it exits first; the message contains its log
   */
  start(): Promise<void>;
  /** Closes all connections and shuts down cleanly, so that the next startup needs no recovery. */
  stop(): Promise<void>;
  /** Kills all of the server's processes at once, like a machine failure. Resolves when they have exited. */
  kill(): Promise<void>;
  /** Shuts the server down cleanly if it is running, and starts it again on the same port with the same data. */
  restart(): Promise<void>;
  /** Suspends all processes of the server: connections stay open, but get no responses. Works on Linux only. */
  freeze(): void;
  /** Resumes all processes of the server after `freeze`. */
  thaw(): void;
}

export interface ServerFiles {
  /** The directory of the PostgreSQL programs. */
  readonly programs: string;
  /** Contains `data`, the socket and the log. */
  readonly directory: string;
  readonly port: number;
  readonly settings: Readonly<Record<string, string>>;
}

const POLL_MS = 10;
/** The number of the line in postmaster.pid that contains the server's status. */
const STATUS_LINE = 7;

/** Creates a server without starting it. */
export function createPostgresServer({ programs, directory, port, settings }: ServerFiles): PostgresServer {
  const data = join(directory, 'data');
  const logFile = join(directory, 'postgres.log');
  const pidFile = join(data, 'postmaster.pid');
  let currentChild: ChildProcess | undefined;

  const log = (): string => readIfExists(logFile);
  const pid = (): number | undefined => currentChild?.pid;

  async function start(): Promise<void> {
    const child = launch();
    currentChild = child;
    child.once('close', () => {
      if (currentChild === child) currentChild = undefined;
    });
    while (!isReady(child)) {
      if (currentChild !== child) throw new Error(`PostgreSQL exited before it accepted connections: ${log()}`);
      await setTimeout(POLL_MS);
    }
  }

  function launch(): ChildProcess {
    const options = { port, listen_addresses: '127.0.0.1', unix_socket_directories: directory, ...settings };
    const [program = '', ...args] = asDatabaseUser([
      join(programs, 'postgres'),
      '-D',
      data,
      ...Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ]);
    const output = openSync(logFile, 'a');
    const { PATH = '' } = process.env;
    const child = spawn(program, args, {
      cwd: directory,
      env: { PATH },
      stdio: ['ignore', output, output],
      detached: true, // so that Ctrl-C in a terminal does not reach it; its guardian stops it
    });
    closeSync(output);
    child.unref();
    return child;
  }

  function isReady(child: ChildProcess): boolean {
    const lines = readIfExists(pidFile).split('\n');
    return Number(lines[0]) === child.pid && /^(?:ready|standby)/.test(lines[STATUS_LINE] ?? '');
  }

  async function end(stop: (postmaster: number) => void): Promise<void> {
    const child = currentChild;
    if (child?.pid === undefined) return;
    const exit = once(child, 'close');
    child.ref();
    stop(child.pid);
    await exit;
  }

  /** Signals the server first, so that it does not start more children. */
  function signalAll(name: NodeJS.Signals): readonly number[] {
    const postmaster = pid();
    if (postmaster === undefined) return [];
    signal(postmaster, name);
    const children = listChildren(postmaster);
    for (const child of children) signal(child, name);
    return [postmaster, ...children];
  }

  const stop = (): Promise<void> => end((postmaster) => signal(postmaster, 'SIGINT'));

  async function kill(): Promise<void> {
    let processes: readonly number[] = [];
    await end(() => {
      processes = signalAll('SIGSTOP');
      for (const process of processes) signal(process, 'SIGKILL');
    });
    while (processes.some(isRunning)) await setTimeout(POLL_MS);
    rmSync(pidFile, { force: true }); // another process may get its process id
  }

  return {
    port,
    pid,
    log,
    async waitForExit() {
      if (currentChild !== undefined) await once(currentChild, 'close');
    },
    start,
    stop,
    kill,
    async restart() {
      await stop();
      await start();
    },
    freeze: () => void signalAll('SIGSTOP'),
    thaw: () => void signalAll('SIGCONT'),
  };
}

function readIfExists(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
