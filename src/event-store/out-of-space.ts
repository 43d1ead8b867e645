import { LogUnavailable, type EventLog } from './event-log.ts';

/** An append was refused because the disk is almost full. Nothing was written, and the log goes on. */
export class OutOfSpace extends LogUnavailable {
  override readonly name = 'OutOfSpace';
}

interface Space {
  isLow(): boolean;
}

type WritableLog = Pick<EventLog, 'append' | 'readStream' | 'readStreamBack'>;

/** The same log, which refuses appends with `OutOfSpace` while the disk is almost full. */
export function refusingWhenLow(log: WritableLog, space: Space): WritableLog {
  return {
    readStream: (stream, from) => log.readStream(stream, from),
    readStreamBack: (stream, from) => log.readStreamBack(stream, from),
    async append(stream, expected, events, basedOn) {
      mustHaveSpace(space);
      return log.append(stream, expected, events, basedOn);
    },
  };
}

/** @throws OutOfSpace the disk is almost full */
export function mustHaveSpace(space: Space): void {
  if (space.isLow()) throw new OutOfSpace('the disk of the data directory is almost full; make room on it');
}

/** LevelDB reports the system's message, and no code of its own for it. */
const FULL = /No space left on device|Disk quota exceeded/;

/** Whether a write failed because the disk, or this user's share of it, is full. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT' || FULL.test(error.message) || isDiskFull(error.cause);
}
