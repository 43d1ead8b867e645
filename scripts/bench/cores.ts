import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Which processor each side of a measurement keeps to; undefined where the system has no way to say so, or only one. */
export interface Cores {
  readonly server: number;
  readonly load: number;
}

export function separateCores(): Cores | undefined {
  if (spawnSync('taskset', ['--version']).status !== 0) return undefined;
  const allowed = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
  const [server, load] = parseCpuList(allowed);
  return server === undefined || load === undefined ? undefined : { server, load };
}

export function pinningOf(cores: Cores | undefined): string {
  return cores === undefined
    ? 'server and load keep to no core: the system has no taskset, or one core alone'
    : `server on core ${cores.server}, load on core ${cores.load}`;
}

/** As Linux writes it: 0-2,5. */
export function parseCpuList(text: string): readonly number[] {
  return text
    .split(',')
    .filter((range) => range !== '')
    .flatMap((range) => {
      const [first = Number.NaN, last = first] = range.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, index) => first + index);
    });
}

/** The words of a command that keeps to `core`. */
export function pinToCore(core: number | undefined, command: readonly string[]): readonly string[] {
  return core === undefined ? command : ['taskset', '-c', String(core), ...command];
}
