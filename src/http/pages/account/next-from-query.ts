import { queryOf } from '../../pipeline/query.ts';
import { safeNext } from '../../pipeline/require-login.ts';
import type { RequestContext } from '../../pipeline/state.ts';

/** Returns the path on this server to continue to after the login; by default, the home page. */
export function nextFromQuery(ctx: RequestContext): string {
  return safeNext(queryOf(ctx).text('next') ?? '');
}
