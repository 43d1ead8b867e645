import { readdirSync, readFileSync } from 'node:fs';

const MS_PER_TICK = 10; // of USER_HZ, which is 100 on every Linux

interface ProcessTime {
  readonly parent: number;
  readonly milliseconds: number;
}

/** Milliseconds that a process and all that it started have taken, ended ones too; undefined where the system does not say. */
export function processorTime(pid: number): number | undefined {
  const stats = listPids('/proc').flatMap((process) => readIfExists(`/proc/${process}/stat`) ?? []);
  return processTreeTime(stats, pid);
}

/** @param stats what Linux says of each process */
export function processTreeTime(stats: readonly string[], pid: number): number | undefined {
  const processes = new Map(stats.map(parseStat));
  const timeBelow = (parent: number): number =>
    [...processes].reduce(
      (sum, [child, taken]) => (taken.parent === parent ? sum + taken.milliseconds + timeBelow(child) : sum),
      0,
    );
  const root = processes.get(pid);
  return root === undefined ? undefined : root.milliseconds + timeBelow(pid);
}

function parseStat(stat: string): readonly [number, ProcessTime] {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' '); // the name before may hold blanks
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0); // its own, and those of children that ended
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
    return undefined; // ended meanwhile
  }
}
