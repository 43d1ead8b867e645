import type { ArchiveResult, ArchiveStep, EventLog, LogArchive } from '../../src/event-store/event-log.ts';

export function requireArchive({ archive }: Pick<EventLog, 'archive'>): LogArchive {
  if (archive === undefined) throw new Error('this log has no archive');
  return archive;
}

/** Archives all records older than `time`. `progress` may throw to simulate a crash. */
export function archiveBefore(
  log: EventLog,
  time: number,
  progress: (step: ArchiveStep) => void = () => {},
): Promise<ArchiveResult> {
  return requireArchive(log).archiveBefore(time, { signal: new AbortController().signal, progress });
}

/** Archives everything except the newest group. */
export const archiveAll = (log: EventLog): Promise<ArchiveResult> => archiveBefore(log, Infinity);

export async function findArchiveDamage(
  log: EventLog,
): Promise<readonly { readonly position: number; readonly message: string }[]> {
  const damage = [];
  for await (const { position, message } of requireArchive(log).check(new AbortController().signal))
    damage.push({ position: position as number, message });
  return damage;
}
