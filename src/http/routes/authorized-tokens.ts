import { Router } from '@koa/router';
import { grantStream } from '../../domain/streams.ts';
import type { EpochSeconds, GrantId } from '../../domain/values.ts';
import type { GrantCommands } from '../../oauth/grant-types/grant-type.ts';
import type { Clients } from '../../projections/clients.ts';
import type { Grants } from '../../projections/grants.ts';
import { forLoggedIn } from '../log-in-redirect.ts';
import { requireCsrfToken } from '../middleware/page-form.ts';
import { framedFor } from '../page-context.ts';
import { notFound } from '../page-error.ts';
import type { Pages } from '../render.ts';
import { sendPage } from '../send-page.ts';
import type { RequestState } from '../state.ts';

export interface AuthorizedTokensParts {
  readonly liveGrants: Grants;
  readonly grants: GrantCommands;
  readonly clients: Clients;
  readonly pages: Pick<Pages, 'authorizedTokens'>;
  readonly now: () => EpochSeconds;
  readonly settings: { readonly loginUrl: string; readonly scopes: Readonly<Record<string, string>> };
}

/** What the logged-in user has authorized, and its end. */
export function authorizedTokensRoutes(parts: AuthorizedTokensParts): Router<RequestState> {
  const { liveGrants, grants, clients, pages, now, settings } = parts;
  const router = new Router<RequestState>({ sensitive: true, prefix: '/o/authorized_tokens' });

  router.get('/', forLoggedIn(settings.loginUrl, (ctx, person) => {
    const given = liveGrants.ofUser(person.user.userId, now()).map(({ grantId, clientId, scope, resource = [], grantedAt }) => ({
      grantId,
      applicationName: clients.find(clientId)?.name ?? clientId,
      scopes: scope.map((name) => ({ name, description: settings.scopes[name] ?? name })),
      resources: resource,
      since: grantedAt as EpochSeconds,
    }));
    sendPage(ctx, pages.authorizedTokens({ ...framedFor(ctx, person), grants: given }));
  }));

  router.post('/:id/revoke', requireCsrfToken, forLoggedIn(settings.loginUrl, async (ctx, { user }) => {
    const grant = liveGrants.find((ctx['params'] as { id: GrantId }).id);
    if (grant === undefined || grant.userId !== user.userId) throw notFound();
    const context = { actor: { kind: 'user', id: user.userId }, requestId: ctx.state.requestId } as const;
    await grants.execute(grantStream(grant.grantId), { type: 'RevokeGrant', reason: 'revoked-by-resource-owner' }, context);
    ctx.redirect('/o/authorized_tokens/');
  }));

  return router;
}
