import { CLOCK_TOLERANCE_SECONDS } from '../domain/clock.ts';

interface ClockProblem {
  readonly says: string;
  readonly todo: string;
}

/**
 * Returns the problem if the clock is behind the latest event by more than the tolerance, or undefined if it is not.
 * Both times are in milliseconds since the epoch.
 */
export function findClockProblem(newestAt: number, now: number): ClockProblem | undefined {
  if (newestAt - now <= CLOCK_TOLERANCE_SECONDS * 1000) return undefined;
  return {
    says:
      `the log has events recorded at ${isoTime(newestAt)}, but the clock says ${isoTime(now)}: ` +
      'credentials issued later than the current time are refused',
    todo:
      'if the clock is wrong, correct it (NTP), and everything works again; if it was ahead and is correct now, run ' +
      'grantlog clock confirm',
  };
}

/**
 * Reports the problem with the clock, if there is one, when a service is opened.
 * @param notice receives the line
 */
export function reportClockProblem(newestAt: number, now: number, notice: (line: string) => void): void {
  const problem = findClockProblem(newestAt, now);
  if (problem !== undefined) notice(`${problem.says}; ${problem.todo}`);
}

function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
