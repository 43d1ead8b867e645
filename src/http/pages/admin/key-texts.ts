import type { SigningKey, SigningKeys } from '../../../projections/signing-keys.ts';
import { readerTimeZone } from '../../pipeline/reader-time-zone.ts';
import { actingUser } from '../../pipeline/require-role.ts';
import type { RequestContext } from '../../pipeline/state.ts';

/** Enough to tell keys apart, in one line of a table. */
const SHOWN = 10;

/** The start of the key's id. */
export function shortKeyId({ kid }: Pick<SigningKey, 'kid'>): string {
  return kid.length > SHOWN + 1 ? `${kid.slice(0, SHOWN)}…` : kid;
}

/** A value that differs after each introduction, so that a form that is sent twice introduces keys once. */
export function keyVersion(keys: Pick<SigningKeys, 'all'>): string {
  return `keys ${keys.all().at(-1)?.introducedPosition ?? 0}`;
}

/** The time zone of the administrator; undefined if it is not known. */
export function zoneOf(ctx: RequestContext): string | undefined {
  return readerTimeZone(ctx, actingUser(ctx).user.profile.zoneinfo)?.name;
}
