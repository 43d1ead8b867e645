import { isIssueTimeValid } from './clock.ts';
import type { EventOf } from './events.ts';
import type { EpochSeconds } from './values.ts';

/** The time after a rotation during which the previous secret stays valid. */
export interface Overlap {
  readonly rotatedAt: EpochSeconds;
  readonly until: EpochSeconds;
}

/**
 * Returns a client's previous secret if the secret is valid at `now`, in seconds since the epoch. Returns null if the
 * secret has expired, or if the clock was ahead during the rotation, because the expiry would be too late.
 */
export function validPreviousSecret<Previous extends Overlap>(
  { previousSecret }: { readonly previousSecret: Previous | null },
  now: number,
): Previous | null {
  if (previousSecret === null) return null;
  const { rotatedAt, until } = previousSecret;
  return now < until && isIssueTimeValid(rotatedAt, now) ? previousSecret : null;
}

/**
 * Returns the end of an overlap after the clock was set back. An overlap that began while the clock was ahead ends no
 * later than the time to which the clock was set back.
 */
export function overlapEndAfterSetBack(
  { rotatedAt, until }: Overlap,
  { setBackTo, issuedAfter }: EventOf<'ClockSetBack'>['data'],
): EpochSeconds {
  return rotatedAt > issuedAfter && until > setBackTo ? setBackTo : until;
}
