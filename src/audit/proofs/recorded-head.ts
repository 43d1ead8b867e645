import type { HeadStore, RecordedHead } from './head-file.ts';
import { LogTampered } from './log-witness.ts';

const ADVICE =
  'Without it nothing tells whether the end of the log is missing. Keep the data directory as it is; grantlog log ' +
  'repair checks everything else and records the head anew, and a backup can be restored instead (grantlog restore ' +
  'FILE DIR)';

const OTHER_COPY = 'the other one is used, and the damaged one will be rewritten';

/**
 * The head that was recorded last. If one of its two copies is damaged, this reports it and uses the other one.
 * @param mayBeMissing whether it may be missing: the log is empty, or an earlier release wrote it
 * @throws LogTampered it is missing where it should be there, or no copy of it can be read
 */
export function readRecordedHead(
  heads: HeadStore,
  {
    mayBeMissing,
    notice,
  }: {
    readonly mayBeMissing: boolean;
    readonly notice: (line: string) => void;
  },
): RecordedHead | undefined {
  const read = heads.read();
  if (read === undefined && mayBeMissing) return undefined;
  const file = `${heads.name}, which says how far the log reaches,`;
  if (read === undefined) throw new LogTampered(`${file} is missing. ${ADVICE}`);
  if (read.head === undefined) throw new LogTampered(`${file} is damaged. ${ADVICE}`);
  if (read.damagedCopies > 0) notice(`one of the two copies in ${heads.name} was damaged; ${OTHER_COPY}`);
  return read.head;
}
