import { findJsonSyntaxError } from '../../../config/json-syntax.ts';
import { formatFieldValue, deriveInput } from '../../../config/setting-inputs.ts';
import { SETTING_NAMES } from '../../../config/settings.ts';
import { isSameValue } from '../../../domain/same-value.ts';
import { message, type Text } from '../../../language/message.ts';
import type { ForecastSetting } from '../../../oauth/settings/forecast.ts';
import type { RequestedChange, SettingChanges, CurrentSetting } from '../../../oauth/settings/setting-changes.ts';
import type { Clients } from '../../../projections/clients.ts';
import { createSemaphore } from '../../../platform/semaphore.ts';
import { missingItemError, outdatedFormError } from '../../pipeline/page-error.ts';
import { formOf } from '../../pipeline/page-form.ts';
import { pathParameter } from '../../pipeline/path-parameter.ts';
import type { ResubmissionGuard } from '../../pipeline/resubmission-guard.ts';
import { actingUser } from '../../pipeline/require-role.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import { runQueued } from '../audit/run-queued.ts';
import { pageContextFor } from '../page-context.ts';
import type { PageRouter } from '../page-router.ts';
import { sendPage } from '../send-page.ts';
import {
  rewordEntryProblem,
  toEnteredSetting,
  settingFormFor,
  readEnteredSetting,
  settingText,
  type EnteredSetting,
} from './setting-form.ts';
import { readSettingHistory, type SettingHistoryDeps } from './setting-history.ts';
import { settingLines } from './setting-lines.ts';
import type { AdminSettingLocals, SettingFacts, SettingPages } from './setting-locals.ts';
import { displayedSetting } from './setting-sections.ts';
import { forecastLocals } from './shown-forecast.ts';

export interface AdminSettingDeps extends SettingHistoryDeps {
  readonly settingChanges: SettingChanges;
  readonly forecastSetting: ForecastSetting;
  readonly clients: Pick<Clients, 'find'>;
  readonly resubmissionGuard: ResubmissionGuard;
  readonly pages: SettingPages;
}

/** Forecasts are limited because each can read a month of the log. */
const FORECAST_LIMITS = { maxConcurrent: 1, maxPending: 8 };

/** Adds the page where administrators change a setting and see a forecast of the change. */
export function addSettingPages(router: PageRouter, deps: AdminSettingDeps): void {
  const { settingChanges, forecastSetting, clients, resubmissionGuard, pages } = deps;
  const forecasts = createSemaphore(FORECAST_LIMITS.maxConcurrent, FORECAST_LIMITS);

  function requireSetting(ctx: RequestContext): CurrentSetting {
    const name = SETTING_NAMES.find((candidate) => candidate === pathParameter(ctx, 'setting'));
    const setting = name && settingChanges.find(name);
    if (setting === undefined) throw missingItemError('setting');
    return setting;
  }

  async function show(
    ctx: RequestContext,
    setting: CurrentSetting,
    overrides: Partial<Pick<AdminSettingLocals, 'entered' | 'error' | 'proposal'>> = {},
  ): Promise<void> {
    if ((overrides.error ?? null) !== null) ctx.status = 422;
    const form = settingFormFor(setting.name);
    const history = await readSettingHistory(setting, deps);
    sendPage(
      ctx,
      pages.adminSetting({
        ...pageContextFor(ctx, actingUser(ctx)),
        setting: factsOf(setting),
        ...form,
        entered: toEnteredSetting(form.input, setting.fixedBy === null ? setting.value : null),
        error: null,
        proposal: null,
        ...history,
        formId: resubmissionGuard.mintId(versionOf(setting)),
        ...overrides,
      }),
    );
  }

  /** Shows a forecast of the change next to the button that applies the change. */
  async function propose(ctx: RequestContext, setting: CurrentSetting, change: ProposedChange): Promise<void> {
    const { name, unit } = setting;
    const [problem] = Object.values(await settingChanges.problems(change.requested));
    if (problem !== undefined) return refuse(ctx, setting, change.entered, problem);
    const signal = disconnectSignal(ctx);
    const forecast = await runQueued(forecasts, () => forecastSetting(name, change.value, signal));
    const value = settingLines(name, change.value, unit);
    const isReset = change.requested.reset.length > 0;
    const proposal = { value, isReset, forecast: forecastLocals({ setting, value: change.value }, forecast, clients) };
    return show(ctx, setting, { entered: entryToConfirm(setting, change), proposal });
  }

  async function applyChange(ctx: RequestContext, setting: CurrentSetting, change: ProposedChange): Promise<void> {
    const { name } = setting;
    if (resubmissionGuard.isOutdated(ctx, versionOf(setting))) throw outdatedFormError();
    const result = await settingChanges.change(change.requested, userCommandContext(ctx, actingUser(ctx)));
    if ('problems' in result) return refuse(ctx, setting, change.entered, Object.values(result.problems)[0] ?? '');
    const isReset = change.requested.reset.length > 0;
    const resetNotice = setting.fixedBy === null ? 'one-setting.was-reset' : 'one-setting.was-reset-fixed';
    const notice = isReset ? resetNotice : 'one-setting.was-changed';
    const values = { setting: message(`setting-title.${name}`) };
    ctx.state.webSession.flash(message(result.position === null ? 'one-setting.was-same' : notice, values));
    ctx.redirect(`/admin/settings/${name}/`);
  }

  function refuse(ctx: RequestContext, setting: CurrentSetting, entered: EnteredSetting, problem: Text): Promise<void> {
    return show(ctx, setting, { entered, error: rewordEntryProblem(setting.name, problem) });
  }

  router.get('/settings/:setting', (ctx) => show(ctx, requireSetting(ctx)));

  for (const [path, action] of [
    ['/settings/:setting', propose],
    ['/settings/:setting/change', applyChange],
  ] as const)
    router.post(path, async (ctx) => {
      const setting = requireSetting(ctx);
      const { name } = setting;
      const input = deriveInput(name);
      const entered = readEnteredSetting(formOf(ctx), input);
      const text = settingText(input, entered);
      const syntaxError = input.kind === 'json' && text.trim() !== '' ? findJsonSyntaxError(text) : undefined;
      if (syntaxError !== undefined) {
        const { line, cause } = syntaxError;
        return refuse(ctx, setting, entered, message(`json-syntax.${cause}`, { line }));
      }
      const parsed = settingChanges.parse(name, text);
      if ('problem' in parsed) return refuse(ctx, setting, entered, parsed.problem);
      if (action === propose && isAlreadySet(setting, parsed.value))
        return refuse(ctx, setting, entered, message('one-setting.same'));
      return action(ctx, setting, {
        entered,
        value: parsed.value,
        requested: { set: { [name]: parsed.value }, reset: [] },
      });
    });

  router.get('/settings/:setting/reset', async (ctx) => {
    const setting = requireSetting(ctx);
    if (setting.changed === null) return ctx.redirect(`/admin/settings/${setting.name}/`);
    return propose(ctx, setting, resetChange(setting));
  });

  router.post('/settings/:setting/reset', (ctx) => {
    const setting = requireSetting(ctx);
    return applyChange(ctx, setting, resetChange(setting));
  });
}

interface ProposedChange {
  readonly entered: EnteredSetting;
  readonly value: unknown;
  readonly requested: RequestedChange;
}

/**
 * Reports whether the setting already has the proposed value. If the log contains a change to the setting, the value
 * of that change is compared, even if the change is ignored. Returns false for a fixed setting, because the attempt to
 * change it causes a different error.
 */
function isAlreadySet({ fixedBy, changed, value }: CurrentSetting, proposedValue: unknown): boolean {
  return fixedBy === null && isSameValue(changed === null ? value : changed.value, proposedValue);
}

/** Returns the value for the confirmation form. That form has no unit field, so a duration is in seconds. */
function entryToConfirm({ name }: CurrentSetting, { value }: ProposedChange): EnteredSetting {
  return { value: formatFieldValue(deriveInput(name), value), unit: 'seconds' };
}

/** Returns a signal that is aborted when the browser disconnects or the response is complete. */
function disconnectSignal(ctx: RequestContext): AbortSignal {
  const abort = new AbortController();
  ctx.res.once('close', () => abort.abort());
  return abort.signal;
}

/** Returns a value that changes with every change to the setting and recurs only when the setting is reset. */
function versionOf({ name, changed }: CurrentSetting): string {
  return `${name} ${changed?.position ?? 0}`;
}

function factsOf(setting: CurrentSetting): SettingFacts {
  const { name, unit, changed, ignoredBecause } = setting;
  const { title, description, environment, value, origin, fixedBy } = displayedSetting(setting);
  const toLines = (content: unknown) => settingLines(name, content, unit);
  return {
    name,
    environment,
    title,
    description,
    value,
    default: toLines(setting.default),
    origin,
    fixedBy,
    ignored:
      changed !== null && ignoredBecause !== null ? { value: toLines(changed.value), because: ignoredBecause } : null,
    isChanged: changed !== null,
  };
}

function resetChange({ name, fixedBy, value: currentValue, default: defaultValue }: CurrentSetting): ProposedChange {
  const value = fixedBy === null ? defaultValue : currentValue;
  return {
    entered: toEnteredSetting(deriveInput(name), value),
    value,
    requested: { set: {}, reset: [name] },
  };
}
