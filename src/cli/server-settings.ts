import { effectiveScopes, type Config } from '../config/config.ts';
import { effectiveSettings } from '../config/effective-settings.ts';
import { applyChanges } from '../config/live-config.ts';
import { SETTING_NAMES, type SettingName } from '../config/settings.ts';
import { isSameValue } from '../domain/same-value.ts';
import type { SettingItem } from '../operations/settings.ts';
import { callServer } from './call-server.ts';

/** The value and origin that a setting would have after a restart. */
export interface AfterRestart {
  readonly value: unknown;
  readonly origin: string;
}

/** The settings of a running server. */
export interface ServerSettings {
  readonly items: readonly SettingItem[];
  /** The effective configuration, with this command's data directory and secrets. */
  readonly config: Config;
  /** The settings that a restart would change, by name. */
  readonly afterRestart: ReadonlyMap<SettingName, AfterRestart>;
}

/**
 * Asks the server on the data directory for its settings. Resolves with undefined if no server is running, or if it is
 * not responding.
 * @param localConfig the settings of this command, which a server would start with
 */
export async function askServerSettings(localConfig: Config): Promise<ServerSettings | undefined> {
  const items: SettingItem[] = [];
  for await (const item of callServer(localConfig.dataDir, 'setting list', {})) items.push(item as SettingItem);
  return items.length === 0 ? undefined : serverSettings(localConfig, items);
}

/**
 * Derives the settings of the running server from the settings of this command.
 * @param items the items of the `setting list` operation
 */
export function serverSettings(localConfig: Config, items: readonly SettingItem[]): ServerSettings {
  return { items, config: effectiveConfig(localConfig, items), afterRestart: changedByRestart(localConfig, items) };
}

/**
 * Settings that are taken from this command: the server's `dataDir` may be relative to another directory, and the other
 * settings listed here are combined separately.
 */
const LOCAL_SETTINGS: readonly string[] = ['dataDir', 'adminUsername', 'adminPassword', 'defaultScopes', 'scopes'];

const HIDDEN = '(hidden)';

function effectiveConfig(localConfig: Config, items: readonly SettingItem[]): Config {
  const knownItems = items.filter(({ name, value }) => isSettingName(name) && value !== HIDDEN);
  const values = knownItems
    .filter(({ name }) => !LOCAL_SETTINGS.includes(name))
    .map(({ name, value }) => [name, value]);
  const origins = {
    ...localConfig.origins,
    ...Object.fromEntries(knownItems.map(({ name, origin }) => [name, origin])),
  } as Config['origins'];
  const findValue = (name: string): unknown => knownItems.find((item) => item.name === name)?.value;
  const configured = {
    scopes: (findValue('scopes') ?? localConfig.configured.scopes) as Config['scopes'],
    defaultScopes: (findValue('defaultScopes') ??
      localConfig.configured.defaultScopes) as Config['configured']['defaultScopes'],
  };
  return {
    ...localConfig,
    ...(Object.fromEntries(values) as Partial<Config>),
    origins,
    configured,
    admin: toAdmin(findValue('adminUsername')),
    ...effectiveScopes(configured, { ...origins, defaultScopes: 'change' }),
  };
}

/** Returns the configured first administrator, if any, with a placeholder for the password, which no check needs. */
function toAdmin(username: unknown): Config['admin'] {
  return typeof username === 'string' ? { username, password: HIDDEN } : null;
}

/**
 * Returns the settings that a restart would change. Changes in the log stay in effect, except for settings in the
 * file or the environment.
 */
function changedByRestart(localConfig: Config, items: readonly SettingItem[]): ReadonlyMap<SettingName, AfterRestart> {
  const recordedChanges = items.flatMap(({ name, origin, value, ignored }): (readonly [string, unknown])[] => {
    if (origin === 'change') return [[name, value]];
    return ignored === null ? [] : [[name, ignored.value]];
  });
  const { values, origins, configured } = applyChanges(localConfig, new Map(recordedChanges));
  const settingsAfterRestart = effectiveSettings({ ...localConfig, ...values, origins, configured });
  const changedSettings = settingsAfterRestart.filter(({ name, value }) => {
    const item = items.find((candidate) => candidate.name === name);
    return name !== 'dataDir' && item !== undefined && !isSameValue(toJsonValue(item.value), toJsonValue(value));
  });
  return new Map(changedSettings.map(({ name, value, origin }) => [name, { value, origin }]));
}

/** Makes values comparable with the server's values, which were sent as JSON and lack undefined members. */
const toJsonValue = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));

const isSettingName = (name: string): boolean => SETTING_NAMES.some((settingName) => settingName === name);
