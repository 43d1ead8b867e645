import { LogUnavailable, type EventLog } from './event-log.ts';

/** An append was refused because the disk is almost full. Nothing was written, and the log remains available. */
export class OutOfSpace extends LogUnavailable {
  override readonly name = 'OutOfSpace';
}

interface DiskSpace {
  isLow(): boolean;
}

type WritableLog = Pick<EventLog, 'append' | 'readStream' | 'readStreamBackwards'>;

/** Returns the same log, but appends throw `OutOfSpace` while the disk is almost full. */
export function withSpaceCheck(log: WritableLog, space: DiskSpace): WritableLog {
  return {
    readStream: (stream, from) => log.readStream(stream, from),
    readStreamBackwards: (stream, from) => log.readStreamBackwards(stream, from),
    async append(...append) {
      assertSpace(space);
      return log.append(...append);
    },
  };
}

/**
 * Checks that the disk has space for an append.
 * @throws OutOfSpace if the disk is almost full
 */
export function assertSpace(space: DiskSpace): void {
  if (space.isLow()) throw new OutOfSpace('the disk that holds the data directory is almost full; free some space');
}

/** LevelDB passes on the system's message, but no error code. */
const DISK_FULL_MESSAGE = /No space left on device|Disk quota exceeded/;

/** Reports whether a write failed because the disk or this user's quota is full. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT' || DISK_FULL_MESSAGE.test(error.message) || isDiskFull(error.cause);
}
