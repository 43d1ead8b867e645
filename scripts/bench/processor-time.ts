import { readdirSync, readFileSync } from 'node:fs';

const MS_PER_TICK = 10; // USER_HZ is 100 on every Linux

interface ProcessTime {
  readonly parent: number;
  readonly milliseconds: number;
}

/**
 * Returns the processor time of a process and its descendants in milliseconds, including those that have exited.
 * Returns undefined if the process has exited or this is not Linux.
 */
export function processorTime(pid: number): number | undefined {
  const stats = listPids('/proc').flatMap((process) => readIfExists(`/proc/${process}/stat`) ?? []);
  return processTreeTime(stats, pid);
}

/**
 * Returns the processor time of a process and its descendants in milliseconds; undefined if it is not in `stats`.
 * @param stats the contents of /proc/PID/stat for every process
 */
export function processTreeTime(stats: readonly string[], pid: number): number | undefined {
  const processes = new Map(stats.map(parseStat));
  const descendantTime = (parent: number): number =>
    [...processes].reduce(
      (sum, [child, time]) => (time.parent === parent ? sum + time.milliseconds + descendantTime(child) : sum),
      0,
    );
  const root = processes.get(pid);
  return root === undefined ? undefined : root.milliseconds + descendantTime(pid);
}

function parseStat(stat: string): readonly [number, ProcessTime] {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' '); // the process name may contain spaces
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0); // includes ended children
  return [Number.parseInt(stat, 10), { parent: Number(fields[1]), milliseconds: ticks * MS_PER_TICK }];
}

function listPids(directory: string): readonly string[] {
  try {
    return readdirSync(directory).filter((name) => /^\d+$/.test(name));
  } catch {
    return []; // not Linux
  }
}

function readIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined; // the process has exited
  }
}
