import { message, type Text } from '../../../language/message.ts';
import { SCOPE_ICONS } from '../../../config/scope-display.ts';
import { MAX_LENGTH } from '../../../domain/lengths.ts';
import { isRestricted, allowedClients } from '../../../domain/scope.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import type { FindScopeUse, ScopeUse } from '../../../oauth/settings/forecast.ts';
import type { ScopeChanges, ScopeFields, CurrentScope, ScopeProblems } from '../../../oauth/settings/scope-changes.ts';
import { createSemaphore } from '../../../platform/semaphore.ts';
import { missingItemError, notFound, outdatedFormError } from '../../pipeline/page-error.ts';
import { formOf } from '../../pipeline/page-form.ts';
import { queryOf } from '../../pipeline/query.ts';
import type { Clients, Client } from '../../../projections/clients.ts';
import type { ResubmissionGuard } from '../../pipeline/resubmission-guard.ts';
import { actingUser } from '../../pipeline/require-role.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import { runQueued } from '../audit/run-queued.ts';
import { pageContextFor } from '../page-context.ts';
import type { PageRouter } from '../page-router.ts';
import { sendPage } from '../send-page.ts';
import { scopeList } from './scope-list.ts';
import { sendAdminList } from './send-admin-list.ts';
import type { AdminScopeLocals, ScopePages, ScopeApplication } from './scope-locals.ts';

export interface AdminScopeDeps {
  readonly scopeChanges: ScopeChanges;
  readonly findScopeUse: FindScopeUse;
  readonly clients: Pick<Clients, 'all' | 'find'>;
  readonly resubmissionGuard: ResubmissionGuard;
  readonly pages: ScopePages;
}

/** Searches are limited because a search can read a large part of the log. */
const SEARCH_LIMITS = { maxConcurrent: 1, maxPending: 8 };

const LIST_PATH = '/admin/scopes/';
const EMPTY_FIELDS: ScopeFields = { name: '', description: '', icon: '', sensitivity: 'normal' };

/** Adds the pages for this server's scopes. Scope names are in the query because they can contain `/`. */
export function addScopePages(
  router: PageRouter,
  { scopeChanges, findScopeUse, clients, resubmissionGuard, pages }: AdminScopeDeps,
): void {
  const searches = createSemaphore(SEARCH_LIMITS.maxConcurrent, SEARCH_LIMITS);

  function requireScope(name: string | undefined): CurrentScope {
    const scope = name === undefined ? undefined : scopeChanges.find(name);
    if (scope === undefined) throw missingItemError('scope');
    return scope;
  }

  async function findUseLocals({ name }: CurrentScope): Promise<AdminScopeLocals['use']> {
    const { since, applications } = await runQueued(searches, () => findScopeUse(name));
    return {
      since: Math.floor(since / 1000) as EpochSeconds,
      applications: applicationsOfScope(name, applications, clients),
    };
  }

  function show(
    ctx: RequestContext,
    scope: CurrentScope | null,
    values: ScopeFields,
    problems: ScopeProblems = {},
    details: { readonly use?: AdminScopeLocals['use']; readonly isRemoval?: true } = {},
  ): void {
    if (Object.keys(problems).length > 0) ctx.status = 422;
    const locals = {
      scope,
      values,
      errors: toFormErrors(problems),
      fixedBy: scopeChanges.fixedBy(),
      icons: SCOPE_ICONS,
      use: details.use ?? null,
      isRestricted: scope !== null && isRestricted(scope.name),
      isRemoval: details.isRemoval ?? false,
      formId: resubmissionGuard.mintId(scope === null ? undefined : versionOf(scope)),
    };
    sendPage(ctx, pages.adminScope({ ...pageContextFor(ctx, actingUser(ctx)), ...locals }));
  }

  router.get('/scopes', (ctx) => {
    const fixedBy = scopeChanges.fixedBy();
    const mayEdit = Object.values(fixedBy).includes(null);
    sendAdminList(ctx, scopeList(mayEdit, clients.all()), scopeChanges.all(), (list) =>
      pages.adminScopeList({ ...pageContextFor(ctx, actingUser(ctx)), list, fixedBy }),
    );
  });

  router.get('/scopes/add', (ctx) => show(ctx, null, EMPTY_FIELDS));

  router.post('/scopes/add', async (ctx) => {
    const fields = readFields(ctx);
    const existing = scopeChanges.find(fields.name);
    const isAlreadyAdded = existing !== undefined && hasSameFields(existing, fields); // the form was submitted twice
    const problems = isAlreadyAdded ? {} : await scopeChanges.add(fields, userCommandContext(ctx, actingUser(ctx)));
    if (Object.keys(problems).length > 0) return show(ctx, null, fields, problems);
    redirectWithNotice(ctx, message('scope.added', { scope: fields.name }));
  });

  router.get('/scopes/edit', async (ctx) => {
    const scope = requireScope(queryOf(ctx).text('scope'));
    show(ctx, scope, fieldsOf(scope), {}, { use: await findUseLocals(scope) });
  });

  router.post('/scopes/edit', async (ctx) => {
    const fields = readFields(ctx);
    const scope = requireScope(fields.name);
    if (!hasSameFields(scope, fields) && resubmissionGuard.isOutdated(ctx, versionOf(scope))) throw outdatedFormError();
    const context = userCommandContext(ctx, actingUser(ctx));
    const problems = await scopeChanges.update(scope.name, fields, context);
    if (Object.keys(problems).length > 0) return show(ctx, scope, fields, problems);
    redirectWithNotice(ctx, message('scope.saved', { scope: scope.name }));
  });

  router.get('/scopes/remove', async (ctx) => {
    const scope = requireScope(queryOf(ctx).text('scope'));
    if (scope.isBuiltIn || scopeChanges.fixedBy().scopes !== null) throw notFound();
    show(ctx, scope, fieldsOf(scope), {}, { use: await findUseLocals(scope), isRemoval: true });
  });

  router.post('/scopes/remove', async (ctx) => {
    const name = formOf(ctx).trimmed('scope_name');
    if (name.length > MAX_LENGTH.scopeName) throw missingItemError('scope');
    const scope = scopeChanges.find(name);
    const problems = scope && (await scopeChanges.remove(name, userCommandContext(ctx, actingUser(ctx))));
    if (scope && problems && Object.keys(problems).length > 0) return show(ctx, scope, fieldsOf(scope), problems);
    redirectWithNotice(ctx, message('scope.removed', { scope: name }));
  });
}

function fieldsOf({ name, description, icon, sensitivity }: CurrentScope): ScopeFields {
  return { name, description, icon: icon ?? '', sensitivity };
}

/** Returns a value that changes whenever a field of the scope changes. */
function versionOf(scope: CurrentScope): string {
  return JSON.stringify(fieldsOf(scope));
}

function hasSameFields(scope: CurrentScope, fields: ScopeFields): boolean {
  return JSON.stringify(fieldsOf(scope)) === JSON.stringify(fields);
}

const FIELDS = ['name', 'description', 'icon', 'sensitivity'] as const;

function toFormErrors(problems: ScopeProblems): AdminScopeLocals['errors'] {
  return Object.fromEntries(
    Object.entries(problems).flatMap(([field, problem]) =>
      problem === undefined
        ? []
        : [[FIELDS.some((candidate) => candidate === field) ? `scope_${field}` : field, problem]],
    ),
  );
}

function readFields(ctx: RequestContext): ScopeFields {
  const form = formOf(ctx);
  return {
    name: form.trimmed('scope_name'),
    description: form.trimmed('scope_description'),
    icon: form.text('scope_icon'),
    sensitivity: form.text('scope_sensitivity') || 'normal',
  };
}

function redirectWithNotice(ctx: RequestContext, text: Text): void {
  ctx.state.webSession.flash(text);
  ctx.redirect(LIST_PATH);
}

/**
 * Returns the applications that use a scope. For a restricted scope, the applications that may request it come first,
 * followed by the others that have been issued access tokens with it. Every application may request an unrestricted
 * scope.
 */
function applicationsOfScope(
  scope: string,
  uses: ScopeUse['applications'],
  clients: Pick<Clients, 'all' | 'find'>,
): readonly ScopeApplication[] {
  const eligibleClients: readonly Client[] = isRestricted(scope) ? allowedClients(scope, clients.all()) : [];
  const tokenCounts = new Map(uses.map((use) => [use.clientId, use.tokens]));
  const eligibleIds = new Set<string>(eligibleClients.map(({ clientId }) => clientId));
  const pathOf = (clientId: string): string =>
    `/admin/applications/${encodeURIComponent(clientId)}/${isRestricted(scope) ? 'scopes/' : ''}`;
  return [
    ...eligibleClients.map((client) => ({
      name: client.name,
      href: pathOf(client.clientId),
      mayRequest: true,
      tokens: tokenCounts.get(client.clientId) ?? 0,
    })),
    ...uses
      .filter(({ clientId }) => !eligibleIds.has(clientId))
      .map((use) => {
        const client = clients.find(use.clientId);
        return {
          name: use.application,
          href: client === undefined ? null : pathOf(client.clientId),
          mayRequest: client !== undefined && !isRestricted(scope),
          tokens: use.tokens,
        };
      }),
  ];
}
