import { Router } from '@koa/router';
import type { RateLimits } from '../../abuse/rate-limits.ts';
import { clientAsRead } from '../../domain/streams.ts';
import type { ClientId, EpochSeconds, UserId } from '../../domain/values.ts';
import type { Registration, RegistrationErrors, RegistrationFields } from '../../oauth/registration.ts';
import type { Entropy } from '../../ports.ts';
import type { Activity } from '../../projections/activity.ts';
import type { Client, Clients } from '../../projections/clients.ts';
import type { Grants } from '../../projections/grants.ts';
import type { Explanation, Explanations } from '../../refusals/explanations.ts';
import { actingContext } from '../acting-context.ts';
import type { ApplicationCreatedLocals, ApplicationDetailLocals, ApplicationFormLocals, ApplicationLocals } from '../application-locals.ts';
import { forLoggedIn } from '../log-in-redirect.ts';
import { formOf, requireCsrfToken } from '../middleware/page-form.ts';
import type { LoggedInUser } from '../middleware/web-session.ts';
import { framedFor } from '../page-context.ts';
import { notFound } from '../page-error.ts';
import { pathParameter } from '../path-parameter.ts';
import type { FieldErrors, Pages } from '../render.ts';
import { chosenOverlap } from '../secret-overlap.ts';
import { sendPage } from '../send-page.ts';
import type { RequestContext, RequestState } from '../state.ts';
import { mintPkcePair } from '../try-it/pkce.ts';

export interface ApplicationRoutesParts {
  readonly registration: Registration;
  readonly limits: Pick<RateLimits, 'spend'>;
  readonly clients: Clients;
  readonly liveGrants: Pick<Grants, 'ofClient'>;
  readonly activity: Pick<Activity, 'of' | 'atMostWithin'>;
  readonly explanations: Pick<Explanations, 'ofClient'>;
  readonly entropy: Entropy;
  readonly pages: Pages;
  readonly issuer: () => string;
  readonly now: () => EpochSeconds;
  readonly settings: {
    readonly loginUrl: string;
    readonly sampleApi: boolean;
    readonly pkceMethods: readonly ('S256' | 'plain')[];
    readonly accessTokenLifetimeSeconds: number;
  };
}

/** The logged-in user's own applications; anybody else's do not exist for them. */
export function applicationRoutes(parts: ApplicationRoutesParts): Router<RequestState> {
  const { registration, limits, clients, liveGrants, activity, explanations, entropy, pages, issuer, now, settings } = parts;
  const router = new Router<RequestState>({ sensitive: true, prefix: '/o/applications' });
  const forOwner = (show: (ctx: RequestContext, client: Client, person: LoggedInUser) => void | Promise<void>) =>
    forLoggedIn(settings.loginUrl, (ctx, person) => show(ctx, ownClient(ctx, person.user.userId), person));

  function ownClient(ctx: RequestContext, userId: UserId): Client {
    const client = clients.find(pathParameter(ctx, 'id'));
    if (client === undefined || client.ownerId !== userId) throw notFound();
    return client;
  }

  function showForm(ctx: RequestContext, person: LoggedInUser, client: Client | null, fields: RegistrationFields, errors: FieldErrors): void {
    if (Object.keys(errors).length > 0) ctx.status = 422;
    const application = client === null ? null : { id: client.clientId, name: client.name };
    sendPage(ctx, pages.applicationForm({ ...framedFor(ctx, person), application, values: toValues(fields), errors }));
  }

  function pageOf(ctx: RequestContext, person: LoggedInUser, client: Client) {
    const tryIt = {
      issuer: issuer(), sampleApi: settings.sampleApi, state: entropy.bytes(STATE_BYTES).toString('base64url'), pkce: mintPkcePair(entropy, settings.pkceMethods),
    };
    const forbiddenRedirectUris = registration.forbiddenRedirectUris(client);
    const application = toLocals(client);
    return { ...framedFor(ctx, person), application, forbiddenRedirectUris, ...useOf(client, now()), tryIt };
  }

  router.get('/', forLoggedIn(settings.loginUrl, (ctx, person) => {
    const applications = clients.ownedBy(person.user.userId).map((client) => ({ ...toLocals(client), lastUsed: client.lastUse.anySecret?.at ?? null }));
    sendPage(ctx, pages.applicationList({ ...framedFor(ctx, person), applications }));
  }));

  router.get('/register', forLoggedIn(settings.loginUrl, (ctx, person) => showForm(ctx, person, null, BLANK, {})));

  router.post('/register', requireCsrfToken, forLoggedIn(settings.loginUrl, async (ctx, person) => {
    const fields = readFields(ctx, { skipAuthorization: false });
    limits.spend('applications-by-user', person.user.userId);
    const result = await registration.register(fields, person.user.userId, actingContext(ctx, person));
    if ('errors' in result) return showForm(ctx, person, null, fields, byFormField(result.errors));
    if ('refusal' in result) throw new Error('a freshly minted client id was taken');
    showSecret(ctx, person, result.clientId, 'registered', result.clientSecret);
  }));

  /** The one answer that holds the secret; it is kept nowhere, so nothing can show it again. */
  function showSecret(ctx: RequestContext, person: LoggedInUser, id: ClientId, occasion: 'registered' | 'secret-rotated', clientSecret: string | null): void {
    const client = clients.find(id);
    if (client === undefined) throw notFound();
    sendPage(ctx, pages.applicationCreated({ ...pageOf(ctx, person, client), occasion, clientSecret }));
  }

  router.get('/:id', forOwner((ctx, client, person) => {
    const refusals = shownOf(explanations.ofClient(client.clientId)).map(toRefusal);
    sendPage(ctx, pages.applicationDetail({ ...pageOf(ctx, person, client), activity: activity.of(client.clientId, now()), refusals }));
  }));

  router.get('/:id/update', forOwner((ctx, client, person) => showForm(ctx, person, client, client, {})));

  router.post('/:id/update', requireCsrfToken, forOwner(async (ctx, client, person) => {
    const fields = readFields(ctx, client);
    const context = actingContext(ctx, person, clientAsRead(client));
    const refused = await registration.update(client.clientId, fields, context);
    if (refused !== undefined && 'errors' in refused) return showForm(ctx, person, client, fields, byFormField(refused.errors));
    if (refused !== undefined) throw notFound();
    ctx.state.webSession.flash('Your changes are saved and count from now on.');
    ctx.redirect(`/o/applications/${encodeURIComponent(client.clientId)}/`);
  }));

  router.post('/:id/rotate_secret', requireCsrfToken, forOwner(async (ctx, client, person) => {
    if (client.clientType === 'public') throw notFound();
    const context = actingContext(ctx, person, clientAsRead(client));
    const secret = await registration.rotateSecret(client.clientId, context, chosenOverlap(ctx));
    if (secret === undefined) throw notFound();
    showSecret(ctx, person, client.clientId, 'secret-rotated', secret);
  }));

  router.get('/:id/delete', forOwner((ctx, client, person) => {
    const tokensAtMost = activity.atMostWithin(client.clientId, settings.accessTokenLifetimeSeconds, now()) ?? null;
    const ends = { ...liveGrants.ofClient(client.clientId, now(), GRANTS_COUNTED), tokensAtMost };
    sendPage(ctx, pages.applicationDelete({ ...framedFor(ctx, person), application: { id: client.clientId, name: client.name }, ends }));
  }));

  router.post('/:id/delete', requireCsrfToken, forOwner(async (ctx, client, person) => {
    await registration.remove(client.clientId, actingContext(ctx, person));
    ctx.state.webSession.flash(`${client.name} was deleted, and with it every token it had.`);
    ctx.redirect('/o/applications/');
  }));

  return router;
}

const STATE_BYTES = 16;

const REFUSALS_SHOWN = 20;
const OTHERS_SHOWN = 5;

/** Newest first; however many strangers sent in the application's name, its own have their places. */
function shownOf(refusals: readonly Explanation[]): readonly Explanation[] {
  const own = refusals.filter(({ isProven }) => isProven).slice(0, REFUSALS_SHOWN);
  const others = refusals.filter(({ isProven }) => !isProven).slice(0, OTHERS_SHOWN);
  return refusals.filter((refusal) => own.includes(refusal) || others.includes(refusal));
}

/** Enough to give an idea; who has more would wait for the count. */
const GRANTS_COUNTED = 1_000;

const BLANK: RegistrationFields = {
  name: '', clientType: 'confidential', grantTypes: ['authorization-code'], redirectUris: [], allowedOrigins: [], skipAuthorization: false,
};

/** @param known holds what is not the owner's to change, for only the operator can vouch for an application; and what stays when a form leaves it out */
function readFields(ctx: RequestContext, known: Pick<RegistrationFields, 'skipAuthorization' | 'restrictedScopes' | 'accessTokenFormat'>): RegistrationFields {
  const form = formOf(ctx);
  return {
    name: form.entered('name'),
    clientType: form.text('client_type'),
    grantTypes: form.list('authorization_grant_type'),
    redirectUris: form.words('redirect_uris'),
    allowedOrigins: form.words('allowed_origins'),
    skipAuthorization: known.skipAuthorization,
    restrictedScopes: known.restrictedScopes ?? [],
    accessTokenFormat: form.text('access_token_format') || known.accessTokenFormat,
  };
}

const FORM_FIELD: Readonly<Record<keyof RegistrationFields, string>> = {
  name: 'name',
  clientType: 'client_type',
  grantTypes: 'authorization_grant_type',
  redirectUris: 'redirect_uris',
  allowedOrigins: 'allowed_origins',
  skipAuthorization: 'skip_authorization',
  restrictedScopes: 'restricted_scopes',
  accessTokenFormat: 'access_token_format',
};

function byFormField(errors: RegistrationErrors): FieldErrors {
  return Object.fromEntries(Object.entries(errors).map(([field, problem]) => [FORM_FIELD[field as keyof RegistrationFields], problem]));
}

function toValues({ name, clientType, grantTypes, redirectUris, allowedOrigins, accessTokenFormat = 'opaque' }: RegistrationFields): ApplicationFormLocals['values'] {
  return { name, clientType, grants: grantTypes, redirectUris: redirectUris.join('\n'), allowedOrigins: allowedOrigins.join('\n'), accessTokenFormat };
}

function useOf({ lastUse, previousSecret }: Client, now: EpochSeconds): Pick<ApplicationCreatedLocals, 'lastUsed' | 'oldSecret'> {
  return {
    lastUsed: lastUse.anySecret?.at ?? null,
    oldSecret: previousSecret === null || now >= previousSecret.until
      ? null
      : { endsAt: previousSecret.until, lastUsed: lastUse.previousSecret?.at ?? null },
  };
}

function toRefusal({ id, at, method, path, error, isProven, words }: Explanation): ApplicationDetailLocals['refusals'][number] {
  return { requestId: id, at: at as EpochSeconds, request: `${method} ${path}`, error, isProven, ...words };
}

function toLocals({ clientId, name, clientType, grantTypes, redirectUris, allowedOrigins, accessTokenFormat }: Client): ApplicationLocals {
  return { id: clientId, clientId, name, clientType, grants: grantTypes, redirectUris, allowedOrigins, accessTokenFormat };
}
