import type { RateLimits } from '../../../platform/limits/rate-limits.ts';
import { clientAsRead } from '../../../domain/streams.ts';
import type { EpochSeconds, UserId } from '../../../domain/values.ts';
import type { Registration } from '../../../oauth/clients/registration.ts';
import type { RegistrationFields } from '../../../oauth/clients/registration-rules.ts';
import type { Activity } from '../../../projections/activity.ts';
import type { Client, Clients } from '../../../projections/clients.ts';
import type { Grants } from '../../../projections/grants.ts';
import type { Explanation, Explanations } from '../../../oauth/refusals/explanations.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import { BLANK_FIELDS, byFormField, formValues, readFields } from './application-fields.ts';
import { logoutLocals } from './logout-deliveries.ts';
import type { Logouts } from '../../../projections/logouts.ts';
import type { ApplicationDetailLocals } from './locals.ts';
import { applicationPath, applicationLocals, applicationPageLocals } from './application-page.ts';
import { requireLogin } from '../../pipeline/require-login.ts';
import { requireCsrfToken } from '../../pipeline/page-form.ts';
import type { LoggedInUser } from '../../pipeline/web-session.ts';
import { pageContextFor, type FieldErrors } from '../page-context.ts';
import { notFound, PageError } from '../../pipeline/page-error.ts';
import { paginate } from '../paging.ts';
import { pathParameter } from '../../pipeline/path-parameter.ts';
import type { Pages } from '../render.ts';
import { sendPage } from '../send-page.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { addSecretPages, credentialsPath, type ApplicationSecretParts } from './application-secrets.ts';
import { createPageRouter } from '../page-router.ts';
import type { Route } from '../../route.ts';

export interface ApplicationRoutesParts extends ApplicationSecretParts {
  readonly registration: Registration;
  readonly limits: Pick<RateLimits, 'spend'>;
  readonly clients: Clients;
  readonly grants: Pick<Grants, 'countByClient'>;
  readonly activity: Pick<Activity, 'issuedTo' | 'upperBoundWithin'>;
  readonly logouts: Pick<Logouts, 'pendingOf' | 'outcomesOf'>;
  readonly explanations: Pick<Explanations, 'ofClient'>;
  readonly pages: Pages;
  readonly settings: ApplicationSecretParts['settings'] & {
    readonly loginUrl: string;
    readonly accessTokenLifetimeSeconds: number;
  };
}

/** The logged-in user's own applications. Other users' applications give 404. */
export function applicationRoutes(parts: ApplicationRoutesParts): readonly Route[] {
  const {
    registration,
    limits,
    clients,
    grants: liveGrants,
    activity,
    logouts,
    explanations,
    pages,
    now,
    settings,
  } = parts;
  const { secretsShownOnce, repeatedForms } = parts;
  const router = createPageRouter({ prefix: '/o/applications' });
  const forOwner = (show: (ctx: RequestContext, client: Client, caller: LoggedInUser) => void | Promise<void>) =>
    requireLogin(settings.loginUrl, (ctx, caller) => show(ctx, ownClient(ctx, caller.user.userId), caller));

  function ownClient(ctx: RequestContext, userId: UserId): Client {
    const client = clients.find(pathParameter(ctx, 'id'));
    if (client === undefined || client.ownerId !== userId) throw notFound();
    return client;
  }

  function showForm(
    ctx: RequestContext,
    caller: LoggedInUser,
    client: Client | null,
    fields: RegistrationFields,
    errors: FieldErrors,
  ): void {
    if (Object.keys(errors).length > 0) ctx.status = 422;
    const application = client === null ? null : { id: client.clientId, name: client.name };
    const [formId, values] = [repeatedForms.mintId(), formValues(fields, errors)];
    sendPage(ctx, pages.applicationForm({ ...pageContextFor(ctx, caller), application, formId, values, errors }));
  }

  router.get(
    '/',
    requireLogin(settings.loginUrl, (ctx, caller) => {
      const { items, paging } = paginate(ctx, (query) => search(clients.newestOwnedBy(caller.user.userId), query));
      const applications = items.map((client) => ({
        ...applicationLocals(client),
        lastUsed: client.lastUse.anySecret?.at ?? null,
      }));
      sendPage(ctx, pages.applicationList({ ...pageContextFor(ctx, caller), paging, applications }));
    }),
  );

  router.get(
    '/register',
    requireLogin(settings.loginUrl, (ctx, caller) => showForm(ctx, caller, null, BLANK_FIELDS, {})),
  );

  router.post(
    '/register',
    requireCsrfToken,
    requireLogin(settings.loginUrl, async (ctx, caller) => {
      const fields = readFields(ctx, { skipAuthorization: false });
      limits.spend('applications-by-user', caller.user.userId, ctx.state.once);
      const drawnFrom = repeatedForms.entropyFor(ctx, caller, fields);
      const source = drawnFrom === undefined ? undefined : { drawnFrom };
      const result = await registration.register(fields, caller.user.userId, userCommandContext(ctx, caller), source);
      if ('errors' in result) return showForm(ctx, caller, null, fields, byFormField(result.errors));
      if ('refusal' in result) throw applicationDeleted();
      ctx.state.webSession.flash(`${fields.name.trim()} was registered.`);
      if (result.clientSecret === null) ctx.redirect(applicationPath(result));
      else secretsShownOnce.redirect(ctx, caller, credentialsPath(result), result.clientSecret);
    }),
  );

  router.get(
    '/:id',
    forOwner((ctx, client, caller) => {
      const refusals = selectRefusals(explanations.ofClient(client.clientId)).map(refusalLocals);
      const page = applicationPageLocals(ctx, caller, client, parts);
      sendPage(
        ctx,
        pages.applicationDetail({
          ...page,
          activity: activity.issuedTo(client.clientId, now()),
          refusals,
          logouts: logoutLocals(client, logouts),
        }),
      );
    }),
  );

  router.get(
    '/:id/update',
    forOwner((ctx, client, caller) => showForm(ctx, caller, client, client, {})),
  );

  router.post(
    '/:id/update',
    requireCsrfToken,
    forOwner(async (ctx, client, caller) => {
      const fields = readFields(ctx, client);
      const context = userCommandContext(ctx, caller, clientAsRead(client));
      const refused = await registration.update(client.clientId, fields, context);
      if (refused !== undefined && 'errors' in refused)
        return showForm(ctx, caller, client, fields, byFormField(refused.errors));
      if (refused !== undefined) throw notFound();
      ctx.state.webSession.flash('Your changes were saved.');
      ctx.redirect(applicationPath(client));
    }),
  );

  addSecretPages(router, forOwner, parts);

  router.get(
    '/:id/delete',
    forOwner((ctx, client, caller) => {
      const maxTokens = activity.upperBoundWithin(client.clientId, settings.accessTokenLifetimeSeconds, now()) ?? null;
      const ends = { ...liveGrants.countByClient(client.clientId, now(), MAX_GRANTS_COUNTED), maxTokens };
      sendPage(
        ctx,
        pages.applicationDelete({
          ...pageContextFor(ctx, caller),
          application: { id: client.clientId, name: client.name },
          ends,
        }),
      );
    }),
  );

  router.post(
    '/:id/delete',
    requireCsrfToken,
    forOwner(async (ctx, client, caller) => {
      await registration.remove(client.clientId, userCommandContext(ctx, caller));
      ctx.state.webSession.flash(`${client.name} and all of its tokens were deleted.`);
      ctx.redirect('/o/applications/');
    }),
  );

  return router.routes;
}

function* search(clients: Iterable<Client>, query: string): Generator<Client, void, void> {
  const wanted = query.toLowerCase();
  for (const client of clients) {
    if ([client.name, client.clientId].some((text) => text.toLowerCase().includes(wanted))) yield client;
  }
}

/** The form was submitted before, and the application it registered was deleted. Its client id is never reused. */
function applicationDeleted(): PageError {
  return new PageError(
    409,
    'This form was already submitted',
    'The application it registered has since been deleted. Nothing was changed.',
    'Open the form again to register another application.',
  );
}

const REFUSALS_SHOWN = 20;
const UNAUTHENTICATED_SHOWN = 5;

/** Newest first. Unauthenticated requests, which anyone can send, cannot displace those of the application itself. */
function selectRefusals(refusals: readonly Explanation[]): readonly Explanation[] {
  const own = refusals.filter(({ isProven }) => isProven).slice(0, REFUSALS_SHOWN);
  const others = refusals.filter(({ isProven }) => !isProven).slice(0, UNAUTHENTICATED_SHOWN);
  return refusals.filter((refusal) => own.includes(refusal) || others.includes(refusal));
}

/** Enough for an impression. Counting more would take too long. */
const MAX_GRANTS_COUNTED = 1_000;

function refusalLocals({
  id,
  at,
  method,
  path,
  error,
  isProven,
  messages: words,
}: Explanation): ApplicationDetailLocals['refusals'][number] {
  return { requestId: id, at: at as EpochSeconds, request: `${method} ${path}`, error, isProven, ...words };
}
