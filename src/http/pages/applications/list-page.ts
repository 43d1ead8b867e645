import type { Client, Clients } from '../../../projections/clients.ts';
import { queryOf } from '../../pipeline/query.ts';
import { requireLogin } from '../../pipeline/require-login.ts';
import { pageContextFor } from '../page-context.ts';
import type { PageRouter } from '../page-router.ts';
import { paginate } from '../paging.ts';
import type { Pages } from '../render.ts';
import { sendPage } from '../send-page.ts';
import { applicationLocals } from './application-page.ts';

export interface ListParts {
  readonly clients: Pick<Clients, 'newestOwnedBy' | 'countOwnedBy'>;
  readonly pages: Pick<Pages, 'applicationList'>;
  readonly settings: { readonly loginUrl: string };
}

/** The orders of the list. The first is the default. Applications of equal rank stay in the default order. */
const ORDERS = {
  newest: undefined,
  name: (one: Client, other: Client) => COLLATOR.compare(one.name, other.name),
  'last-used': (one: Client, other: Client) => lastUse(other) - lastUse(one),
} as const;
type Order = keyof typeof ORDERS;

/** Sorts numbers in names by their value. */
const COLLATOR = new Intl.Collator('en', { numeric: true });

/** The list of the user's applications. */
export function addList(router: PageRouter, { clients, pages, settings }: ListParts): void {
  router.get(
    '/',
    requireLogin(settings.loginUrl, (ctx, caller) => {
      const { userId } = caller.user;
      const sort = orderNamed(queryOf(ctx).text('sort'));
      const find = (query: string) => ordered(search(clients.newestOwnedBy(userId), query), sort);
      const { items, paging } = paginate(ctx, find, undefined, sort === 'newest' ? {} : { sort });
      const applications = items.map((client) => ({
        ...applicationLocals(client),
        registeredAt: client.registeredAt,
        lastUsed: client.lastUse.anySecret?.at ?? null,
      }));
      const total = clients.countOwnedBy(userId);
      sendPage(ctx, pages.applicationList({ ...pageContextFor(ctx, caller), paging, sort, total, applications }));
    }),
  );
}

function orderNamed(text: string | undefined): Order {
  return text === 'name' || text === 'last-used' ? text : 'newest';
}

function ordered(newestFirst: Iterable<Client>, order: Order): Iterable<Client> {
  const compare = ORDERS[order];
  return compare === undefined ? newestFirst : [...newestFirst].toSorted(compare);
}

function lastUse({ lastUse: { anySecret } }: Client): number {
  return anySecret?.at ?? 0;
}

function* search(clients: Iterable<Client>, query: string): Generator<Client, void, void> {
  const wanted = query.toLowerCase();
  for (const client of clients) {
    if ([client.name, client.clientId].some((text) => text.toLowerCase().includes(wanted))) yield client;
  }
}
