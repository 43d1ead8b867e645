import { toExplanation, type Explanations, type RefusedRequest } from '../../../oauth/refusals/explanations.ts';
import type { Clients } from '../../../projections/clients.ts';
import { actingUser } from '../../pipeline/require-role.ts';
import { textColumn, timeColumn, type PageList } from '../lists/page-list.ts';
import { pageContextFor } from '../page-context.ts';
import type { PageRouter } from '../page-router.ts';
import { refusalLocals } from '../refusals/refusal-locals.ts';
import type { AdminPages } from './locals.ts';
import { sendAdminList } from './send-admin-list.ts';

export interface AdminRefusalParts {
  readonly explanations: Pick<Explanations, 'requests'>;
  readonly clients: Pick<Clients, 'find'>;
  readonly pages: Pick<AdminPages, 'adminRefusals'>;
}

/** The newest refusals of all applications, and those of requests without one. */
export function addRefusalPages(router: PageRouter, { explanations, clients, pages }: AdminRefusalParts): void {
  const nameOf = ({ clientId }: RefusedRequest): string =>
    clientId === null ? '' : (clients.find(clientId)?.name ?? clientId);
  const list: PageList<RefusedRequest> = {
    noun: ['refusal', 'refusals'],
    searchLabel: 'Search by request id, application, client id, rule or error',
    id: ({ id }) => id,
    texts: (refused) => [
      refused.id,
      nameOf(refused),
      refused.clientId ?? '',
      refused.refusal.rule,
      refused.error ?? '',
    ],
    filters: [
      {
        name: 'type',
        title: 'Sender',
        choices: [
          { value: 'authenticated', title: 'Authenticated applications', matches: ({ isProven }) => isProven },
          {
            value: 'named',
            title: 'Not authenticated',
            matches: ({ clientId, isProven }) => clientId !== null && !isProven,
          },
          { value: 'unknown', title: 'No known application', matches: ({ clientId }) => clientId === null },
        ],
      },
    ],
    columns: [
      timeColumn('time', 'Time', ({ at }) => at),
      textColumn('application', 'Application', nameOf),
      textColumn('client_id', 'Client id', ({ clientId }) => clientId ?? '', 'file'),
      textColumn('authenticated', 'Authenticated', ({ isProven }) => (isProven ? 'yes' : 'no'), 'file'),
      textColumn('rule', 'Rule', ({ refusal }) => refusal.rule),
      textColumn('headline', 'Refusal', (refused) => toExplanation(refused).headline, 'file'),
      textColumn('error', 'Error', ({ error }) => error ?? ''),
      textColumn('request', 'Request', ({ method, path }) => `${method} ${path}`, 'file'),
      textColumn('request_id', 'Request id', ({ id }) => id, 'file'),
    ],
    sort: { by: 'time', direction: 'descending' },
    empty: {
      icon: 'circle-check',
      text: 'When a request is refused, you see here why, and how to fix it.',
      action: null,
    },
    // few, because each refusal is explained
    itemsPerPage: 25,
  };

  router.get('/refusals', (ctx) => {
    sendAdminList(ctx, list, explanations.requests(), (locals, shown) =>
      pages.adminRefusals({
        ...pageContextFor(ctx, actingUser(ctx)),
        list: locals,
        refusals: shown.map((refused) => ({
          ...refusalLocals(toExplanation(refused)),
          application: refused.clientId === null ? null : { id: refused.clientId, name: nameOf(refused) },
        })),
      }),
    );
  });
}
