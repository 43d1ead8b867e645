import { usesSecret } from '../../../domain/client-authentication.ts';
import type { Registration } from '../../../oauth/clients/registration.ts';
import type { Client } from '../../../projections/clients.ts';
import { applicationPath, applicationLocals, oldSecretLocals, type ApplicationPageDeps } from './application-page.ts';
import { endpointsFor, type EndpointDeps } from './endpoints.ts';
import { envFile, envFileName } from './env-file.ts';
import type { RequireOwner } from './owner-routes.ts';
import { requireCsrfToken } from '../../pipeline/page-form.ts';
import { pageContextFor } from '../page-context.ts';
import { notFound } from '../../pipeline/page-error.ts';
import type { Pages } from '../render.ts';
import type { ResubmissionGuard } from '../../pipeline/resubmission-guard.ts';
import { createSecretRotation } from './secret-rotation.ts';
import type { SecretsShownOnce } from './secrets-shown-once.ts';
import { sendPage } from '../send-page.ts';
import type { PageRouter } from '../page-router.ts';

export interface ApplicationSecretDeps extends ApplicationPageDeps, EndpointDeps {
  readonly registration: Pick<Registration, 'rotateSecret' | 'forbiddenRedirectUris'>;
  readonly secretsShownOnce: SecretsShownOnce;
  readonly resubmissionGuard: ResubmissionGuard;
  readonly pages: Pick<Pages, 'applicationRotate' | 'applicationCredentials'>;
}

/** Adds the form that rotates a client secret, and the page that shows a new secret once. */
export function addSecretPages(router: PageRouter, forOwner: RequireOwner, deps: ApplicationSecretDeps): void {
  const { secretsShownOnce, pages, now } = deps;
  const { mintFormId, rotate } = createSecretRotation(deps);
  const forOwnerWithSecret: RequireOwner = (handler) =>
    forOwner((ctx, client, user) => {
      if (!usesSecret(client.authentication)) throw notFound();
      return handler(ctx, client, user);
    });

  router.get(
    '/:id/rotate_secret',
    forOwnerWithSecret((ctx, client, user) => {
      const application = applicationLocals(client);
      sendPage(
        ctx,
        pages.applicationRotate({
          ...pageContextFor(ctx, user),
          application,
          formId: mintFormId(client),
          oldSecret: oldSecretLocals(client, now()),
        }),
      );
    }),
  );

  router.post(
    '/:id/rotate_secret',
    requireCsrfToken,
    forOwnerWithSecret(async (ctx, client, user) => {
      await rotate(ctx, user, client, credentialsPath(client));
    }),
  );

  router.get(
    '/:id/credentials/:page',
    forOwnerWithSecret((ctx, client, user) => {
      const clientSecret = secretsShownOnce.take(ctx, user) ?? null;
      sendPage(
        ctx,
        pages.applicationCredentials({
          ...pageContextFor(ctx, user),
          application: applicationLocals(client),
          oldSecret: oldSecretLocals(client, now()),
          clientSecret,
          envFile: { name: envFileName(client), text: envFile(client, endpointsFor(client, deps), clientSecret) },
        }),
      );
    }),
  );
}

/** Returns the base path of the pages that each show owners a new secret once: see `SecretsShownOnce`. */
export function credentialsPath(client: Pick<Client, 'clientId'>): string {
  return `${applicationPath(client)}credentials/`;
}
