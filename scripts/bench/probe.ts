import { readFileSync } from 'node:fs';
import type { ServerProcess } from './server-process.ts';

/** What is asked of a server from inside. */

/** Words for Node with which a server can be asked; it has to be one that talks. */
export const PROBE: readonly string[] = ['--import', './scripts/bench/servers/probe.mjs'];

export interface Memory {
  /** Without files that are mapped, as those of LevelDB: those are the page cache's. All that is resident where the system does not say. */
  readonly resident: number;
  readonly heapUsed: number;
  /** Array buffers are among it. */
  readonly external: number;
}

/** In bytes, after a collection; of a server that is probed. */
export async function readMemory(server: ServerProcess): Promise<Memory> {
  const { rss, heapUsed, external } = (await server.ask({ probe: 'memory' })) as NodeJS.MemoryUsage;
  return { resident: anonymousMemory(server.pid) ?? rss, heapUsed, external };
}

function anonymousMemory(pid: number): number | undefined {
  try {
    const kilobytes = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}

export interface Pauses {
  /** Milliseconds for which the event loop stood still, since the last time it was asked. */
  readonly longest: number;
  readonly p99: number;
}

export async function readPauses(server: ServerProcess): Promise<Pauses> {
  return (await server.ask({ probe: 'pauses' })) as Pauses;
}
