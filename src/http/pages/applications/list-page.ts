import type { Client, Clients } from '../../../projections/clients.ts';
import { requireLogin } from '../../pipeline/require-login.ts';
import { message } from '../../../language/message.ts';
import { textColumn, timeColumn, type PageList } from '../lists/page-list.ts';
import { sendList } from '../lists/send-list.ts';
import { pageContextFor } from '../page-context.ts';
import type { PageRouter } from '../page-router.ts';
import type { Pages } from '../render.ts';
import { applicationLocals } from './application-page.ts';

export interface ListDeps {
  readonly clients: Pick<Clients, 'newestOwnedBy'>;
  readonly pages: Pick<Pages, 'applicationList'>;
  readonly settings: { readonly loginUrl: string };
}

const OWN_APPLICATIONS: PageList<Client> = {
  name: message('listed.applications'),
  countMessage: 'listed.applications.count',
  fileName: 'applications',
  searchLabel: message('search.name-or-client-id'),
  id: ({ registeredPosition }) => registeredPosition,
  texts: ({ name, clientId }) => [name, clientId],
  filters: [
    {
      name: 'client_type',
      title: message('column.type'),
      choices: [
        {
          value: 'confidential',
          title: message('choice.confidential'),
          matches: ({ clientType }) => clientType === 'confidential',
        },
        { value: 'public', title: message('choice.public'), matches: ({ clientType }) => clientType === 'public' },
      ],
    },
    {
      name: 'mode',
      title: message('column.mode'),
      choices: [
        { value: 'live', title: message('choice.live'), matches: ({ mode }) => mode === 'live' },
        { value: 'test', title: message('choice.test'), matches: ({ mode }) => mode === 'test' },
      ],
    },
  ],
  columns: [
    textColumn('name', message('column.name'), ({ name }) => name),
    textColumn('client_id', message('column.client-id'), ({ clientId }) => clientId),
    textColumn('client_type', message('column.type'), ({ clientType }) => clientType),
    textColumn('mode', message('column.mode'), ({ mode }) => mode),
    textColumn('grants', message('column.grant-types'), ({ grantTypes }) => grantTypes.join(' ')),
    timeColumn('newest', message('column.registered'), ({ registeredAt }) => registeredAt),
    timeColumn(
      'last-used',
      message('column.last-used'),
      ({ lastUse }) => lastUse.anySecret?.at,
      message('value.never'),
    ),
  ],
  sort: { by: 'newest', direction: 'descending' },
  empty: { icon: 'app-window', text: '', action: null },
};

/** Adds the list of the user's applications. */
export function addList(router: PageRouter, { clients, pages, settings }: ListDeps): void {
  router.get(
    '/',
    requireLogin(settings.loginUrl, (ctx, caller) => {
      sendList(ctx, {
        list: OWN_APPLICATIONS,
        items: [...clients.newestOwnedBy(caller.user.userId)],
        mayStillRead: () => ctx.state.webSession.loggedInUser() !== undefined,
        page: (list, items) =>
          pages.applicationList({
            ...pageContextFor(ctx, caller),
            list,
            applications: items.map((client) => ({
              ...applicationLocals(client),
              registeredAt: client.registeredAt,
              lastUsed: client.lastUse.anySecret?.at ?? null,
            })),
          }),
      });
    }),
  );
}
