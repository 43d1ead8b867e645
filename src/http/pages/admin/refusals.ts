import type { Explanations, RefusedRequest } from '../../../oauth/refusals/explanations.ts';
import type { Clients } from '../../../projections/clients.ts';
import { queryOf } from '../../pipeline/query.ts';
import { actingUser } from '../../pipeline/require-role.ts';
import { pageContextFor } from '../page-context.ts';
import type { PageRouter } from '../page-router.ts';
import { refusalLocals } from '../refusals/refusal-locals.ts';
import { sendPage } from '../send-page.ts';
import type { AdminPages } from './locals.ts';

export interface AdminRefusalParts {
  readonly explanations: Pick<Explanations, 'newest'>;
  readonly clients: Pick<Clients, 'find'>;
  readonly pages: Pick<AdminPages, 'adminRefusals'>;
}

const MOST_SHOWN = 50;

/** By their values in the query. */
const SENDERS: Readonly<Record<string, (refused: RefusedRequest) => boolean>> = {
  '': () => true,
  authenticated: ({ isProven }) => isProven,
  named: ({ clientId, isProven }) => clientId !== null && !isProven,
  unknown: ({ clientId }) => clientId === null,
};

/** The newest refusals of all applications, and those of requests without one. */
export function addRefusalPages(router: PageRouter, { explanations, clients, pages }: AdminRefusalParts): void {
  function matches({ id, clientId }: RefusedRequest, query: string): boolean {
    if (query === '' || id === query) return true;
    if (clientId === null) return false;
    const name = clients.find(clientId)?.name.toLowerCase() ?? '';
    return clientId === query || name.includes(query.toLowerCase());
  }

  router.get('/refusals', (ctx) => {
    const fields = queryOf(ctx);
    const query = (fields.text('q') ?? '').trim();
    const sender = fields.text('type') ?? '';
    const isFrom = SENDERS[sender] ?? SENDERS[''] ?? (() => true);
    const found = explanations.newest(MOST_SHOWN + 1, (refused) => isFrom(refused) && matches(refused, query));
    sendPage(
      ctx,
      pages.adminRefusals({
        ...pageContextFor(ctx, actingUser(ctx)),
        query,
        sender: sender in SENDERS ? sender : '',
        isComplete: found.length <= MOST_SHOWN,
        refusals: found.slice(0, MOST_SHOWN).map((explanation) => {
          const { clientId } = explanation;
          const name = clientId === null ? undefined : clients.find(clientId)?.name;
          const application = clientId === null ? null : { id: clientId, name: name ?? clientId };
          return { ...refusalLocals(explanation), application };
        }),
      }),
    );
  });
}
