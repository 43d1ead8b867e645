import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The CPUs that the server and the load generator are pinned to. */
export interface Cores {
  readonly server: number;
  readonly load: number;
}

/**
 * Chooses the first two CPUs that this process may run on. Returns undefined if there is only one, or if taskset is
 * missing.
 */
export function chooseCores(): Cores | undefined {
  if (spawnSync('taskset', ['--version']).status !== 0) return undefined;
  const allowedCpus = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
  const [server, load] = parseCpuList(allowedCpus);
  return server === undefined || load === undefined ? undefined : { server, load };
}

export function describePinning(cores: Cores | undefined): string {
  return cores === undefined
    ? 'server and load are not pinned: taskset is missing, or only one CPU is available to this process'
    : `server on core ${cores.server}, load on core ${cores.load}`;
}

/** Parses a Linux CPU list, such as `0-2,5`. */
export function parseCpuList(text: string): readonly number[] {
  return text
    .split(',')
    .filter((range) => range !== '')
    .flatMap((range) => {
      const [first = Number.NaN, last = first] = range.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, index) => first + index);
    });
}

/** Wraps a command so that it runs on `core`. */
export function pinToCore(core: number | undefined, command: readonly string[]): readonly string[] {
  return core === undefined ? command : ['taskset', '-c', String(core), ...command];
}
