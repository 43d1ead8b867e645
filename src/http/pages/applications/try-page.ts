import type { Config } from '../../../config/config.ts';
import { observedClient } from '../../../domain/streams.ts';
import { joinTexts, message } from '../../../language/message.ts';
import { createTranslators } from '../../../language/translators.ts';
import type { Registration } from '../../../oauth/clients/registration.ts';
import type { Explanations } from '../../../oauth/refusals/explanations.ts';
import { notFound } from '../../pipeline/page-error.ts';
import { pathParameter } from '../../pipeline/path-parameter.ts';
import { requireCsrfToken } from '../../pipeline/page-form.ts';
import { pageLanguage } from '../../pipeline/reader-language.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import { pageContextFor } from '../page-context.ts';
import type { PageRouter } from '../page-router.ts';
import type { Pages } from '../render.ts';
import { sendPage } from '../send-page.ts';
import { fieldsOf } from './application-fields.ts';
import { applicationPath, tryItLocals, type ApplicationPageDeps } from './application-page.ts';
import type { RequireOwner } from './owner-routes.ts';

export interface TryPageDeps extends ApplicationPageDeps {
  readonly registration: Pick<Registration, 'forbiddenRedirectUris' | 'update'>;
  readonly explanations: Pick<Explanations, 'find'>;
  readonly pages: Pick<Pages, 'applicationTry'>;
  readonly settings: ApplicationPageDeps['settings'] & Pick<Config, 'languages'>;
}

const translators = createTranslators();

const REQUEST_ID = /^[\w-]{1,64}$/;

/**
 * Adds the page where owners try example requests for the application, the form that registers the built-in callback
 * page as a redirect URI, and the explanations of refusals that the page shows.
 */
export function addTryPage(router: PageRouter, forOwner: RequireOwner, deps: TryPageDeps): void {
  const { registration, explanations, issuer, pages, settings } = deps;

  router.get(
    '/:id/try',
    forOwner((ctx, client, caller) => {
      const locals = { ...pageContextFor(ctx, caller), ...tryItLocals(ctx, caller, client, deps) };
      sendPage(ctx, pages.applicationTry(locals));
    }),
  );

  router.post(
    '/:id/try',
    requireCsrfToken,
    forOwner(async (ctx, client, caller) => {
      const fields = { ...fieldsOf(client, issuer()), builtinCallback: true };
      const context = userCommandContext(ctx, caller, observedClient(client));
      const refusal = await registration.update(client.clientId, fields, context);
      if (refusal === undefined) ctx.state.webSession.flash(message('try-it.callback-added'));
      else if ('errors' in refusal)
        ctx.state.webSession.flash(joinTexts(Object.values(refusal.errors), 'problem.sentences') ?? '', 'warning');
      else throw notFound(); // the application was removed in the meantime
      ctx.redirect(`${applicationPath(client)}try/`);
    }),
  );

  router.get(
    '/:id/try/refusals/:request',
    forOwner((ctx, client) => {
      const requestId = pathParameter(ctx, 'request');
      if (!REQUEST_ID.test(requestId)) throw notFound();
      const refusal = explanations.find(requestId);
      const belongsToApplication = refusal !== undefined && refusal.clientId === client.clientId;
      const { text } = translators[pageLanguage(ctx, settings)];
      const messages =
        belongsToApplication &&
        Object.entries(refusal.messages).map(([name, content]) => [name, text(content)] as const);
      ctx.body = { explanation: messages ? Object.fromEntries(messages) : null };
    }),
  );
}
