import { message, type Text } from '../language/message.ts';
import { deepFreeze, effectiveScopes, type Config } from './config.ts';
import { runTimeContradictions } from './contradictions.ts';
import type { Origin, Setting } from './setting.ts';
import type { z } from 'zod';
import { SETTING_NAMES, settings, type RunTimeSettingName, type SettingName } from './settings.ts';

/** The recorded values of settings, by name. A change replaces the map. */
export type RecordedSettings = ReadonlyMap<string, unknown>;

/** A recorded change that has no effect. */
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
  const declared: Setting<z.ZodType> = settings[name];
  return declared.atRunTime === true;
}

/**
 * Returns the configuration with the changes in the log. Its run-time settings have their current values whenever they
 * are read, so a reader must not copy them when the server is composed. A test checks this.
 * @param recorded returns a new map after each change
 */
export function liveConfig(base: Config, recorded: () => RecordedSettings): Config {
  let cached: { readonly changes: RecordedSettings; readonly applied: AppliedChanges } | undefined;

  /** Returns undefined while the log has no changes. */
  function appliedChanges(): AppliedChanges | undefined {
    const changes = recorded();
    if (changes.size === 0) return undefined;
    if (cached?.changes !== changes) cached = { changes, applied: applyChanges(base, changes) };
    return cached.applied;
  }

  const live = RUN_TIME_SETTINGS.map((name) => [name, () => (appliedChanges()?.values ?? base)[name]] as const);
  const getters = [
    ...live,
    ['origins', () => (appliedChanges() ?? base).origins],
    ['configured', () => (appliedChanges() ?? base).configured],
  ];
  const properties = getters.map(([name, get]) => [name, { get, enumerable: true }]);
  const startUpSettings = SETTING_NAMES.filter((name) => !isRunTimeSetting(name));
  return Object.defineProperties(
    Object.fromEntries([...startUpSettings, 'admin', 'basis'].map((name) => [name, Reflect.get(base, name)])),
    Object.fromEntries(properties),
  ) as Config;
}

/**
 * Applies the changes in the log. A setting that the operator set in the environment or the file keeps that value.
 * Changes that contradict other settings are ignored, because the settings without them are consistent.
 */
export function applyChanges(base: Config, recorded: RecordedSettings): AppliedChanges {
  const ignored: IgnoredChange[] = [];
  const changes = new Map<RunTimeSettingName, unknown>();
  for (const [name, value] of recorded) {
    const read = readChange(base, name, value);
    if ('reason' in read) ignored.push({ name, value, reason: read.reason });
    else changes.set(read.name, read.value);
  }
  for (;;) {
    const applied = withChanges(base, changes);
    const contradiction = contradictionsOf(applied, base).find(({ settings: names }) =>
      names.some((name) => isRunTimeSetting(name) && changes.has(name)),
    );
    if (contradiction === undefined) return deepFreeze({ ...applied, ignored });
    for (const name of contradiction.settings) {
      if (!isRunTimeSetting(name) || !changes.has(name)) continue;
      ignored.push({ name, value: recorded.get(name), reason: contradiction.problem });
      changes.delete(name);
    }
  }
}

/** Finds the contradictions that the settings with the changes will have after a restart. */
export function problemsAfterRestart(base: Config, recorded: RecordedSettings): readonly Text[] {
  const changes = new Map(
    [...recorded].flatMap(([name, value]) => {
      const read = readChange(base, name, value);
      return 'reason' in read ? [] : [[read.name, read.value] as const];
    }),
  );
  return contradictionsOf(withChanges(base, changes), base).map(({ problem }) => problem);
}

/** Returns why only the operator can change the setting, or undefined if a change at run time takes effect. */
export function fixedBy(base: Config, name: SettingName): 'file' | 'environment' | 'start' | undefined {
  return isRunTimeSetting(name) ? (fixedByOperator(base, name) ?? undefined) : 'start';
}

/** Returns where the operator has set the setting, so that changes have no effect; null if it is not set. */
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
  const known = SETTING_NAMES.find((each) => each === name);
  if (known === undefined || !isRunTimeSetting(known)) return { reason: message('ignored-change.unknown') };
  const fixed = fixedByOperator(base, known);
  if (fixed !== null) return { reason: message(`ignored-change.${fixed}`) };
  const checked = settings[known].schema.safeParse(value);
  if (!checked.success) return { reason: message('ignored-change.value', { expects: settings[known].expects }) };
  return { name: known, value: checked.data };
}

function withChanges(base: Config, changes: ReadonlyMap<RunTimeSettingName, unknown>): Omit<AppliedChanges, 'ignored'> {
  const changed = Object.fromEntries(changes) as Partial<AppliedChanges['values']>;
  const origins: Record<SettingName, Origin> = { ...base.origins };
  for (const name of changes.keys()) origins[name] = 'change';
  const configured = {
    scopes: changes.has('scopes') ? (changed.scopes as Config['scopes']) : base.configured.scopes,
    defaultScopes: changes.has('defaultScopes')
      ? (changed.defaultScopes as Config['configured']['defaultScopes'])
      : base.configured.defaultScopes,
  };
  const unchanged = Object.fromEntries(RUN_TIME_SETTINGS.map((name) => [name, base[name]])) as AppliedChanges['values'];
  const scopes = changes.has('scopes') || changes.has('defaultScopes') ? effectiveScopes(configured, origins) : {};
  return { values: { ...unchanged, ...changed, ...scopes }, origins, configured };
}

function contradictionsOf({ values, origins, configured }: Omit<AppliedChanges, 'ignored'>, base: Config) {
  const { readScope, writeScope, sampleApi } = base;
  return runTimeContradictions({ ...values, ...configured, readScope, writeScope, sampleApi }, origins);
}
