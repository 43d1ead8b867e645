import type { AdministratorLogins } from '../../../accounts/administrator-logins.ts';
import type { RemovalForecasts } from '../../../audit/queries/removal-forecasts.ts';
import { message } from '../../../language/message.ts';
import { PROVIDER_PRESETS } from '../../../domain/provider-settings.ts';
import { isSameValue } from '../../../domain/same-value.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import { PRESETS } from '../../../oauth/upstream/presets.ts';
import { overallResult, type LastTest, type LastTests } from '../../../oauth/upstream/last-tests.ts';
import { toProviderFields, newProviderFields } from '../../../oauth/upstream/provider-fields.ts';
import type { ProviderRegistry } from '../../../oauth/upstream/provider-registry.ts';
import { providerIdProblem } from '../../../oauth/upstream/provider-rules.ts';
import { callbackUri } from '../../../oauth/upstream/token-requests.ts';
import type { UpstreamAccounts } from '../../../projections/upstream-accounts.ts';
import type { UpstreamProvider, UpstreamProviders } from '../../../projections/upstream-providers.ts';
import { missingItemError, outdatedFormError } from '../../pipeline/page-error.ts';
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
import { providerFacts } from './removal-facts.ts';
import { sendAdminList } from './send-admin-list.ts';
import { providerList } from './server-lists.ts';
import { enableQuestion } from './provider-question.ts';
import { toFormErrors, readValues, fieldsFrom, valuesFrom, valuesOf } from './provider-form.ts';
import type { ProviderValues, TestResult } from './provider-locals.ts';

export interface AdminProviderDeps {
  readonly providerRegistry: ProviderRegistry;
  readonly lastProviderTests: LastTests;
  readonly upstreamProviders: UpstreamProviders;
  readonly upstreamAccounts: Pick<UpstreamAccounts, 'countByProvider' | 'listByUser'>;
  readonly removalForecasts: Pick<RemovalForecasts, 'ofProvider'>;
  readonly administratorLogins: Pick<AdministratorLogins, 'leavesNoAdministrator'>;
  readonly resubmissionGuard: ResubmissionGuard;
  readonly issuer: () => string;
  readonly now: () => EpochSeconds;
  readonly pages: Pick<AdminPages, 'adminProviders' | 'adminProvider' | 'adminConfirm'>;
}

const CRUMB = { href: '/admin/providers/', text: message('admin.providers') };
const pathOf = ({ providerId }: UpstreamProvider): string => `${CRUMB.href}${providerId}/`;

/** Administrators who cannot log in through a provider could lock themselves out by requiring it. */
const LINK_ACCOUNT_FIRST = message('provider.link-first');

const ADVICE = {
  google: 'provider.preset.google-advice',
  entra: 'provider.preset.entra-advice',
  okta: 'provider.preset.okta-advice',
  auth0: 'provider.preset.auth0-advice',
  gitlab: 'provider.preset.gitlab-advice',
  keycloak: 'provider.preset.keycloak-advice',
  custom: 'provider.preset.custom-advice',
} as const;

const PRESET_CHOICES = PROVIDER_PRESETS.map((value) => {
  const { title, example } = PRESETS[value];
  return {
    value,
    title: title ?? message('provider.preset.custom'),
    help: '',
    example,
    advice: message(ADVICE[value]),
  };
});

const TEST_NOTICES = {
  good: 'provider.test-good',
  bad: 'provider.test-bad',
  unknown: 'provider.test-unknown',
} as const;

/** Stands for the id in the redirect URI until the administrator has entered a valid id. */
const ID_PLACEHOLDER = 'ID';

/** Adds the pages for the OpenID providers that users log in through. */
export function addProviderPages(router: PageRouter, deps: AdminProviderDeps): void {
  const { providerRegistry, lastProviderTests, upstreamProviders, upstreamAccounts, resubmissionGuard, pages } = deps;

  function requireProvider(ctx: RequestContext): UpstreamProvider {
    const provider = upstreamProviders.find(pathParameter(ctx, 'id'));
    if (provider === undefined) throw missingItemError('provider');
    return provider;
  }

  function show(
    ctx: RequestContext,
    provider: UpstreamProvider | null,
    values: ProviderValues,
    errors: FieldErrors = {},
  ): void {
    if (Object.keys(errors).length > 0) ctx.status = 422;
    const formId = resubmissionGuard.mintId(provider === null ? undefined : versionOf(provider));
    const providerLocals = provider && {
      id: provider.providerId,
      name: provider.name,
      hasSecret: provider.sealedSecret !== null,
      isDisabled: provider.disabled === true,
    };
    const isIdValid = provider !== null || providerIdProblem(values.id) === undefined;
    const callback = callbackUri(deps.issuer(), { providerId: isIdValid ? values.id : ID_PLACEHOLDER });
    const context = pageContextFor(ctx, actingUser(ctx));
    const lastTest = provider && lastProviderTests.find(provider);
    const result = lastTest && testResult(lastTest);
    const locals = {
      provider: providerLocals,
      lastTest: result,
      callback,
      presets: PRESET_CHOICES,
      formId,
      values,
      errors,
    };
    sendPage(ctx, pages.adminProvider({ ...context, ...locals }));
  }

  function hasLinkedAccountAt(ctx: RequestContext, id: string): boolean {
    const { userId } = actingUser(ctx).user;
    return upstreamAccounts.listByUser(userId).some(({ providerId }) => providerId === id);
  }

  /** Returns an error if the form turns passwords off and the administrator has no linked account at the provider. */
  function requirementProblem(
    ctx: RequestContext,
    values: ProviderValues,
    isRequired: boolean,
  ): FieldErrors | undefined {
    const turnsPasswordsOff = values.options.includes('required') && !isRequired;
    return turnsPasswordsOff && !hasLinkedAccountAt(ctx, values.id)
      ? { provider_option: LINK_ACCOUNT_FIRST }
      : undefined;
  }

  router.get('/providers', (ctx) => {
    sendAdminList(
      ctx,
      providerList(({ providerId }) => upstreamAccounts.countByProvider(providerId), deps),
      upstreamProviders.all(),
      (list) => pages.adminProviders({ ...pageContextFor(ctx, actingUser(ctx)), list }),
    );
  });

  router.get('/providers/add', (ctx) => {
    const preset = queryOf(ctx).text('preset');
    const fields = newProviderFields(PROVIDER_PRESETS.find((name) => name === preset) ?? 'custom');
    const isIdFree = fields.preset !== 'custom' && upstreamProviders.find(fields.preset) === undefined;
    // A new provider is disabled by default, so that its connection can be tested before it appears on the login page.
    show(ctx, null, valuesFrom(isIdFree ? fields.preset : '', { ...fields, disabled: true }));
  });

  router.post('/providers/add', async (ctx) => {
    const form = formOf(ctx);
    const values = readValues(form);
    const existing = upstreamProviders.find(values.id);
    if (existing !== undefined && !isSameValue(valuesOf(existing), values))
      return show(ctx, null, values, { provider_id: message('provider.exists') });
    const problem = requirementProblem(ctx, values, existing?.required === true);
    if (problem !== undefined) return show(ctx, null, values, problem);
    const fields = fieldsFrom(values, form.input('provider_secret'));
    const result = await providerRegistry.set(values.id, fields, existing, userCommandContext(ctx, actingUser(ctx)));
    if ('errors' in result) return show(ctx, null, values, toFormErrors(result.errors));
    const { name, disabled } = result.provider;
    const notice = message('provider.added', { provider: name, isDisabled: disabled === true ? 'yes' : 'no' });
    ctx.state.webSession.flash(notice);
    ctx.redirect(pathOf(result.provider));
  });

  router.get('/providers/:id', (ctx) => {
    const provider = requireProvider(ctx);
    show(ctx, provider, valuesOf(provider));
  });

  router.post('/providers/:id', async (ctx) => {
    const provider = requireProvider(ctx);
    const form = formOf(ctx);
    const values = { ...readValues(form), id: provider.providerId };
    const secret = form.input('provider_secret');
    const isUnchanged = secret === '' && isSameValue(valuesOf(provider), values);
    if (!isUnchanged && resubmissionGuard.isOutdated(ctx, versionOf(provider))) throw outdatedFormError();
    const problem = requirementProblem(ctx, values, provider.required);
    if (problem !== undefined) return show(ctx, provider, values, problem);
    const fields = fieldsFrom(values, secret);
    const context = userCommandContext(ctx, actingUser(ctx));
    const result = await providerRegistry.set(provider.providerId, fields, provider, context);
    if ('errors' in result) return show(ctx, provider, values, toFormErrors(result.errors));
    ctx.state.webSession.flash(message('provider.saved'));
    ctx.redirect(pathOf(result.provider));
  });

  router.post('/providers/:id/enable', (ctx) => changeState(ctx, false));
  router.post('/providers/:id/disable', (ctx) => changeState(ctx, true));

  async function changeState(ctx: RequestContext, disabled: boolean): Promise<void> {
    const provider = requireProvider(ctx);
    const question = disabled ? undefined : enableQuestion(provider, lastProviderTests.find(provider));
    if (question !== undefined && formOf(ctx).text('confirmed') !== 'yes')
      return sendPage(
        ctx,
        pages.adminConfirm({
          ...pageContextFor(ctx, actingUser(ctx)),
          ...question,
          trail: [CRUMB, { href: pathOf(provider), text: provider.name }],
          button: message('provider.enable-anyway'),
          tone: 'primary',
          action: `${pathOf(provider)}enable/`,
          hidden: { confirmed: 'yes' },
          back: pathOf(provider),
        }),
      );
    const context = userCommandContext(ctx, actingUser(ctx));
    const result = await providerRegistry.set(
      provider.providerId,
      { ...toProviderFields(provider), disabled },
      provider,
      context,
    );
    if ('errors' in result) return show(ctx, provider, valuesOf(provider), toFormErrors(result.errors));
    ctx.state.webSession.flash(
      message(disabled ? 'provider.disabled' : 'provider.enabled', { provider: provider.name }),
    );
    ctx.redirect(pathOf(result.provider));
  }

  router.post('/providers/:id/test', async (ctx) => {
    const provider = requireProvider(ctx);
    const checks = await lastProviderTests.test(provider, deps.now());
    const result = overallResult({ checks });
    ctx.state.webSession.flash(message(TEST_NOTICES[result]), result === 'good' ? 'good' : 'warning');
    ctx.redirect(pathOf(provider));
  });

  router.get('/providers/:id/remove', (ctx) => {
    const provider = requireProvider(ctx);
    const forecast = deps.removalForecasts.ofProvider(provider);
    const { providerId } = provider;
    const leavesNoAdministrator = deps.administratorLogins.leavesNoAdministrator({
      affects: 'provider',
      providerId,
      settings: null,
    });
    sendPage(
      ctx,
      pages.adminConfirm({
        ...pageContextFor(ctx, actingUser(ctx)),
        trail: [CRUMB, { href: pathOf(provider), text: provider.name }],
        title: message('provider.remove-title', { provider: provider.name }),
        text: [
          message('provider.remove-text', { provider: provider.name, count: forecast.accounts }),
          message('provider.remove-sessions'),
          ...(forecast.turnsPasswordsOn ? [message('provider.remove-passwords')] : []),
          ...(leavesNoAdministrator ? [message('provider.remove-last-way')] : []),
        ],
        facts: providerFacts(forecast),
        button: message('provider.remove-button'),
        action: `${pathOf(provider)}remove/`,
        back: pathOf(provider),
      }),
    );
  });

  router.post('/providers/:id/remove', async (ctx) => {
    const provider = requireProvider(ctx);
    await providerRegistry.remove(provider, userCommandContext(ctx, actingUser(ctx)));
    ctx.state.webSession.flash(message('provider.removed', { provider: provider.name }));
    ctx.redirect(CRUMB.href);
  });
}

/** Returns a value that changes with every change to the provider and never recurs. */
function versionOf({ providerId, position }: UpstreamProvider): string {
  return `${providerId} ${position}`;
}

function testResult(test: LastTest): TestResult {
  const steps = test.checks.map(({ step, result, text }) => ({
    result,
    headline: message('provider.step', { step, result }),
    text,
  }));
  return { at: test.at, by: test.by, result: overallResult(test), steps };
}
