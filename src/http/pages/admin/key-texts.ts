import type { SigningKey, SigningKeys } from '../../../projections/signing-keys.ts';
import { readerTimeZone } from '../../pipeline/reader-time-zone.ts';
import { actingUser } from '../../pipeline/require-role.ts';
import type { RequestContext } from '../../pipeline/state.ts';

/** Long enough to tell keys apart, and short enough for one line in a table cell. */
const SHORT_ID_LENGTH = 10;

/** Returns the first characters of the key's id, or the whole id if it is short. */
export function shortKeyId({ kid }: Pick<SigningKey, 'kid'>): string {
  return kid.length > SHORT_ID_LENGTH + 1 ? `${kid.slice(0, SHORT_ID_LENGTH)}…` : kid;
}

/**
 * Returns a value that changes whenever keys are introduced, so that a form that is submitted twice introduces keys
 * only once.
 */
export function keyVersion(keys: Pick<SigningKeys, 'all'>): string {
  return `keys ${keys.all().at(-1)?.introducedPosition ?? 0}`;
}

/** Returns the name of the administrator's time zone, or undefined if it is unknown. */
export function administratorTimeZone(ctx: RequestContext): string | undefined {
  return readerTimeZone(ctx, actingUser(ctx).user.profile.zoneinfo)?.name;
}
