import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { median } from './statistics.ts';

/** The machine that the figures were measured on. They are meaningless without it. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly system: string;
  readonly node: string;
  /** The median duration of a durable 4 KiB append in milliseconds: a lower bound for every write. */
  readonly fdatasyncMs: number;
  /** The load average of the last minute before the measurement. */
  readonly load: number;
}

const SYNCS = 200;
const BLOCK = Buffer.alloc(4096, 'x');

/**
 * Describes this machine. Measures the disk, which takes a moment.
 * @param directory a directory on the disk where the data will be stored
 */
export function describeMachine(directory: string): Machine {
  return {
    cpu: cpus()[0]?.model.replaceAll(/\s+/g, ' ').trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    node: process.version,
    fdatasyncMs: medianFdatasyncMs(directory),
    load: loadavg()[0] ?? 0,
  };
}

function medianFdatasyncMs(directory: string): number {
  const temporary = mkdtempSync(join(directory, 'sync-'));
  const file = openSync(join(temporary, 'file'), 'w');
  const durations: number[] = [];
  for (let count = 0; count < SYNCS; count += 1) {
    writeSync(file, BLOCK);
    const startedAt = performance.now();
    fdatasyncSync(file);
    durations.push(performance.now() - startedAt);
  }
  closeSync(file);
  rmSync(temporary, { recursive: true });
  return median(durations);
}

export function machineLine({ cpu, cores, memoryGiB, system, node, fdatasyncMs }: Machine): string {
  return `${cpu}, ${cores} cores, ${memoryGiB} GiB, ${system}, Node ${node}, fdatasync ${fdatasyncMs.toFixed(2)} ms`;
}

/** Above this load average, other processes affect the figures. */
const QUIET_LOAD = 0.5;

/** Returns a caveat if the machine was busy, and an empty list otherwise. */
export function machineRemarks({ load, cores }: Machine): readonly string[] {
  if (load <= QUIET_LOAD) return [];
  return [
    `the machine was busy before the measurement (load ${load.toFixed(1)} on ${cores} cores): rates and latencies ` +
      'are unreliable, ratios are less affected, and ratios by CPU time least of all',
  ];
}
