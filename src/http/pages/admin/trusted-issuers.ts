import type { RemovalForecasts } from '../../../audit/queries/removal-forecasts.ts';
import { message, type Text } from '../../../language/message.ts';
import { algorithmsOf, type ClientKey } from '../../../domain/client-authentication.ts';
import { observedTrustedIssuer } from '../../../domain/streams.ts';
import type { UserId } from '../../../domain/values.ts';
import type { ScopeChanges } from '../../../oauth/settings/scope-changes.ts';
import type { FindClientKeys } from '../../../oauth/clients/client-key-finder.ts';
import { findNamedClients, replaceNameWithId } from '../../../oauth/issuers/client-lines.ts';
import type { TrustedIssuerErrors } from '../../../oauth/issuers/issuer-rules.ts';
import type { TrustedIssuerRegistry } from '../../../oauth/issuers/issuer-registry.ts';
import type { Clients } from '../../../projections/clients.ts';
import type { TrustedIssuer, TrustedIssuers } from '../../../projections/trusted-issuers.ts';
import type { Users } from '../../../projections/users.ts';
import { isUrl } from '../../../platform/urls.ts';
import { missingItemError, notFound, outdatedFormError } from '../../pipeline/page-error.ts';
import { formOf } from '../../pipeline/page-form.ts';
import { pathParameter } from '../../pipeline/path-parameter.ts';
import { queryOf } from '../../pipeline/query.ts';
import type { ResubmissionGuard } from '../../pipeline/resubmission-guard.ts';
import { actingUser } from '../../pipeline/require-role.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import { pageContextFor, type FieldErrors } from '../page-context.ts';
import type { PageRouter } from '../page-router.ts';
import { sendPage } from '../send-page.ts';
import type { AdminPages } from './locals.ts';
import { joinItems } from '../lists/page-list.ts';
import { issuerFacts } from './removal-facts.ts';
import { sendAdminList } from './send-admin-list.ts';
import { trustedIssuerList } from './server-lists.ts';
import { issuerPresets, findPreset } from './trusted-issuer-presets.ts';
import { toFormErrors, toFormValues, readValues, fieldsFrom } from './trusted-issuer-fields.ts';
import type { TrustedIssuerValues } from './trusted-issuer-locals.ts';

export interface AdminTrustedIssuerDeps {
  readonly trustedIssuerRegistry: TrustedIssuerRegistry;
  readonly trustedIssuers: TrustedIssuers;
  readonly clients: Pick<Clients, 'find' | 'all'>;
  readonly scopeChanges: Pick<ScopeChanges, 'all'>;
  readonly findClientKeys: FindClientKeys;
  readonly issuer: () => string;
  readonly users: Pick<Users, 'find'>;
  readonly removalForecasts: Pick<RemovalForecasts, 'ofIssuer'>;
  readonly resubmissionGuard: ResubmissionGuard;
  readonly pages: Pick<AdminPages, 'adminTrustedIssuers' | 'adminTrustedIssuer' | 'adminConfirm'>;
}

const CRUMB = { href: '/admin/trusted-issuers/', text: message('admin.issuers') };
/** More suggestions would make the form too long. */
const MAX_SUGGESTED = 12;

/**
 * Reports whether the issuer is an http or https URL. OpenID Connect requires a URL, but the issuer of a JWT can be any
 * string.
 */
const isWebUrl = (issuer: string): boolean => /^https?:\/\//i.test(issuer) && isUrl(issuer);

const issuerPath = ({ issuerId }: TrustedIssuer): string => `${CRUMB.href}${issuerId}/`;

/** Adds the pages for trusted issuers: other servers whose JWTs this server accepts (RFC 7523, RFC 8693). */
export function addTrustedIssuerPages(router: PageRouter, deps: AdminTrustedIssuerDeps): void {
  const {
    trustedIssuerRegistry: registry,
    trustedIssuers,
    clients,
    scopeChanges,
    users,
    resubmissionGuard,
    pages,
  } = deps;
  const clientName = (clientId: string): string => clients.find(clientId)?.name ?? clientId;
  const toValues = (trustedIssuer: TrustedIssuer): TrustedIssuerValues =>
    toFormValues(trustedIssuer, (userId) => users.find(userId as UserId)?.username);

  function requireIssuer(ctx: RequestContext): TrustedIssuer {
    const trustedIssuer = trustedIssuers.findById(pathParameter(ctx, 'id'));
    if (trustedIssuer === undefined) throw missingItemError('issuer');
    return trustedIssuer;
  }

  /** Returns the newest applications that can present tokens from other issuers. */
  function suggestedApplications(): readonly { readonly id: string; readonly name: string }[] {
    return clients
      .all()
      .filter(({ clientType, disabledAt }) => clientType === 'confidential' && disabledAt === undefined)
      .slice(-MAX_SUGGESTED)
      .toReversed()
      .map(({ clientId, name }) => ({ id: clientId, name }));
  }

  /** Returns the first few scopes that are not built in. Most built-in scopes are refused for trusted issuers. */
  function suggestedScopes(): readonly string[] {
    const customScopes = scopeChanges.all().filter(({ isBuiltIn }) => !isBuiltIn);
    return customScopes.slice(0, MAX_SUGGESTED).map(({ name }) => name);
  }

  function showForm(
    ctx: RequestContext,
    trustedIssuer: TrustedIssuer | null,
    values: TrustedIssuerValues,
    errors: FieldErrors = {},
  ): void {
    if (Object.keys(errors).length > 0) ctx.status = 422;
    const formId = resubmissionGuard.mintId(trustedIssuer === null ? undefined : versionOf(trustedIssuer));
    const issuerLocals = trustedIssuer && {
      id: trustedIssuer.issuerId,
      issuer: trustedIssuer.issuer,
      isUrl: isWebUrl(trustedIssuer.issuer),
      keysUri: trustedIssuer.keysUri,
      applications: trustedIssuer.clients.map(({ clientId }) => ({ id: clientId, name: clientName(clientId) })),
    };
    const presets = trustedIssuer === null ? issuerPresets(deps.issuer()) : [];
    const preset = findPreset(presets, queryOf(ctx).text('preset'));
    const context = pageContextFor(ctx, actingUser(ctx));
    const suggestions = { applications: suggestedApplications(), scopes: suggestedScopes() };
    const locals = { trusted: issuerLocals, presets, preset, ...suggestions, formId, values, errors };
    sendPage(ctx, pages.adminTrustedIssuer({ ...context, ...locals }));
  }

  async function isInEffect(values: TrustedIssuerValues): Promise<boolean> {
    const fields = await fieldsFrom(values);
    return !('keysProblem' in fields) && registry.hasSettings(values.issuer, fields);
  }

  /** Returns the entered values, with unambiguous application names replaced with client ids. */
  function readResolvedValues(ctx: RequestContext): TrustedIssuerValues {
    const values = readValues(formOf(ctx));
    const lines = values.clients.split('\n').map((line) => replaceNameWithId(line, clients) ?? line);
    return { ...values, clients: lines.join('\n') };
  }

  /**
   * Returns the errors, keyed by form field. If a line does not identify an application, the error quotes the line and
   * says whether several applications have the name.
   */
  function describeErrors(errors: TrustedIssuerErrors, values: TrustedIssuerValues): FieldErrors {
    const unknownLine = values.clients
      .split('\n')
      .find((line) => line !== '' && replaceNameWithId(line, clients) === undefined);
    const matches = findNamedClients(unknownLine ?? '', clients).length > 1 ? 'several' : 'none';
    const problem = unknownLine && {
      trust_clients: message('issuer.unknown-application', { found: matches, line: unknownLine }),
    };
    return { ...toFormErrors(errors), ...(errors.clients && problem) };
  }

  /** Saves the issuer, or shows the form again with errors and resolves with undefined. */
  async function save(
    ctx: RequestContext,
    trustedIssuer: TrustedIssuer | null,
    values: TrustedIssuerValues,
  ): Promise<TrustedIssuer | undefined> {
    const fields = await fieldsFrom(values);
    if ('keysProblem' in fields) {
      showForm(ctx, trustedIssuer, values, { client_keys: fields.keysProblem });
      return undefined;
    }
    const versionsRead = trustedIssuer === null ? [] : [observedTrustedIssuer(trustedIssuer)];
    const context = userCommandContext(ctx, actingUser(ctx), ...versionsRead);
    const result = await registry.set(values.issuer, fields, context);
    if ('trustedIssuer' in result) return result.trustedIssuer;
    showForm(ctx, trustedIssuer, values, describeErrors(result.errors, values));
    return undefined;
  }

  router.get('/trusted-issuers', (ctx) => {
    sendAdminList(ctx, trustedIssuerList(clientName), trustedIssuers.all(), (list) =>
      pages.adminTrustedIssuers({ ...pageContextFor(ctx, actingUser(ctx)), list }),
    );
  });

  router.get('/trusted-issuers/add', (ctx) => {
    const { values } = findPreset(issuerPresets(deps.issuer()), queryOf(ctx).text('preset'));
    showForm(ctx, null, values);
  });

  router.post('/trusted-issuers/add', async (ctx) => {
    const values = readResolvedValues(ctx);
    if (trustedIssuers.find(values.issuer) !== undefined && !(await isInEffect(values)))
      return showForm(ctx, null, values, { trust_issuer: message('issuer.exists') });
    const trustedIssuer = await save(ctx, null, values);
    if (trustedIssuer === undefined) return;
    ctx.state.webSession.flash(
      message(isWebUrl(trustedIssuer.issuer) ? 'issuer.added' : 'issuer.added-no-url', {
        issuer: trustedIssuer.issuer,
      }),
    );
    ctx.redirect(CRUMB.href);
  });

  router.get('/trusted-issuers/:id', (ctx) => {
    const trustedIssuer = requireIssuer(ctx);
    showForm(ctx, trustedIssuer, toValues(trustedIssuer));
  });

  router.post('/trusted-issuers/:id', async (ctx) => {
    const trustedIssuer = requireIssuer(ctx);
    const values = { ...readResolvedValues(ctx), issuer: trustedIssuer.issuer };
    if (resubmissionGuard.isOutdated(ctx, versionOf(trustedIssuer)) && !(await isInEffect(values)))
      throw outdatedFormError();
    if ((await save(ctx, trustedIssuer, values)) === undefined) return;
    ctx.state.webSession.flash(message('issuer.saved'));
    ctx.redirect(CRUMB.href);
  });

  /** Fetches the published keys as if a token had an unknown key, so the same minimum interval applies. */
  router.post('/trusted-issuers/:id/test', async (ctx) => {
    const trustedIssuer = requireIssuer(ctx);
    const { keys, keysUri } = trustedIssuer;
    if (keysUri === null) throw notFound();
    const { allKeys, problem } = await deps.findClientKeys(
      { authentication: { methods: [], keys, keysUri, tls: null } },
      () => false,
    );
    const [text, tone] = describeTest(allKeys, problem, keysUri);
    ctx.state.webSession.flash(text, tone);
    ctx.redirect(issuerPath(trustedIssuer));
  });

  router.get('/trusted-issuers/:id/remove', (ctx) => {
    const trustedIssuer = requireIssuer(ctx);
    sendPage(
      ctx,
      pages.adminConfirm({
        ...pageContextFor(ctx, actingUser(ctx)),
        trail: [CRUMB, { href: issuerPath(trustedIssuer), text: trustedIssuer.issuer }],
        title: message('issuer.remove-title'),
        text: [message('issuer.remove-tokens', { issuer: trustedIssuer.issuer }), message('issuer.remove-text')],
        facts: [
          {
            title: message('admin.applications'),
            text: joinItems(trustedIssuer.clients.map(({ clientId }) => clientName(clientId))),
          },
          ...issuerFacts(deps.removalForecasts.ofIssuer(trustedIssuer)),
        ],
        button: message('issuer.remove-button'),
        action: `${issuerPath(trustedIssuer)}remove/`,
        back: issuerPath(trustedIssuer),
      }),
    );
  });

  router.post('/trusted-issuers/:id/remove', async (ctx) => {
    const trustedIssuer = requireIssuer(ctx);
    await registry.remove(trustedIssuer, userCommandContext(ctx, actingUser(ctx)));
    ctx.state.webSession.flash(message('issuer.removed', { issuer: trustedIssuer.issuer }));
    ctx.redirect(CRUMB.href);
  });
}

/**
 * Describes the result of testing the published keys. If they cannot be fetched, the keys that were fetched earlier
 * remain in use for up to a day.
 */
function describeTest(keys: readonly ClientKey[], problem: Text | null, address: string): [Text, 'good' | 'warning'] {
  const algorithms = [...new Set(keys.flatMap(({ algorithm, publicKey }) => algorithm ?? algorithmsOf(publicKey)))];
  const summary = { address, count: keys.length, algorithms: joinItems(algorithms) };
  if (problem === null) return [message('issuer.keys-read', summary), 'good'];
  const messageKey = keys.length === 0 ? 'issuer.keys-unread' : 'issuer.keys-earlier';
  return [message(messageKey, { ...summary, problem }), 'warning'];
}

/** Returns a value that differs after each recorded change to the issuer and never recurs. */
function versionOf({ issuerId, position }: TrustedIssuer): string {
  return `${issuerId} ${position}`;
}
