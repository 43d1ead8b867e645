import type { Client, Clients } from '../../../projections/clients.ts';
import { requireLogin } from '../../pipeline/require-login.ts';
import { textColumn, timeColumn, type PageList } from '../lists/page-list.ts';
import { sendList } from '../lists/send-list.ts';
import { pageContextFor } from '../page-context.ts';
import type { PageRouter } from '../page-router.ts';
import type { Pages } from '../render.ts';
import { applicationLocals } from './application-page.ts';

export interface ListParts {
  readonly clients: Pick<Clients, 'newestOwnedBy'>;
  readonly pages: Pick<Pages, 'applicationList'>;
  readonly settings: { readonly loginUrl: string };
}

const OWN_APPLICATIONS: PageList<Client> = {
  noun: ['application', 'applications'],
  searchLabel: 'Search by name or client id',
  id: ({ registeredPosition }) => registeredPosition,
  texts: ({ name, clientId }) => [name, clientId],
  filters: [
    {
      name: 'client_type',
      title: 'Type',
      choices: [
        { value: 'confidential', title: 'Confidential', matches: ({ clientType }) => clientType === 'confidential' },
        { value: 'public', title: 'Public', matches: ({ clientType }) => clientType === 'public' },
      ],
    },
    {
      name: 'mode',
      title: 'Mode',
      choices: [
        { value: 'live', title: 'Live', matches: ({ mode }) => mode === 'live' },
        { value: 'test', title: 'Test', matches: ({ mode }) => mode === 'test' },
      ],
    },
  ],
  columns: [
    textColumn('name', 'Name', ({ name }) => name),
    textColumn('client_id', 'Client id', ({ clientId }) => clientId),
    textColumn('client_type', 'Type', ({ clientType }) => clientType),
    textColumn('mode', 'Mode', ({ mode }) => mode),
    textColumn('grants', 'Grant types', ({ grantTypes }) => grantTypes.join(' ')),
    timeColumn('newest', 'Registered', ({ registeredAt }) => registeredAt),
    timeColumn('last-used', 'Last used', ({ lastUse }) => lastUse.anySecret?.at, 'never'),
  ],
  sort: { by: 'newest', direction: 'descending' },
  empty: { icon: 'app-window', text: '', action: null },
};

/** The list of the user's applications. */
export function addList(router: PageRouter, { clients, pages, settings }: ListParts): void {
  router.get(
    '/',
    requireLogin(settings.loginUrl, (ctx, caller) => {
      sendList(ctx, {
        list: OWN_APPLICATIONS,
        items: [...clients.newestOwnedBy(caller.user.userId)],
        mayStillRead: () => ctx.state.webSession.loggedInUser() !== undefined,
        page: (list, shown) =>
          pages.applicationList({
            ...pageContextFor(ctx, caller),
            list,
            applications: shown.map((client) => ({
              ...applicationLocals(client),
              registeredAt: client.registeredAt,
              lastUsed: client.lastUse.anySecret?.at ?? null,
            })),
          }),
      });
    }),
  );
}
