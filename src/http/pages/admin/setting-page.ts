import { enteredText, environmentText, inputOf } from '../../../config/setting-inputs.ts';
import { SETTING_NAMES, settings, type SettingName } from '../../../config/settings.ts';
import { decodeEvent } from '../../../domain/events.ts';
import { SETTINGS_STREAM } from '../../../domain/streams.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import type { EventLog, RecordedEvent } from '../../../event-store/event-log.ts';
import type { ForecastSetting } from '../../../oauth/settings/forecast.ts';
import type { RequestedChange, SettingChanges, SettingInForce } from '../../../oauth/settings/setting-changes.ts';
import { createSemaphore } from '../../../platform/semaphore.ts';
import type { Users } from '../../../projections/users.ts';
import { notFound, outdatedForm } from '../../pipeline/page-error.ts';
import { formOf } from '../../pipeline/page-form.ts';
import { pathParameter } from '../../pipeline/path-parameter.ts';
import type { RepeatedForms } from '../../pipeline/repeated-forms.ts';
import { actingUser } from '../../pipeline/require-role.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import { runQueued } from '../audit/run-queued.ts';
import { pageContextFor } from '../page-context.ts';
import type { PageRouter } from '../page-router.ts';
import { sendPage } from '../send-page.ts';
import type { AdminSettingLocals, SettingPages } from './setting-locals.ts';
import { settingLines } from './setting-lines.ts';

export interface AdminSettingParts {
  readonly settingChanges: SettingChanges;
  readonly forecastSetting: ForecastSetting;
  readonly log: Pick<EventLog, 'readStreamBackwards'>;
  readonly users: Pick<Users, 'find'>;
  readonly repeatedForms: RepeatedForms;
  readonly pages: SettingPages;
}

/** A forecast reads up to a month of the log. */
const FORECAST_LIMITS = { atOnce: 1, maxWaiting: 8 };

const MOST_CHANGES = 20;

/** The page on which an administrator changes one setting. */
export function addSettingPages(router: PageRouter, parts: AdminSettingParts): void {
  const { settingChanges, forecastSetting, repeatedForms, pages } = parts;
  const forecasts = createSemaphore(FORECAST_LIMITS.atOnce, FORECAST_LIMITS);

  function requireSetting(ctx: RequestContext): SettingInForce {
    const name = SETTING_NAMES.find((each) => each === pathParameter(ctx, 'setting'));
    const setting = name && settingChanges.find(name);
    if (setting === undefined) throw notFound();
    return setting;
  }

  async function show(
    ctx: RequestContext,
    setting: SettingInForce,
    more: Partial<Pick<AdminSettingLocals, 'entered' | 'error' | 'proposed'>> = {},
  ): Promise<void> {
    if (typeof more.error === 'string') ctx.status = 422;
    const input = inputOf(setting.name);
    const history = await changesOf(setting.name, parts);
    sendPage(
      ctx,
      pages.adminSetting({
        ...pageContextFor(ctx, actingUser(ctx)),
        setting: localsOf(setting),
        input,
        entered: setting.fixedBy === null ? enteredText(input, setting.value) : '',
        error: null,
        proposed: null,
        history,
        formId: repeatedForms.mintId(versionOf(setting)),
        ...more,
      }),
    );
  }

  /** Shows the forecast beside the button that makes the change. */
  async function propose(ctx: RequestContext, setting: SettingInForce, change: Proposed): Promise<void> {
    const { name } = setting;
    const problems = await settingChanges.problems(change.requested);
    const [problem] = Object.values(problems);
    if (problem !== undefined) return show(ctx, setting, { entered: change.entered, error: problem });
    const forecast = await runQueued(forecasts, () => forecastSetting(name, change.value, closing(ctx)));
    const value = settingLines(name, change.value, setting.unit);
    const isReset = change.requested.reset.length > 0;
    return show(ctx, setting, { entered: change.entered, proposed: { value, isReset, forecast } });
  }

  async function make(ctx: RequestContext, setting: SettingInForce, change: Proposed): Promise<void> {
    const { name } = setting;
    if (repeatedForms.isOutdated(ctx, versionOf(setting))) throw outdatedForm();
    const changed = await settingChanges.change(change.requested, userCommandContext(ctx, actingUser(ctx)));
    if ('problems' in changed) {
      const [problem = ''] = Object.values(changed.problems);
      return show(ctx, setting, { entered: change.entered, error: problem });
    }
    const done = change.requested.reset.length > 0 ? 'has its default again' : 'was changed';
    ctx.state.webSession.flash(`${name} ${done}. It is in force.`);
    ctx.redirect(`/admin/settings/${name}/`);
  }

  /** The change in the form; a text if the setting does not accept the value. */
  function enteredChange(ctx: RequestContext, { name }: SettingInForce): Proposed | { readonly problem: string } {
    const entered = formOf(ctx).text('setting_value');
    const parsed = settingChanges.parse(name, environmentText(inputOf(name), entered));
    if ('problem' in parsed) return parsed;
    return { entered, value: parsed.value, requested: { set: { [name]: parsed.value }, reset: [] } };
  }

  router.get('/settings/:setting', (ctx) => show(ctx, requireSetting(ctx)));

  for (const [path, act] of [
    ['/settings/:setting', propose],
    ['/settings/:setting/change', make],
  ] as const)
    router.post(path, async (ctx) => {
      const setting = requireSetting(ctx);
      const change = enteredChange(ctx, setting);
      if ('problem' in change)
        return show(ctx, setting, { entered: formOf(ctx).text('setting_value'), error: change.problem });
      return act(ctx, setting, change);
    });

  router.get('/settings/:setting/reset', async (ctx) => {
    const setting = requireSetting(ctx);
    if (setting.changed === null) return ctx.redirect(`/admin/settings/${setting.name}/`);
    return propose(ctx, setting, resetOf(setting));
  });

  router.post('/settings/:setting/reset', (ctx) => {
    const setting = requireSetting(ctx);
    return make(ctx, setting, resetOf(setting));
  });
}

interface Proposed {
  readonly entered: string;
  readonly value: unknown;
  readonly requested: RequestedChange;
}

/** Aborts when the browser does not wait any more. */
function closing(ctx: RequestContext): AbortSignal {
  const abort = new AbortController();
  ctx.res.once('close', () => abort.abort());
  return abort.signal;
}

/** Changes with every change of the setting, and never recurs. */
function versionOf({ name, changed }: SettingInForce): string {
  return `${name} ${changed?.position ?? 0}`;
}

function localsOf(setting: SettingInForce): AdminSettingLocals['setting'] {
  const { name, environment, description, unit, origin, fixedBy, changed, ignoredBecause } = setting;
  const lines = (value: unknown) => settingLines(name, value, unit);
  const ignored = changed !== null && ignoredBecause !== null;
  return {
    name,
    environment,
    description,
    expects: settings[name].expects,
    unit,
    value: lines(setting.value),
    default: lines(setting.default),
    origin,
    fixedBy,
    ignored: ignored ? { value: lines(changed.value), because: ignoredBecause } : null,
    isChanged: changed !== null,
  };
}

async function changesOf(
  name: SettingName,
  { log, users }: Pick<AdminSettingParts, 'log' | 'users'>,
): Promise<AdminSettingLocals['history']> {
  const found: AdminSettingLocals['history'][number][] = [];
  for await (const page of log.readStreamBackwards(SETTINGS_STREAM)) {
    for (const recorded of page) {
      const { type, data } = decodeEvent(recorded);
      if ((type !== 'SettingChanged' && type !== 'SettingReset') || data.name !== name) continue;
      const at = Math.floor(recorded.recordedAt / 1000) as EpochSeconds;
      const value = type === 'SettingChanged' ? settingLines(name, data.value, settings[name].unit ?? null) : null;
      found.push({ at, by: nameOf(recorded, users), value, position: recorded.position });
      if (found.length === MOST_CHANGES) return found;
    }
  }
  return found;
}

function nameOf({ actor }: Pick<RecordedEvent, 'actor'>, users: AdminSettingParts['users']): string {
  if (actor.kind !== 'user') return actor.kind === 'operator' ? 'the operator' : actor.kind;
  return users.find(actor.id as Parameters<typeof users.find>[0])?.username ?? 'a user who was erased';
}

function resetOf({ name, default: preset }: SettingInForce): Proposed {
  const entered = enteredText(inputOf(name), preset);
  return { entered, value: preset, requested: { set: {}, reset: [name] } };
}
