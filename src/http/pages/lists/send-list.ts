import { csvRow } from '../../../audit/queries/csv.ts';
import { selectAll, selectPage } from '../../../lists/select.ts';
import { sendDownload } from '../../pipeline/download.ts';
import { PageError } from '../../pipeline/page-error.ts';
import { queryOf } from '../../pipeline/query.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { sendPage } from '../send-page.ts';
import { ITEMS_PER_PAGE, listLocals, type ListLocals } from './list-locals.ts';
import { readListRequest, type ListRequest } from './list-request.ts';
import type { PageColumn, PageList } from './page-list.ts';
import { message } from '../../../language/message.ts';

export interface ListResponse<Item> {
  readonly list: PageList<Item>;
  /** All items, before search and filters. */
  readonly items: readonly Item[];
  /** Renders the page. `items` are the items that the page shows, in order. */
  readonly page: (list: ListLocals, items: readonly Item[]) => string;
  /** Reports whether the reader may still read the list. Called repeatedly while a long file is being sent. */
  readonly mayStillRead: () => boolean;
}

/**
 * Sends the page of a list that the URL selects, or the whole selection as a file (`?format=csv`). The page and the
 * file share one route, and therefore the same guard.
 * @throws PageError 400 if a query field is too long or malformed, or 422 if the format is unknown
 */
export function sendList<Item>(ctx: RequestContext, response: ListResponse<Item>): void {
  const { list, items, page: render } = response;
  const fields = queryOf(ctx);
  const request = readListRequest(fields, list);
  const format = fields.text('format');
  if (format === 'csv') return sendCsv(ctx, request, response);
  if (format !== undefined) throw new PageError(422, message('error.unknown-format'), message('error.list-format'));
  const page = selectPage(list, items, request, request.place, list.itemsPerPage ?? ITEMS_PER_PAGE);
  sendPage(ctx, render(listLocals(list, request, page, { path: ctx.path, total: items.length }), page.items));
}

function sendCsv<Item>(
  ctx: RequestContext,
  request: ListRequest,
  { list, items, mayStillRead }: ListResponse<Item>,
): void {
  const columns = list.columns.filter(({ isSortable }) => isSortable !== false); // the others are only on the page
  sendDownload(ctx, {
    fileName: `grantlog-${list.fileName}.csv`,
    contentType: 'text/csv; charset=utf-8',
    *generate() {
      yield csvRow(columns.map(({ name }) => name));
      for (const item of selectAll(list, items, request)) yield csvRow(columns.map((column) => csvCell(column, item)));
    },
    mayStillRead,
  });
}

function csvCell<Item>({ kind, value }: PageColumn<Item>, item: Item): string | number {
  const content = value(item) ?? '';
  return kind === 'time' && typeof content === 'number' ? new Date(content * 1000).toISOString() : content;
}
