import type { ArchiveResult, ArchiveStep, EventLog, LogArchive } from '../../src/event-store/event-log.ts';

export function archiveOf({ archive }: Pick<EventLog, 'archive'>): LogArchive {
  if (archive === undefined) throw new Error('this log has no archive');
  return archive;
}

/** Archives the records from before `time`. `progress` may throw, to simulate a crash. */
export function archiveBefore(
  log: EventLog,
  time: number,
  progress: (step: ArchiveStep) => void = () => {},
): Promise<ArchiveResult> {
  return archiveOf(log).archiveBefore(time, { signal: new AbortController().signal, progress });
}

/** Everything except the newest group. */
export const archiveAll = (log: EventLog): Promise<ArchiveResult> => archiveBefore(log, Infinity);

export async function damageIn(
  log: EventLog,
): Promise<readonly { readonly position: number; readonly message: string }[]> {
  const found = [];
  for await (const { position, message } of archiveOf(log).check(new AbortController().signal))
    found.push({ position: position as number, message });
  return found;
}
