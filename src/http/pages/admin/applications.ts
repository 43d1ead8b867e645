import type { RemovalForecasts } from '../../../audit/queries/removal-forecasts.ts';
import { message, type Text } from '../../../language/message.ts';
import { usesSecret } from '../../../domain/client-authentication.ts';
import { ownersOf, testUsersOf } from '../../../domain/members.ts';
import { observedClient } from '../../../domain/streams.ts';
import { RESTRICTED_SCOPES, type EpochSeconds } from '../../../domain/values.ts';
import type { Registration } from '../../../oauth/clients/registration.ts';
import type { Client, Clients } from '../../../projections/clients.ts';
import type { ExchangePolicies } from '../../../projections/exchange-policies.ts';
import type { Users } from '../../../projections/users.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import { applicationList, type ApplicationListDeps } from './application-list.ts';
import { addAdminPeople, adminMembers, type ApplicationLookup, type AdminPeopleDeps } from './application-people.ts';
import { addApplicationForm, type AdminFormDeps } from './application-form.ts';
import { addApplicationStatus } from './application-status.ts';
import { addApplicationUsers, type ApplicationUsersDeps } from './application-users.ts';
import { addApplicationTransfer } from './application-transfer.ts';
import { policiesOf } from './exchange-policies.ts';
import type { AdminApplicationLocals, AdminPages } from './locals.ts';
import { applicationLocals, oldSecretLocals } from '../applications/application-page.ts';
import { changeByForm } from '../../pipeline/change-by-form.ts';
import { formOf } from '../../pipeline/page-form.ts';
import { pageContextFor } from '../page-context.ts';
import { missingItemError, notFound } from '../../pipeline/page-error.ts';
import { queryOf } from '../../pipeline/query.ts';
import { pathParameter } from '../../pipeline/path-parameter.ts';
import { actingUser } from '../../pipeline/require-role.ts';
import type { ResubmissionGuard } from '../../pipeline/resubmission-guard.ts';
import { addKeysPage, type KeysPageDeps } from '../applications/keys-page.ts';
import { presentationOf } from '../applications/presentation.ts';
import type { ApplicationArea } from '../applications/owner-routes.ts';
import { createSecretRotation } from '../applications/secret-rotation.ts';
import type { SecretsShownOnce } from '../applications/secrets-shown-once.ts';
import { applicationFacts } from './removal-facts.ts';
import { RESTRICTED_SCOPE_DESCRIPTIONS, restrictedScopesNotice } from './restricted-scope-texts.ts';
import { sendAdminList } from './send-admin-list.ts';
import { sendPage } from '../send-page.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import type { PageRouter } from '../page-router.ts';

export interface AdminApplicationDeps
  extends
    AdminPeopleDeps,
    Omit<AdminFormDeps, 'pages'>,
    Omit<KeysPageDeps, 'pages' | 'registration'>,
    Omit<ApplicationListDeps, 'settings'> {
  readonly removalForecasts: Pick<RemovalForecasts, 'ofClient'>;
  readonly registration: Pick<
    Registration,
    | 'register'
    | 'update'
    | 'changeLogo'
    | 'problems'
    | 'rotateSecret'
    | 'remove'
    | 'forbiddenRedirectUris'
    | 'setDisabled'
  >;
  readonly clients: Clients;
  readonly grants: ApplicationUsersDeps['grants'];
  readonly exchangePolicies: Pick<ExchangePolicies, 'all'>;
  readonly users: Users;
  readonly secretsShownOnce: SecretsShownOnce;
  readonly resubmissionGuard: ResubmissionGuard;
  readonly pages: AdminPages & AdminFormDeps['pages'] & KeysPageDeps['pages'];
  readonly now: () => EpochSeconds;
  readonly settings: ApplicationListDeps['settings'];
}

const APPLICATIONS_CRUMB = { href: '/admin/applications/', text: message('admin.applications') };

function adminApplicationPath({ clientId }: Pick<Client, 'clientId'>): string {
  return `${APPLICATIONS_CRUMB.href}${encodeURIComponent(clientId)}/`;
}

function adminContext(ctx: RequestContext) {
  return pageContextFor(ctx, actingUser(ctx));
}

/** Adds the pages where administrators manage all applications. */
export function addApplicationPages(router: PageRouter, deps: AdminApplicationDeps): void {
  const { registration, removalForecasts, clients, resubmissionGuard, secretsShownOnce, pages, now } = deps;
  const { mintFormId, rotate } = createSecretRotation(deps);

  router.get('/applications', (ctx) => {
    const allClients = clients.all();
    const list = applicationList(deps, allClients, queryOf(ctx).list('owner')[0] ?? '');
    sendAdminList(ctx, list, allClients, (locals) =>
      pages.adminApplicationList({ ...adminContext(ctx), list: locals }),
    );
  });

  function requireClient(ctx: RequestContext): Client {
    const client = clients.find(pathParameter(ctx, 'id'));
    if (client === undefined) throw missingItemError('application');
    return client;
  }

  const area = {
    requireClient,
    isAdministration: true,
    route: '/applications/:id',
    pathOf: adminApplicationPath,
    forUser: (show) => (ctx) => show(ctx, requireClient(ctx), actingUser(ctx)),
  } as const satisfies ApplicationArea & ApplicationLookup;
  addApplicationForm(router, area, deps); // before /applications/:id, which would match `register` as a client id

  router.get('/applications/:id', (ctx) => {
    const client = requireClient(ctx);
    const { users, isExact, maxTokens } = removalForecasts.ofClient(client);
    sendPage(
      ctx,
      pages.adminApplication({
        ...adminContext(ctx),
        application: adminApplicationLocals(client),
        forbiddenRedirectUris: registration.forbiddenRedirectUris(client),
        owners: adminMembers(ownersOf(client), deps.users),
        testUsers: adminMembers(testUsersOf(client), deps.users).length,
        users: { count: users, isExact },
        maxTokens,
        lastUsed: client.lastUse.anySecret?.at ?? null,
        oldSecret: oldSecretLocals(client, now()),
        ...policiesOf(client, deps.exchangePolicies, clients),
      }),
    );
  });

  addKeysPage(router, area, deps);
  addAdminPeople(router, area, deps);
  addApplicationStatus(router, area, deps);
  addApplicationUsers(router, area, deps);
  addApplicationTransfer(router, area, deps);

  router.get('/applications/:id/scopes', (ctx) => {
    const client = requireClient(ctx);
    sendPage(
      ctx,
      pages.adminScopes({
        ...adminContext(ctx),
        application: adminApplicationLocals(client),
        allowedScopes: client.restrictedScopes,
        scopes: RESTRICTED_SCOPE_DESCRIPTIONS,
        formId: resubmissionGuard.mintId(String(client.revision)),
      }),
    );
  });

  router.post('/applications/:id/scopes', async (ctx) => {
    const client = requireClient(ctx);
    const selectedScopes = formOf(ctx).list('restricted_scope');
    const restrictedScopes = RESTRICTED_SCOPES.filter((name) => selectedScopes.includes(name));
    const context = userCommandContext(ctx, actingUser(ctx), observedClient(client));
    const isOutdated = resubmissionGuard.isOutdated(ctx, String(client.revision));
    const refusal = await changeByForm(isOutdated, context, (current) =>
      registration.update(client.clientId, { ...client, restrictedScopes }, current),
    );
    if (refusal === undefined)
      ctx.state.webSession.flash(restrictedScopesNotice(client.name, client.restrictedScopes, restrictedScopes));
    else ctx.state.webSession.flash(message('admin-mode.refused', { application: client.name }), 'warning');
    ctx.redirect(adminApplicationPath(client));
  });

  router.get('/applications/:id/rotate_secret', (ctx) => {
    const client = requireClientWithSecret(ctx);
    const [formId, oldSecret] = [mintFormId(client), oldSecretLocals(client, now())];
    sendPage(
      ctx,
      pages.adminRotate({ ...adminContext(ctx), application: adminApplicationLocals(client), formId, oldSecret }),
    );
  });

  router.post('/applications/:id/rotate_secret', async (ctx) => {
    const client = requireClientWithSecret(ctx);
    await rotate(ctx, actingUser(ctx), client, `${adminApplicationPath(client)}credentials/`);
  });

  router.get('/applications/:id/credentials/:page', (ctx) => {
    const client = requireClientWithSecret(ctx);
    const clientSecret = secretsShownOnce.take(ctx, actingUser(ctx)) ?? null;
    const oldSecret = oldSecretLocals(client, now());
    sendPage(
      ctx,
      pages.adminSecret({ ...adminContext(ctx), application: adminApplicationLocals(client), clientSecret, oldSecret }),
    );
  });

  function requireClientWithSecret(ctx: RequestContext): Client {
    const client = requireClient(ctx);
    if (!usesSecret(client.authentication)) throw notFound();
    return client;
  }

  function showRemoval(ctx: RequestContext, error?: Text): void {
    if (error !== undefined) ctx.status = 422;
    const client = requireClient(ctx);
    const back = adminApplicationPath(client);
    sendPage(
      ctx,
      pages.adminConfirm({
        ...adminContext(ctx),
        trail: [APPLICATIONS_CRUMB, { href: back, text: client.name }],
        back,
        action: `${back}remove/`,
        title: message('remove-application.title', { application: client.name }),
        button: message('remove-application.button'),
        text: [message('remove-application.text')],
        facts: applicationFacts(removalForecasts.ofClient(client), deps.users),
        typedConfirmation: { field: 'name', label: message('remove-application.name'), name: client.name },
        error,
      }),
    );
  }

  router.get('/applications/:id/remove', (ctx) => showRemoval(ctx));

  router.post('/applications/:id/remove', async (ctx) => {
    const client = requireClient(ctx);
    if (formOf(ctx).trimmed('name') !== client.name)
      return showRemoval(ctx, message('deletion.type-name-error', { application: client.name }));
    await registration.remove(client.clientId, userCommandContext(ctx, actingUser(ctx), observedClient(client)));
    ctx.state.webSession.flash(message('remove-application.done', { application: client.name }));
    ctx.redirect(APPLICATIONS_CRUMB.href);
  });
}

/** Returns the locals for an application, without secrets or their hashes. */
function adminApplicationLocals(client: Client): AdminApplicationLocals['application'] {
  const { skipAuthorization, restrictedScopes, registeredAt } = client;
  return {
    ...applicationLocals(client),
    skipAuthorization,
    restrictedScopes,
    registeredAt: registeredAt as EpochSeconds,
    presentation: presentationOf(client),
  };
}
