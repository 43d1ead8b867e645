import { z } from 'zod';
import { unknownSettingProblem } from '../config/config.ts';
import { OPERATION_TEXTS } from '../config/input-limits.ts';
import { findSettingName } from '../config/settings.ts';
import { isSameValue } from '../domain/same-value.ts';
import { SETTINGS_STREAM } from '../domain/streams.ts';
import { english } from '../language/english.ts';
import type { CurrentSetting } from '../oauth/settings/setting-changes.ts';
import { decodeEvent } from '../domain/events.ts';
import { OperationRefused } from './control/operation-refused.ts';
import type { OperationContext } from './operation-context.ts';
import { operation, streamingOperation, type Operation } from './operation.ts';

const nameInput = z.strictObject({ name: z.string().min(1).max(OPERATION_TEXTS.settingName) });
const valueInput = nameInput.extend({ value: z.string().max(OPERATION_TEXTS.setting) });

/** A setting, as returned by operations. */
export interface SettingItem {
  readonly name: string;
  readonly value: unknown;
  readonly origin: string;
  readonly default: unknown;
  readonly unit: string | null;
  /** Whether administrators can change it while the server runs. */
  readonly can_change: boolean;
  /**
   * Why administrators cannot change it: it is read at startup, or set in the file or environment; null if they can.
   */
  readonly fixed_by: string | null;
  /** When the change in the log was made; null if the setting has never been changed or was reset. */
  readonly changed_at: string | null;
  /** The value in the log, and why it does not apply; null if it applies or the log contains none. */
  readonly ignored: { readonly value: unknown; readonly because: string } | null;
  readonly description: string;
}

function toItem({ changed, ignoredBecause, fixedBy, ...setting }: CurrentSetting): SettingItem {
  const { name, value, origin, unit, description, default: defaultValue } = setting;
  return {
    name,
    value,
    origin,
    default: defaultValue,
    unit,
    can_change: fixedBy === null,
    fixed_by: fixedBy,
    changed_at: changed && new Date(changed.changedAt * 1000).toISOString(),
    ignored:
      changed && ignoredBecause !== null ? { value: changed.value, because: english.text(ignoredBecause) } : null,
    description,
  };
}

/** Reports whether the value was set and differs from the default, or a change in the log is ignored. */
function isChangedSetting({ value, origin, default: defaultValue, ignored }: SettingItem): boolean {
  return ignored !== null || (origin !== 'default' && !isSameValue(value, defaultValue));
}

function requireSetting({ settingChanges }: OperationContext, name: string): CurrentSetting {
  const settingName = findSettingName(name);
  const setting = settingName && settingChanges.find(settingName);
  if (setting !== undefined) return setting;
  throw new OperationRefused(unknownSettingProblem(name) ?? `${name}: unknown setting`, 'unknown');
}

/**
 * Returns `{ default }` with the current default, which the log does not contain, or `{}` if the setting no longer
 * exists.
 */
function currentDefault(name: string, { settingChanges }: OperationContext): { readonly default?: unknown } {
  const setting = settingChanges.find(name);
  return setting === undefined ? {} : { default: setting.default };
}

/**
 * Changes settings.
 * @throws OperationRefused if a change is invalid
 */
async function change(
  context: OperationContext,
  changes: { readonly set: Readonly<Record<string, unknown>>; readonly reset: readonly string[] },
): Promise<void> {
  const result = await context.settingChanges.change(changes, context.cause);
  if ('problems' in result) throw new OperationRefused(Object.values(result.problems).map(english.text).join('; '));
}

export const settingOperations: Readonly<Record<string, Operation>> = {
  'setting list': streamingOperation(
    z.strictObject({ changed: z.boolean().optional() }),
    async function* ({ changed = false }, { settingChanges }) {
      for (const setting of settingChanges.all().map(toItem)) if (!changed || isChangedSetting(setting)) yield setting;
    },
  ),

  'setting show': operation(nameInput, ({ name }, context) => toItem(requireSetting(context, name))),

  'setting set': operation(valueInput, async ({ name: enteredName, value: text }, context) => {
    const { name, value: previousValue } = requireSetting(context, enteredName);
    const parsed = context.settingChanges.parse(name, text);
    if ('problem' in parsed) throw new OperationRefused(english.text(parsed.problem));
    await change(context, { set: { [name]: parsed.value }, reset: [] });
    return { name, value: parsed.value, was: previousValue };
  }),

  'setting reset': operation(nameInput, async ({ name: enteredName }, context) => {
    const { name, value: previousValue } = requireSetting(context, enteredName);
    await change(context, { set: {}, reset: [name] });
    return { name, value: requireSetting(context, name).value, was: previousValue };
  }),

  'setting forecast': streamingOperation(
    valueInput,
    async function* ({ name: enteredName, value: text }, context, signal) {
      const { name } = requireSetting(context, enteredName);
      const parsed = context.settingChanges.parse(name, text);
      if ('problem' in parsed) throw new OperationRefused(english.text(parsed.problem));
      const { since, refusedRequests, ...forecast } = await context.forecastSetting(name, parsed.value, signal);
      const times = { since: new Date(since).toISOString(), refused_requests: refusedRequests };
      yield { name, value: parsed.value, ...forecast, ...times };
    },
  ),

  'setting history': streamingOperation(
    z.strictObject({ name: nameInput.shape.name.optional() }),
    async function* ({ name: enteredName }, context) {
      const requestedName = enteredName === undefined ? undefined : (findSettingName(enteredName) ?? enteredName);
      let isEmpty = true;
      for await (const page of context.log.readStreamBackwards(SETTINGS_STREAM)) {
        for (const recordedEvent of page) {
          const { type, data } = decodeEvent(recordedEvent);
          if (type !== 'SettingChanged' && type !== 'SettingReset') continue;
          if (requestedName !== undefined && data.name !== requestedName) continue;
          const { actor, position, recordedAt } = recordedEvent;
          const actorName = 'id' in actor ? `${actor.kind} ${actor.id}` : actor.kind;
          const value = type === 'SettingChanged' ? { value: data.value } : currentDefault(data.name, context);
          isEmpty = false;
          yield { time: new Date(recordedAt).toISOString(), name: data.name, ...value, by: actorName, position };
        }
      }
      // The log may contain changes to a setting that no longer exists.
      if (isEmpty && enteredName !== undefined) requireSetting(context, enteredName);
    },
  ),
};
