import { readFileSync } from 'node:fs';
import type { ServerProcess } from './server-process.ts';

/** Node options that load the probe. The server process needs IPC. */
export const PROBE: readonly string[] = ['--import', './scripts/bench/servers/probe.mjs'];

export interface Memory {
  /** Without mapped files such as LevelDB's, which belong to the page cache, if the system reports them separately. */
  readonly resident: number;
  readonly heapUsed: number;
  /** Includes array buffers. */
  readonly external: number;
}

/** Measures the memory in bytes after a garbage collection. Needs the probe. */
export async function readMemory(server: ServerProcess): Promise<Memory> {
  const { rss, heapUsed, external } = (await server.ask({ probe: 'memory' })) as NodeJS.MemoryUsage;
  return { resident: readAnonymousMemory(server.pid) ?? rss, heapUsed, external };
}

function readAnonymousMemory(pid: number): number | undefined {
  try {
    const kilobytes = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}

/** Event loop delays in milliseconds since the previous query. */
export interface Pauses {
  readonly longest: number;
  readonly p99: number;
}

export async function readPauses(server: ServerProcess): Promise<Pauses> {
  return (await server.ask({ probe: 'pauses' })) as Pauses;
}
