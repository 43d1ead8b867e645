import type { RemovalForecasts } from '../../../audit/queries/removal-forecasts.ts';
import { isOwner } from '../../../domain/members.ts';
import { withoutEmptyPath } from '../../../domain/resource.ts';
import { observedResource } from '../../../domain/streams.ts';
import { message } from '../../../language/message.ts';
import { resourceMetadataUrl } from '../../../oauth/endpoints/protected-resource.ts';
import type { KnownResources } from '../../../oauth/resources/known-resources.ts';
import type { ResourceRegistry } from '../../../oauth/resources/resource-registry.ts';
import type { Clients } from '../../../projections/clients.ts';
import type { ResourceServer, ResourceServers } from '../../../projections/resources.ts';
import type { User, Users } from '../../../projections/users.ts';
import { missingItemError, outdatedFormError, PageError } from '../../pipeline/page-error.ts';
import { formOf, requireCsrfToken } from '../../pipeline/page-form.ts';
import { pathParameter } from '../../pipeline/path-parameter.ts';
import type { ResubmissionGuard } from '../../pipeline/resubmission-guard.ts';
import { requireLogin } from '../../pipeline/require-login.ts';
import type { Handler, RequestContext } from '../../pipeline/state.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import type { LoggedInUser } from '../../pipeline/web-session.ts';
import type { Route } from '../../route.ts';
import { sendList } from '../lists/send-list.ts';
import { resourceFacts } from '../admin/removal-facts.ts';
import { pageContextFor, type FieldErrors } from '../page-context.ts';
import { createPageRouter } from '../page-router.ts';
import type { Pages } from '../render.ts';
import { sendPage } from '../send-page.ts';
import type { ResourceValues } from './locals.ts';
import { resourceList } from './resource-list.ts';
import { BLANK_VALUES, toFormErrors, readValues, toResourceFields, toFormValues } from './resource-fields.ts';

export interface ResourceRoutesDeps {
  readonly resourceRegistry: ResourceRegistry;
  readonly projections: { readonly resources: Pick<ResourceServers, 'all' | 'findById'> };
  readonly users: Pick<Users, 'find'>;
  readonly clients: Pick<Clients, 'find'>;
  readonly resources: Pick<KnownResources, 'uris'>;
  readonly removalForecasts: Pick<RemovalForecasts, 'ofResource'>;
  readonly issuer: () => string;
  readonly resubmissionGuard: ResubmissionGuard;
  readonly pages: Pick<Pages, 'resourceList' | 'resourceForm' | 'resourceConfirm'>;
  readonly settings: {
    readonly loginUrl: string;
    readonly resourceRegistration: 'administrators' | 'developers';
  };
}

const PREFIX = '/o/resources';
const resourcePath = ({ resourceId }: ResourceServer): string => `${PREFIX}/${resourceId}/`;
const isAdministrator = ({ roles }: User): boolean => roles.includes('administrator');

const manages = (user: User, { ownerId }: ResourceServer): boolean => isAdministrator(user) || ownerId === user.userId;

/**
 * Returns the routes for the resource servers that a user manages. Administrators manage all resource servers. For
 * resource servers that the user does not manage, the response is 404.
 */
export function resourceRoutes(deps: ResourceRoutesDeps): readonly Route[] {
  const { resourceRegistry, projections, users, clients, resources, issuer, resubmissionGuard, pages, settings } = deps;
  const router = createPageRouter({ prefix: PREFIX });

  const mayRegister = (user: User): boolean => isAdministrator(user) || settings.resourceRegistration === 'developers';

  const requireRegistrationRights = (
    handler: (ctx: RequestContext, caller: LoggedInUser) => void | Promise<void>,
  ): Handler =>
    requireLogin(settings.loginUrl, (ctx, caller) => {
      if (mayRegister(caller.user)) return handler(ctx, caller);
      throw new PageError(
        403,
        message('resources.not-allowed'),
        message('resources.not-allowed-text'),
        message('resources.not-allowed-advice'),
      );
    });

  const requireManager = (
    handler: (ctx: RequestContext, resource: ResourceServer, caller: LoggedInUser) => void | Promise<void>,
  ): Handler =>
    requireLogin(settings.loginUrl, (ctx, caller) => {
      const resource = projections.resources.findById(pathParameter(ctx, 'id'));
      if (resource === undefined || !manages(caller.user, resource)) throw missingItemError('resource');
      return handler(ctx, resource, caller);
    });

  /**
   * Returns an error if a user who is not an administrator changes the introspection client to one that the user does
   * not own. Introspection would then hide authorization details of other resource servers from this client, and only
   * its owners may decide that.
   */
  function clientOwnershipError(user: User, clientId: string, previousId: string): FieldErrors | undefined {
    const client = clientId === '' || clientId === previousId ? undefined : clients.find(clientId);
    if (clientId === '' || clientId === previousId || isAdministrator(user)) return undefined;
    if (client !== undefined && isOwner(client, user.userId)) return undefined;
    return { introspection_client: message('resources.foreign-client') };
  }

  function showForm(
    ctx: RequestContext,
    caller: LoggedInUser,
    resource: ResourceServer | null,
    values: ResourceValues,
    errors: FieldErrors = {},
  ): void {
    if (Object.keys(errors).length > 0) ctx.status = 422;
    const formId = resubmissionGuard.mintId(resource === null ? undefined : resourceVersion(resource));
    const resourceLocals = resource && {
      id: resource.resourceId,
      name: resource.name,
      uri: resource.uri,
      metadataUrl: resource.publishesMetadata ? resourceMetadataUrl(resource, issuer()) : null,
    };
    sendPage(
      ctx,
      pages.resourceForm({ ...pageContextFor(ctx, caller), resource: resourceLocals, formId, values, errors }),
    );
  }

  router.get(
    '/',
    requireLogin(settings.loginUrl, (ctx, caller) => {
      const { user } = caller;
      const managedResources = projections.resources.all().filter((resource) => manages(user, resource));
      const canRegister = mayRegister(user);
      sendList(ctx, {
        list: resourceList((userId) => users.find(userId)?.username, canRegister),
        items: managedResources,
        // Only administrators read the resource servers of other users.
        mayStillRead() {
          const reader = ctx.state.webSession.loggedInUser();
          return reader !== undefined && isAdministrator(reader.user) === isAdministrator(user);
        },
        page: (list) =>
          pages.resourceList({
            ...pageContextFor(ctx, caller),
            canRegister,
            list,
            fixedUris: isAdministrator(user) ? listFixedUris(resources, projections.resources, issuer()) : [],
          }),
      });
    }),
  );

  router.get(
    '/register',
    requireRegistrationRights((ctx, caller) => showForm(ctx, caller, null, BLANK_VALUES)),
  );

  router.post(
    '/register',
    requireCsrfToken,
    requireRegistrationRights(async (ctx, caller) => {
      const values = readValues(formOf(ctx));
      const refuse = (errors: FieldErrors): void => showForm(ctx, caller, null, values, errors);
      const fixedUris = listFixedUris(resources, projections.resources, issuer());
      if (!isAdministrator(caller.user) && fixedUris.some((uri) => isSameResource(uri, values.uri)))
        return refuse({ resource_uri: message('resources.fixed-uri') });
      const ownershipError = clientOwnershipError(caller.user, values.introspectionClient, '');
      if (ownershipError !== undefined) return refuse(ownershipError);
      const fields = toResourceFields(values, caller.user.userId);
      const result = await resourceRegistry.register(values.uri, fields, userCommandContext(ctx, caller));
      if ('errors' in result) return refuse(toFormErrors(result.errors));
      ctx.state.webSession.flash(message('resources.registered', { resource: values.name }));
      const resource = projections.resources.all().find(({ uri }) => uri === values.uri);
      ctx.redirect(resource === undefined ? `${PREFIX}/` : resourcePath(resource));
    }),
  );

  router.get(
    '/:id',
    requireManager((ctx, resource, caller) => showForm(ctx, caller, resource, toFormValues(resource))),
  );

  router.post(
    '/:id',
    requireCsrfToken,
    requireManager(async (ctx, resource, caller) => {
      const values = { ...readValues(formOf(ctx)), uri: resource.uri };
      const isUnchanged = JSON.stringify(values) === JSON.stringify(toFormValues(resource));
      if (!isUnchanged && resubmissionGuard.isOutdated(ctx, resourceVersion(resource))) throw outdatedFormError();
      const previousId = resource.introspectionClient ?? '';
      const ownershipError = clientOwnershipError(caller.user, values.introspectionClient, previousId);
      if (ownershipError !== undefined) return showForm(ctx, caller, resource, values, ownershipError);
      const context = userCommandContext(ctx, caller, observedResource(resource));
      const fields = toResourceFields(values, resource.ownerId);
      const result = await resourceRegistry.update(resource.uri, fields, context);
      if ('errors' in result) return showForm(ctx, caller, resource, values, toFormErrors(result.errors));
      ctx.state.webSession.flash(message('resources.changed'));
      ctx.redirect(resourcePath(resource));
    }),
  );

  router.get(
    '/:id/delete',
    requireManager((ctx, resource, caller) => {
      sendPage(
        ctx,
        pages.resourceConfirm({
          ...pageContextFor(ctx, caller),
          trail: [
            { href: `${PREFIX}/`, text: message('resources.title') },
            { href: resourcePath(resource), text: resource.name },
          ],
          title: message('resources.removal', { resource: resource.name }),
          text: [message('resources.removal-text', { uri: resource.uri })],
          facts: resourceFacts(deps.removalForecasts.ofResource(resource)),
          button: message('resources.removal-button'),
          action: `${resourcePath(resource)}delete/`,
          back: resourcePath(resource),
        }),
      );
    }),
  );

  router.post(
    '/:id/delete',
    requireCsrfToken,
    requireManager(async (ctx, resource, caller) => {
      await resourceRegistry.remove(resource.uri, userCommandContext(ctx, caller, observedResource(resource)));
      ctx.state.webSession.flash(message('resources.removed', { resource: resource.name }));
      ctx.redirect(`${PREFIX}/`);
    }),
  );

  return router.routes;
}

/**
 * Reports whether the URIs identify the same resource server. A URI with an empty path has two spellings, with and
 * without a slash, which share one registration.
 */
function isSameResource(left: string, right: string): boolean {
  return withoutEmptyPath(left) === withoutEmptyPath(right);
}

/** Returns a value that differs after every change to the resource server and never recurs. */
function resourceVersion({ resourceId, position }: ResourceServer): string {
  return `${resourceId} ${position}`;
}

/** Returns the URIs in the `resources` setting for which no resource server is registered. */
function listFixedUris(
  knownResources: Pick<KnownResources, 'uris'>,
  resources: Pick<ResourceServers, 'all'>,
  issuer: string,
): readonly string[] {
  const registeredUris = new Set(resources.all().map(({ uri }) => uri));
  return knownResources.uris().filter((uri) => uri !== issuer && !registeredUris.has(uri));
}
