import type { Explanation, Explanations } from '../../../oauth/refusals/explanations.ts';
import type { Logouts } from '../../../projections/logouts.ts';
import { pageContextFor } from '../page-context.ts';
import type { PageRouter } from '../page-router.ts';
import { refusalLocals } from '../refusals/refusal-locals.ts';
import { queryOf } from '../../pipeline/query.ts';
import type { Pages } from '../render.ts';
import { sendPage } from '../send-page.ts';
import { applicationHeading } from './application-heading.ts';
import { logoutLocals } from './logout-deliveries.ts';
import type { RequireOwner } from './owner-routes.ts';

export interface RefusalsPageDeps {
  readonly explanations: Pick<Explanations, 'listByClient'>;
  readonly logouts: Pick<Logouts, 'pendingOf' | 'outcomesOf'>;
  readonly pages: Pick<Pages, 'applicationRefusals'>;
}

/** Adds the page that explains an application's refused requests and shows the deliveries of its logout tokens. */
export function addRefusalsPage(router: PageRouter, forOwner: RequireOwner, deps: RefusalsPageDeps): void {
  const { explanations, logouts, pages } = deps;
  router.get(
    '/:id/refusals',
    forOwner((ctx, client, caller) => {
      const query = (queryOf(ctx).text('q') ?? '').trim();
      const refusals = explanations.listByClient(client.clientId);
      const shownRefusals = query === '' ? selectRefusals(refusals) : refusals.filter(({ id }) => id === query);
      sendPage(
        ctx,
        pages.applicationRefusals({
          ...pageContextFor(ctx, caller),
          application: applicationHeading(client),
          query,
          refusals: shownRefusals.map(refusalLocals),
          logouts: logoutLocals(client, logouts),
        }),
      );
    }),
  );
}

const MAX_AUTHENTICATED = 20;
const MAX_UNAUTHENTICATED = 5;

/**
 * Selects the newest refusals. Authenticated and unauthenticated requests have separate limits, so unauthenticated
 * requests, which anyone can send, cannot displace authenticated requests.
 */
function selectRefusals(refusals: readonly Explanation[]): readonly Explanation[] {
  const authenticatedRefusals = refusals.filter(({ isProven }) => isProven).slice(0, MAX_AUTHENTICATED);
  const unauthenticatedRefusals = refusals.filter(({ isProven }) => !isProven).slice(0, MAX_UNAUTHENTICATED);
  return refusals.filter(
    (refusal) => authenticatedRefusals.includes(refusal) || unauthenticatedRefusals.includes(refusal),
  );
}
