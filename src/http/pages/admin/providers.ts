import { PROVIDER_PRESETS } from '../../../domain/provider-settings.ts';
import { isSameValue } from '../../../domain/same-value.ts';
import { providerAsRead } from '../../../domain/streams.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import { PRESETS } from '../../../oauth/upstream/presets.ts';
import { newProviderFields } from '../../../oauth/upstream/provider-fields.ts';
import type { ProviderRegistry } from '../../../oauth/upstream/provider-registry.ts';
import type { ProviderCheck, TestProvider } from '../../../oauth/upstream/provider-test.ts';
import { callbackAddress } from '../../../oauth/upstream/token-requests.ts';
import type { UpstreamAccounts } from '../../../projections/upstream-accounts.ts';
import type { UpstreamProvider, UpstreamProviders } from '../../../projections/upstream-providers.ts';
import { notFound, outdatedForm } from '../../pipeline/page-error.ts';
import { formOf } from '../../pipeline/page-form.ts';
import { pathParameter } from '../../pipeline/path-parameter.ts';
import type { RepeatedForms } from '../../pipeline/repeated-forms.ts';
import { actingUser } from '../../pipeline/require-role.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import { pageContextFor, type FieldErrors } from '../page-context.ts';
import type { PageRouter } from '../page-router.ts';
import { sendPage } from '../send-page.ts';
import type { AdminPages } from './locals.ts';
import { sendAdminList } from './send-admin-list.ts';
import { providerList } from './server-lists.ts';
import { byFormField, enteredValues, fieldsFrom, valuesFrom, valuesOf } from './provider-form.ts';
import type { ProviderValues } from './provider-locals.ts';

export interface AdminProviderParts {
  readonly providerRegistry: ProviderRegistry;
  readonly testProvider: TestProvider;
  readonly upstreamProviders: UpstreamProviders;
  readonly upstreamAccounts: Pick<UpstreamAccounts, 'countOf' | 'listByUser'>;
  readonly repeatedForms: RepeatedForms;
  readonly issuer: () => string;
  readonly now: () => EpochSeconds;
  readonly pages: Pick<AdminPages, 'adminProviders' | 'adminProvider' | 'adminConfirm'>;
}

const CRUMB = { href: '/admin/providers/', text: 'Login providers' };
const pathOf = ({ providerId }: UpstreamProvider): string => `${CRUMB.href}${providerId}/`;

/** Administrators who cannot log in through a provider would lock themselves out by requiring it. */
const LINK_FIRST =
  'Before you turn passwords off, link your own account at this provider on the page “Ways to log in” of your account.';

const PRESET_CHOICES = PROVIDER_PRESETS.map((value) => {
  const { title, example } = PRESETS[value];
  return { value, title, example };
});

/** The OpenID providers through which users log in here. */
export function addProviderPages(router: PageRouter, parts: AdminProviderParts): void {
  const { providerRegistry, testProvider, upstreamProviders, upstreamAccounts, repeatedForms, pages } = parts;

  function requireProvider(ctx: RequestContext): UpstreamProvider {
    const provider = upstreamProviders.find(pathParameter(ctx, 'id'));
    if (provider === undefined) throw notFound();
    return provider;
  }

  function show(
    ctx: RequestContext,
    provider: UpstreamProvider | null,
    values: ProviderValues,
    errors: FieldErrors = {},
  ): void {
    if (Object.keys(errors).length > 0) ctx.status = 422;
    const formId = repeatedForms.mintId(provider === null ? undefined : versionOf(provider));
    const shown = provider && {
      id: provider.providerId,
      name: provider.name,
      hasSecret: provider.sealedSecret !== null,
    };
    const callback = provider && callbackAddress(parts.issuer(), provider);
    const context = pageContextFor(ctx, actingUser(ctx));
    const locals = { provider: shown, callback, presets: PRESET_CHOICES, formId, values, errors };
    sendPage(ctx, pages.adminProvider({ ...context, ...locals }));
  }

  function hasOwnAccountAt(ctx: RequestContext, id: string): boolean {
    const { userId } = actingUser(ctx).user;
    return upstreamAccounts.listByUser(userId).some(({ providerId }) => providerId === id);
  }

  /** The problem with turning passwords off now; undefined if there is none. */
  function requirementProblem(
    ctx: RequestContext,
    values: ProviderValues,
    isRequired: boolean,
  ): FieldErrors | undefined {
    const turnsOff = values.options.includes('required') && !isRequired;
    return turnsOff && !hasOwnAccountAt(ctx, values.id) ? { provider_option: LINK_FIRST } : undefined;
  }

  router.get('/providers', (ctx) => {
    sendAdminList(
      ctx,
      providerList(({ providerId }) => upstreamAccounts.countOf(providerId)),
      upstreamProviders.all(),
      (list) => pages.adminProviders({ ...pageContextFor(ctx, actingUser(ctx)), list }),
    );
  });

  router.get('/providers/add', (ctx) => show(ctx, null, valuesFrom('', newProviderFields('custom'))));

  router.post('/providers/add', async (ctx) => {
    const form = formOf(ctx);
    const values = enteredValues(form);
    const existing = upstreamProviders.find(values.id);
    if (existing !== undefined && !isSameValue(valuesOf(existing), values))
      return show(ctx, null, values, { provider_id: 'There is a provider with this id. Change it from the list.' });
    const problem = requirementProblem(ctx, values, existing?.required === true);
    if (problem !== undefined) return show(ctx, null, values, problem);
    const fields = fieldsFrom(values, form.input('provider_secret'));
    const set = await providerRegistry.set(values.id, fields, userCommandContext(ctx, actingUser(ctx)));
    if ('errors' in set) return show(ctx, null, values, byFormField(set.errors));
    ctx.state.webSession.flash(`${set.provider.name} was added. Register the address below there, then test it.`);
    ctx.redirect(pathOf(set.provider));
  });

  router.get('/providers/:id', (ctx) => {
    const provider = requireProvider(ctx);
    show(ctx, provider, valuesOf(provider));
  });

  router.post('/providers/:id', async (ctx) => {
    const provider = requireProvider(ctx);
    const form = formOf(ctx);
    const values = { ...enteredValues(form), id: provider.providerId };
    const secret = form.input('provider_secret');
    const isInEffect = secret === '' && isSameValue(valuesOf(provider), values);
    if (!isInEffect && repeatedForms.isOutdated(ctx, versionOf(provider))) throw outdatedForm();
    const problem = requirementProblem(ctx, values, provider.required);
    if (problem !== undefined) return show(ctx, provider, values, problem);
    const fields = fieldsFrom(values, secret);
    const context = userCommandContext(ctx, actingUser(ctx), providerAsRead(provider));
    const set = await providerRegistry.set(provider.providerId, fields, context);
    if ('errors' in set) return show(ctx, provider, values, byFormField(set.errors));
    ctx.state.webSession.flash('The provider was saved. It applies to further logins.');
    ctx.redirect(pathOf(set.provider));
  });

  router.post('/providers/:id/test', async (ctx) => {
    const provider = requireProvider(ctx);
    const checks = await testProvider(provider, parts.now());
    const isGood = checks.every(({ result }) => result === 'good');
    ctx.state.webSession.flash(summaryOf(checks), isGood ? 'good' : 'warning');
    ctx.redirect(pathOf(provider));
  });

  router.get('/providers/:id/remove', (ctx) => {
    const provider = requireProvider(ctx);
    const accounts = upstreamAccounts.countOf(provider.providerId);
    sendPage(
      ctx,
      pages.adminConfirm({
        ...pageContextFor(ctx, actingUser(ctx)),
        trail: [CRUMB, { href: pathOf(provider), text: provider.name }],
        title: `Remove ${provider.name}?`,
        text: [
          `Nobody can log in through ${provider.name} any more. ${accounts} accounts there are linked to users here.`,
          'Sessions that began through it go on until they end. If you add the provider again with the same id and ' +
            'issuer, the linked accounts work again.',
        ],
        button: 'Remove the provider',
        action: `${pathOf(provider)}remove/`,
        back: pathOf(provider),
      }),
    );
  });

  router.post('/providers/:id/remove', async (ctx) => {
    const provider = requireProvider(ctx);
    await providerRegistry.remove(provider, userCommandContext(ctx, actingUser(ctx)));
    ctx.state.webSession.flash(`${provider.name} was removed.`);
    ctx.redirect(CRUMB.href);
  });
}

/** Changes with every change of the settings, and never recurs. */
function versionOf({ providerId, position }: UpstreamProvider): string {
  return `${providerId} ${position}`;
}

const STEPS = { metadata: 'Metadata', keys: 'Keys', client: 'Client' } as const;
const RESULTS = { good: 'works', bad: 'fails', unknown: 'not certain' } as const;

/** The result of each step, and the text of the last one, at which the test ended. */
function summaryOf(checks: readonly ProviderCheck[]): string {
  const results = checks.map(({ step, result }) => `${STEPS[step]}: ${RESULTS[result]}.`);
  return `${results.join(' ')} ${checks.at(-1)?.text ?? ''}`;
}
