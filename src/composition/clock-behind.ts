import { CLOCK_TOLERANCE_SECONDS } from '../domain/clock.ts';

interface ClockProblem {
  readonly says: string;
  readonly todo: string;
}

/** How to tell that the clock is behind the log, and what to do. Both times are in milliseconds since the epoch. */
export function findClockProblem(newestAt: number, now: number): ClockProblem | undefined {
  if (newestAt - now <= CLOCK_TOLERANCE_SECONDS * 1000) return undefined;
  return {
    says:
      `the log has events of ${isoTime(newestAt)}, and the clock says ${isoTime(now)}: ` +
      'what was issued at a later time than now is refused',
    todo:
      'if the clock is wrong, set it (NTP), and everything works again; if it was ahead and is right now, run ' +
      'grantlog clock confirm',
  };
}

/** Reports it at a start. @param notice receives the line */
export function reportClockProblem(newestAt: number, now: number, notice: (line: string) => void): void {
  const found = findClockProblem(newestAt, now);
  if (found !== undefined) notice(`${found.says}; ${found.todo}`);
}

function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
