import type { Config, Origin } from './config.ts';
import { BUILT_IN_SCOPES, environmentName, SETTING_NAMES, settings, type SettingName, type SettingValues } from './settings.ts';

/** One setting as the server runs with it. */
export interface SettingInForce {
  readonly name: SettingName;
  /** What it is called in the environment. */
  readonly environment: string;
  /** `(hidden)` for a secret that is set. */
  readonly value: unknown;
  readonly origin: Origin;
  readonly default: unknown;
  readonly unit: string | null;
  readonly description: string;
}

/** Every setting, its value and where that came from; secrets only as set or not. */
export function settingsInForce(config: Config): readonly SettingInForce[] {
  const effective: { readonly [Name in SettingName]: unknown } = {
    ...(config as Omit<Config, 'admin'> satisfies Omit<SettingValues, 'adminUsername' | 'adminPassword' | 'issuer' | 'defaultScopes'>),
    scopes: withoutBuiltIn(config.scopes),
    adminUsername: config.admin?.username ?? null,
    adminPassword: config.admin?.password ?? null,
  };
  return SETTING_NAMES.map((name) => {
    const { default: preset, description, unit = null, secret = false } = settings[name];
    const value = effective[name];
    const shown = secret && value !== null ? '(hidden)' : value;
    return { name, environment: environmentName(name), value: shown, origin: config.origins[name], default: preset, unit, description };
  });
}

/** As they were set: the two that every server knows come by themselves. */
function withoutBuiltIn(scopes: Config['scopes']): Config['scopes'] {
  const builtIn: Readonly<Record<string, string>> = BUILT_IN_SCOPES;
  return Object.fromEntries(Object.entries(scopes).filter(([name, description]) => builtIn[name] !== description));
}
