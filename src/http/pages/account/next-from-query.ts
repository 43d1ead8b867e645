import { queryOf } from '../../pipeline/query.ts';
import { safeNext } from '../../pipeline/require-login.ts';
import type { RequestContext } from '../../pipeline/state.ts';

/** Returns the address to continue to after the login: the home page if the query contains none of this server. */
export function nextFromQuery(ctx: RequestContext): string {
  return safeNext(queryOf(ctx).text('next') ?? '');
}
