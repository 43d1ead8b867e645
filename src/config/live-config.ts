import { message, type Text } from '../language/message.ts';
import { deepFreeze, effectiveScopes, type Config } from './config.ts';
import { runTimeContradictions } from './contradictions.ts';
import type { Origin, Setting } from './setting.ts';
import type { z } from 'zod';
import { SETTING_NAMES, settings, type RunTimeSettingName, type SettingName } from './settings.ts';

/** The values of settings in the log, by name. Each change creates a new map. */
export type RecordedSettings = ReadonlyMap<string, unknown>;

/** A change in the log that has no effect. */
export interface IgnoredChange {
  readonly name: string;
  readonly value: unknown;
  /** Completes "has no effect, because …". */
  readonly reason: Text;
}

interface AppliedChanges {
  readonly values: Pick<Config, RunTimeSettingName>;
  readonly origins: Config['origins'];
  readonly configured: Config['configured'];
  readonly ignored: readonly IgnoredChange[];
}

/** The names of the settings that can change while the server runs. */
export const RUN_TIME_SETTINGS: readonly RunTimeSettingName[] = SETTING_NAMES.filter(isRunTimeSetting);

function isRunTimeSetting(name: SettingName): name is RunTimeSettingName {
  const declaration: Setting<z.ZodType> = settings[name];
  return declaration.atRunTime === true;
}

/**
 * Returns the configuration with the changes in the log applied. Its run-time settings always have their current
 * values. Code must therefore read them when it needs them, not copy them when the server is composed; a test checks
 * this rule.
 * @param recordedSettings returns a new map after each change
 */
export function liveConfig(base: Config, recordedSettings: () => RecordedSettings): Config {
  let cached: { readonly changes: RecordedSettings; readonly applied: AppliedChanges } | undefined;

  /** Returns the applied changes, or undefined while the log has none. */
  function appliedChanges(): AppliedChanges | undefined {
    const changes = recordedSettings();
    if (changes.size === 0) return undefined;
    if (cached?.changes !== changes) cached = { changes, applied: applyChanges(base, changes) };
    return cached.applied;
  }

  const runTimeGetters = RUN_TIME_SETTINGS.map(
    (name) => [name, () => (appliedChanges()?.values ?? base)[name]] as const,
  );
  const getters = [
    ...runTimeGetters,
    ['origins', () => (appliedChanges() ?? base).origins],
    ['configured', () => (appliedChanges() ?? base).configured],
  ];
  const properties = getters.map(([name, get]) => [name, { get, enumerable: true }]);
  const startupSettings = SETTING_NAMES.filter((name) => !isRunTimeSetting(name));
  return Object.defineProperties(
    Object.fromEntries([...startupSettings, 'admin', 'basis'].map((name) => [name, Reflect.get(base, name)])),
    Object.fromEntries(properties),
  ) as Config;
}

/**
 * Applies the changes in the log. A setting that the environment or the file fixes keeps its value. Changes that
 * contradict other settings are ignored, because the settings are consistent without those changes.
 */
export function applyChanges(base: Config, recordedSettings: RecordedSettings): AppliedChanges {
  const ignoredChanges: IgnoredChange[] = [];
  const changes = new Map<RunTimeSettingName, unknown>();
  for (const [name, value] of recordedSettings) {
    const result = readChange(base, name, value);
    if ('reason' in result) ignoredChanges.push({ name, value, reason: result.reason });
    else changes.set(result.name, result.value);
  }
  for (;;) {
    const applied = withChanges(base, changes);
    const contradiction = findRunTimeContradictions(applied, base).find(({ settings: names }) =>
      names.some((name) => isRunTimeSetting(name) && changes.has(name)),
    );
    if (contradiction === undefined) return deepFreeze({ ...applied, ignored: ignoredChanges });
    for (const name of contradiction.settings) {
      if (!isRunTimeSetting(name) || !changes.has(name)) continue;
      ignoredChanges.push({ name, value: recordedSettings.get(name), reason: contradiction.problem });
      changes.delete(name);
    }
  }
}

/**
 * Finds the contradictions between the settings when all valid changes in the log are applied. Unlike `applyChanges`,
 * this function does not ignore the changes that cause a contradiction.
 */
export function findContradictionsWithChanges(base: Config, recordedSettings: RecordedSettings): readonly Text[] {
  const changes = new Map(
    [...recordedSettings].flatMap(([name, value]) => {
      const result = readChange(base, name, value);
      return 'reason' in result ? [] : [[result.name, result.value] as const];
    }),
  );
  return findRunTimeContradictions(withChanges(base, changes), base).map(({ problem }) => problem);
}

/** Returns the reason that only the operator can change the setting, or undefined if it can change at run time. */
export function fixedBy(base: Config, name: SettingName): 'file' | 'environment' | 'start' | undefined {
  return isRunTimeSetting(name) ? (fixedByOperator(base, name) ?? undefined) : 'start';
}

/** Returns the place where the operator has fixed the setting, or null if the setting is not fixed. */
export function fixedByOperator(
  { origins }: Pick<Config, 'origins'>,
  name: SettingName,
): 'file' | 'environment' | null {
  const origin = origins[name];
  return origin === 'file' || origin === 'environment' ? origin : null;
}

function readChange(
  base: Config,
  name: string,
  value: unknown,
): { readonly name: RunTimeSettingName; readonly value: unknown } | { readonly reason: Text } {
  const settingName = SETTING_NAMES.find((candidate) => candidate === name);
  if (settingName === undefined || !isRunTimeSetting(settingName)) return { reason: message('ignored-change.unknown') };
  const fixedOrigin = fixedByOperator(base, settingName);
  if (fixedOrigin !== null) return { reason: message(`ignored-change.${fixedOrigin}`) };
  const result = settings[settingName].schema.safeParse(value);
  if (!result.success) return { reason: message('ignored-change.value', { expects: settings[settingName].expects }) };
  return { name: settingName, value: result.data };
}

function withChanges(base: Config, changes: ReadonlyMap<RunTimeSettingName, unknown>): Omit<AppliedChanges, 'ignored'> {
  const changedValues = Object.fromEntries(changes) as Partial<AppliedChanges['values']>;
  const origins: Record<SettingName, Origin> = { ...base.origins };
  for (const name of changes.keys()) origins[name] = 'change';
  const configured = {
    scopes: changes.has('scopes') ? (changedValues.scopes as Config['scopes']) : base.configured.scopes,
    defaultScopes: changes.has('defaultScopes')
      ? (changedValues.defaultScopes as Config['configured']['defaultScopes'])
      : base.configured.defaultScopes,
  };
  const baseValues = Object.fromEntries(
    RUN_TIME_SETTINGS.map((name) => [name, base[name]]),
  ) as AppliedChanges['values'];
  const scopes = changes.has('scopes') || changes.has('defaultScopes') ? effectiveScopes(configured, origins) : {};
  return { values: { ...baseValues, ...changedValues, ...scopes }, origins, configured };
}

function findRunTimeContradictions({ values, origins, configured }: Omit<AppliedChanges, 'ignored'>, base: Config) {
  const { readScope, writeScope, sampleApi } = base;
  return runTimeContradictions({ ...values, ...configured, readScope, writeScope, sampleApi }, origins);
}
