import { connectedAgents, listPlaces } from '../../../audit/queries/connected-agents.ts';
import type { ClientId, UserId } from '../../../domain/values.ts';
import { message } from '../../../language/message.ts';
import type { Clients } from '../../../projections/clients.ts';
import type { Grants } from '../../../projections/grants.ts';
import { requireCsrfToken } from '../../pipeline/page-form.ts';
import { noLongerExistsError } from '../../pipeline/page-error.ts';
import { pathParameter } from '../../pipeline/path-parameter.ts';
import { requireLogin } from '../../pipeline/require-login.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import type { Route } from '../../route.ts';
import { pageContextFor } from '../page-context.ts';
import { createPageRouter, WITHOUT_CHANGE_LIMIT } from '../page-router.ts';
import { paginate } from '../paging.ts';
import type { Pages } from '../render.ts';
import { sendPage } from '../send-page.ts';
import { describeAuthorizedApplication, type AuthorizedLocalsDeps } from './authorized-locals.ts';
import { revocationByUser, revokeAllAuthorizations, type RevocationDeps } from './revoke-authorizations.ts';

export interface ConnectedAgentsDeps extends RevocationDeps, AuthorizedLocalsDeps {
  readonly grants: Pick<Grants, 'listByUser' | 'listIds'>;
  readonly clients: Pick<Clients, 'find'>;
  readonly pages: Pick<Pages, 'connectedAgents'>;
  readonly settings: AuthorizedLocalsDeps['settings'] & { readonly loginUrl: string };
}

const PATH = '/accounts/agents';
const AGENTS_PER_PAGE = 10;

/**
 * Returns the routes that list the agents that act for the logged-in user, and that end the access of agents. The list
 * of authorized applications also contains the agents.
 */
export function connectedAgentsRoutes(deps: ConnectedAgentsDeps): readonly Route[] {
  const { clients, pages, settings } = deps;
  const router = createPageRouter({ prefix: PATH });

  /**
   * Ends an agent's access.
   * @returns the number of the agent's authorizations that still have valid tokens
   */
  const endAccess = (ctx: RequestContext, userId: UserId, clientId: ClientId): Promise<number> =>
    revokeAllAuthorizations(ctx, { userId, clientId }, revocationByUser(ctx, userId), deps);

  router.get(
    '/',
    requireLogin(settings.loginUrl, (ctx, caller) => {
      const allAgents = connectedAgents(caller.user.userId, deps);
      const { items, paging } = paginate(ctx, () => allAgents, AGENTS_PER_PAGE);
      const agents = items.map((agent) => ({
        ...describeAuthorizedApplication(agent, deps),
        places: listPlaces(agent.clientId, clients.find(agent.clientId)),
      }));
      sendPage(ctx, pages.connectedAgents({ ...pageContextFor(ctx, caller), paging, agents, count: allAgents.length }));
    }),
  );

  router.with(WITHOUT_CHANGE_LIMIT).post(
    '/:client/end',
    requireCsrfToken,
    requireLogin(settings.loginUrl, async (ctx, { user: { userId } }) => {
      const requestedId = pathParameter(ctx, 'client');
      const agent = connectedAgents(userId, deps).find(({ clientId }) => clientId === requestedId);
      if (agent === undefined) throw noLongerExistsError(message('agents.title'));
      const remainingCount = await endAccess(ctx, userId, agent.clientId);
      if (remainingCount === 0) ctx.state.webSession.flash(message('agents.ended', { agent: agent.name }));
      else ctx.state.webSession.flash(message('agents.not-ended', { agent: agent.name }), 'warning');
      ctx.redirect(`${PATH}/`);
    }),
  );

  router.with(WITHOUT_CHANGE_LIMIT).post(
    '/end',
    requireCsrfToken,
    requireLogin(settings.loginUrl, async (ctx, { user: { userId } }) => {
      const agents = connectedAgents(userId, deps);
      if (agents.length === 0) throw noLongerExistsError(message('agents.title'));
      for (const { clientId } of agents) await endAccess(ctx, userId, clientId);
      const remainingAgents = connectedAgents(userId, deps).map(({ name }) => name);
      if (remainingAgents.length === 0) ctx.state.webSession.flash(message('agents.all-ended'));
      else ctx.state.webSession.flash(message('agents.some-left', { agents: remainingAgents.join(', ') }), 'warning');
      ctx.redirect(`${PATH}/`);
    }),
  );

  return router.routes;
}
