import { Router } from '@koa/router';
import { grantStream } from '../../domain/streams.ts';
import type { EpochSeconds, GrantId, UserId } from '../../domain/values.ts';
import type { GrantCommands } from '../../oauth/grant-types/grant-type.ts';
import type { Clients } from '../../projections/clients.ts';
import type { Grants, LiveGrant } from '../../projections/grants.ts';
import type { User } from '../../projections/users.ts';
import { forLoggedIn } from '../log-in-redirect.ts';
import { requireCsrfToken } from '../middleware/page-form.ts';
import { framedFor } from '../page-context.ts';
import { alreadyEnded } from '../page-error.ts';
import { pathParameter } from '../path-parameter.ts';
import { queryOf } from '../query.ts';
import type { AuthorizedTokensLocals, Pages } from '../render.ts';
import type { DescribeScope } from '../scope-descriptions.ts';
import { sendPage } from '../send-page.ts';
import type { RequestState } from '../state.ts';

export interface AuthorizedTokensParts {
  readonly liveGrants: Grants;
  readonly grants: GrantCommands;
  readonly clients: Clients;
  readonly users: { find(userId: UserId): User | undefined };
  readonly pages: Pick<Pages, 'authorizedTokens'>;
  readonly now: () => EpochSeconds;
  readonly describeScope: DescribeScope;
  readonly settings: { readonly loginUrl: string };
}

/** On one page, the newest first. */
const SHOWN = 50;

/** What the logged-in user has authorized, and its end. */
export function authorizedTokensRoutes(parts: AuthorizedTokensParts): Router<RequestState> {
  const { liveGrants, grants, clients, users, pages, now, describeScope, settings } = parts;
  const router = new Router<RequestState>({ sensitive: true, prefix: '/o/authorized_tokens' });

  function toLocals({ grantId, clientId, scope, resource = [], grantedAt, lastTokensAt }: LiveGrant): AuthorizedTokensLocals['grants'][number] {
    const client = clients.find(clientId);
    const owner = client === undefined || client.ownerId === null ? undefined : users.find(client.ownerId);
    return {
      grantId,
      applicationName: client?.name ?? clientId,
      owner: owner?.username ?? 'the operator of this server',
      scopes: scope.map(describeScope),
      resources: resource,
      since: grantedAt as EpochSeconds,
      lastUsed: (lastTokensAt ?? grantedAt) as EpochSeconds,
    };
  }

  router.get('/', forLoggedIn(settings.loginUrl, (ctx, person) => {
    const before = Number(queryOf(ctx).text('before') ?? Infinity); // of what is no number, nothing is older
    const given = liveGrants.ofUser(person.user.userId, now()).filter(({ grantedPosition }) => grantedPosition < before).toReversed();
    const shown = given.slice(0, SHOWN);
    const older = given.length > SHOWN ? `/o/authorized_tokens/?before=${shown.at(-1)?.grantedPosition ?? 0}` : null;
    sendPage(ctx, pages.authorizedTokens({ ...framedFor(ctx, person), grants: shown.map(toLocals), older }));
  }));

  router.post('/:id/revoke', requireCsrfToken, forLoggedIn(settings.loginUrl, async (ctx, { user }) => {
    const grant = liveGrants.find(pathParameter(ctx, 'id') as GrantId);
    if (grant === undefined || grant.userId !== user.userId) throw alreadyEnded('Authorized applications');
    const context = { actor: { kind: 'user', id: user.userId }, ...ctx.state.mark } as const;
    await grants.execute(grantStream(grant.grantId), { type: 'RevokeGrant', reason: 'revoked-by-resource-owner' }, context);
    const name = clients.find(grant.clientId)?.name ?? grant.clientId;
    const hasMore = liveGrants.ofUser(user.userId, now()).some(({ grantId, clientId }) => clientId === grant.clientId && grantId !== grant.grantId);
    ctx.state.webSession.flash(`Access taken back: what ${name} got with it stopped working.${hasMore ? ' What you gave it at other times goes on.' : ''}`);
    ctx.redirect('/o/authorized_tokens/');
  }));

  return router;
}
