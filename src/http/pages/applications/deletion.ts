import { observedClient } from '../../../domain/streams.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import { message } from '../../../language/message.ts';
import type { Registration } from '../../../oauth/clients/registration.ts';
import type { Activity } from '../../../projections/activity.ts';
import type { Client } from '../../../projections/clients.ts';
import type { Grants } from '../../../projections/grants.ts';
import { formOf, requireCsrfToken } from '../../pipeline/page-form.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import type { LoggedInUser } from '../../pipeline/web-session.ts';
import { pageContextFor, type FieldErrors } from '../page-context.ts';
import type { PageRouter } from '../page-router.ts';
import type { Pages } from '../render.ts';
import { sendPage } from '../send-page.ts';
import { applicationHeading } from './application-heading.ts';
import type { RequireOwner } from './owner-routes.ts';
import { countAuthorizations } from './people-page.ts';

export interface DeletionDeps {
  readonly registration: Pick<Registration, 'remove'>;
  readonly grants: Pick<Grants, 'countByClient'>;
  readonly activity: Pick<Activity, 'upperBoundWithin'>;
  readonly now: () => EpochSeconds;
  readonly pages: Pick<Pages, 'applicationDelete'>;
  readonly settings: { readonly accessTokenLifetimeSeconds: number };
}

/**
 * Adds the page that deletes an application. If users have authorized the application, the owner must type its name.
 */
export function addDeletion(router: PageRouter, forOwner: RequireOwner, deps: DeletionDeps): void {
  const { registration, grants, activity, now, pages, settings } = deps;

  function showDeletion(ctx: RequestContext, client: Client, caller: LoggedInUser, errors: FieldErrors): void {
    if (Object.keys(errors).length > 0) ctx.status = 422;
    const { clientId } = client;
    const authorizations = countAuthorizations(grants, client, now());
    // A confidential client may have client credentials tokens, even if it is no longer registered for that grant type.
    const mayHaveTokens = authorizations.grants > 0 || !authorizations.isExact || client.clientType === 'confidential';
    const upperBound = activity.upperBoundWithin(clientId, settings.accessTokenLifetimeSeconds, now()) ?? null;
    const revokedAccess = { ...authorizations, maxTokens: mayHaveTokens ? upperBound : 0 };
    const locals = { application: applicationHeading(client), revokedAccess, asksForName: isInUse(client), errors };
    sendPage(ctx, pages.applicationDelete({ ...pageContextFor(ctx, caller), ...locals }));
  }

  function isInUse(client: Client): boolean {
    const { users, isExact } = countAuthorizations(grants, client, now());
    return users > 0 || !isExact;
  }

  router.get(
    '/:id/delete',
    forOwner((ctx, client, caller) => showDeletion(ctx, client, caller, {})),
  );

  router.post(
    '/:id/delete',
    requireCsrfToken,
    forOwner(async (ctx, client, caller) => {
      const isConfirmed = !isInUse(client) || formOf(ctx).trimmed('name') === client.name;
      const application = client.name;
      if (!isConfirmed)
        return showDeletion(ctx, client, caller, { name: message('deletion.type-name-error', { application }) });
      await registration.remove(client.clientId, userCommandContext(ctx, caller, observedClient(client)));
      ctx.state.webSession.flash(message('deletion.done', { application }));
      ctx.redirect('/o/applications/');
    }),
  );
}
