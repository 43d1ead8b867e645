import { mayAdminister } from '../../../domain/roles.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import type { PageList } from '../lists/page-list.ts';
import { sendList, type ListResponse } from '../lists/send-list.ts';

/**
 * Sends a list for administrators, as a page or as a file. A long file is cut off if the reader logs out or loses the
 * administrator role.
 */
export function sendAdminList<Item>(
  ctx: RequestContext,
  list: PageList<Item>,
  items: readonly Item[],
  page: ListResponse<Item>['page'],
): void {
  const mayStillRead = (): boolean => mayAdminister(ctx.state.webSession.loggedInUser()?.user.roles ?? []);
  sendList(ctx, { list, items, page, mayStillRead });
}
