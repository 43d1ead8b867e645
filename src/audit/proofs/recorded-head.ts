import type { HeadStore, RecordedHead } from './head-file.ts';
import { LogTampered } from './log-witness.ts';

const ADVICE =
  'Without it, nothing shows whether the end of the log is missing. Keep the data directory unchanged. grantlog log ' +
  'repair --accept-loss checks everything else and records the head again. Alternatively, restore a backup (grantlog ' +
  'restore FILE DIR)';

const SHARED_ADVICE =
  'The log is in a database, and this file is evidence of how far it had reached. Keep a copy, remove the file, and ' +
  'run grantlog log verify: it compares the log with its checkpoints';

const OTHER_COPY = 'the server uses the other copy and will rewrite the damaged one';

/**
 * Reads the recorded head. If one of its two copies is damaged, reports that and uses the other copy.
 * @param mayBeMissing true if the log is empty or shared, or was written by an earlier release
 * @throws LogTampered if the head is missing and `mayBeMissing` is false, or if neither copy can be read
 */
export function readRecordedHead(
  heads: HeadStore,
  {
    mayBeMissing,
    isShared,
    notice,
  }: {
    readonly mayBeMissing: boolean;
    /** Whether other nodes share the log. */
    readonly isShared: boolean;
    readonly notice: (line: string) => void;
  },
): RecordedHead | undefined {
  const storedHead = heads.read();
  if (storedHead === undefined && mayBeMissing) return undefined;
  const file = `${heads.name}, which records the length of the log,`;
  if (storedHead === undefined) throw new LogTampered(`${file} is missing. ${ADVICE}`);
  if (storedHead.head === undefined) throw new LogTampered(`${file} is damaged. ${isShared ? SHARED_ADVICE : ADVICE}`);
  if (storedHead.damagedCopies > 0) notice(`one of the two copies in ${heads.name} is damaged; ${OTHER_COPY}`);
  return storedHead.head;
}
