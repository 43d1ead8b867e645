import { CLOCK_TOLERANCE_SECONDS } from '../domain/clock.ts';

interface ClockProblem {
  readonly says: string;
  readonly todo: string;
}

/**
 * Returns the problem if the clock is behind the latest time in the log by more than the tolerance, and undefined
 * otherwise. Both times are in milliseconds since the epoch.
 */
export function findClockProblem(newestAt: number, now: number): ClockProblem | undefined {
  if (newestAt - now <= CLOCK_TOLERANCE_SECONDS * 1000) return undefined;
  return {
    says:
      `the log has events recorded at ${isoTime(newestAt)}, but the clock says ${isoTime(now)}: ` +
      'credentials issued after the current time are refused',
    todo:
      'if the clock is wrong, correct it (NTP), and these credentials will work again; if the clock was ahead and is ' +
      'correct now, run grantlog clock confirm',
  };
}

/**
 * Warns the operator if the clock is behind the log. Called when a service is opened.
 * @param notice receives the warning, in one line
 */
export function reportClockProblem(newestAt: number, now: number, notice: (line: string) => void): void {
  const problem = findClockProblem(newestAt, now);
  if (problem !== undefined) notice(`${problem.says}; ${problem.todo}`);
}

function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
