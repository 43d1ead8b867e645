import { LogUnavailable, type EventLog } from './event-log.ts';

/** An append was refused because the disk is almost full. Nothing was written, and the log goes on. */
export class OutOfSpace extends LogUnavailable {
  override readonly name = 'OutOfSpace';
}

interface DiskSpace {
  isLow(): boolean;
}

type WritableLog = Pick<EventLog, 'append' | 'readStream' | 'readStreamBackwards'>;

/** The same log, which refuses appends with `OutOfSpace` while the disk is almost full. */
export function withSpaceCheck(log: WritableLog, space: DiskSpace): WritableLog {
  return {
    readStream: (stream, from) => log.readStream(stream, from),
    readStreamBackwards: (stream, from) => log.readStreamBackwards(stream, from),
    async append(stream, expected, events, basedOn) {
      assertSpace(space);
      return log.append(stream, expected, events, basedOn);
    },
  };
}

/** @throws OutOfSpace the disk is almost full */
export function assertSpace(space: DiskSpace): void {
  if (space.isLow()) throw new OutOfSpace('the disk of the data directory is almost full; make room on it');
}

/** LevelDB reports the system's message, and no code of its own for it. */
const DISK_FULL_MESSAGE = /No space left on device|Disk quota exceeded/;

/** Whether a write failed because the disk, or this user's share of it, is full. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT' || DISK_FULL_MESSAGE.test(error.message) || isDiskFull(error.cause);
}
