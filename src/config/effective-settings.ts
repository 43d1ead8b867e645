import type { Config, Origin } from './config.ts';
import { effectiveDefault } from './effective-defaults.ts';
import {
  BUILT_IN_SCOPES,
  environmentName,
  SETTING_NAMES,
  settings,
  type SettingName,
  type SettingValues,
} from './settings.ts';

/** One setting as the server runs with it. */
export interface EffectiveSetting {
  readonly name: SettingName;
  /** What it is called in the environment. */
  readonly environment: string;
  /** `(hidden)` for a secret that is set. */
  readonly value: unknown;
  readonly origin: Origin;
  readonly default: unknown;
  readonly unit: string | null;
  readonly description: string;
  /** Why the default is what it is; null where it is the same in every configuration. */
  readonly reason: string | null;
}

/** Every setting, its value and where that came from; secrets only as set or not. */
export function effectiveSettings(config: Config): readonly EffectiveSetting[] {
  const effective: { readonly [Name in SettingName]: unknown } = {
    ...(config as Omit<Config, 'admin'> satisfies Omit<
      SettingValues,
      'adminUsername' | 'adminPassword' | 'issuer' | 'defaultScopes'
    >),
    scopes: withoutBuiltIn(config.scopes),
    adminUsername: config.admin?.username ?? null,
    adminPassword: config.admin?.password ?? null,
  };
  return SETTING_NAMES.map((name) => {
    const { description, unit = null, secret = false } = settings[name];
    const { value: preset, reason } = effectiveDefault(name, config.basis);
    const value = effective[name];
    const shown = secret && value !== null ? '(hidden)' : value;
    const [environment, origin] = [environmentName(name), config.origins[name]];
    return { name, environment, value: shown, origin, default: preset, unit, description, reason };
  });
}

/** A value as the environment spells it. Read from there it is the same value; an empty text is no variable at all. */
export function formatSettingValue(name: SettingName, value: unknown): string {
  const isAnyTextTaken = settings[name].schema.safeParse('null').success;
  if (value === null) return isAnyTextTaken ? '' : 'null';
  if (typeof value === 'string') return value;
  // Characters that nobody sees are written so that a terminal shows them and JSON reads them.
  return JSON.stringify(value).replaceAll(/[\p{Cf}\u2028\u2029]/gu, jsonEscape);
}

function jsonEscape(unseen: string): string {
  return unseen
    .split('')
    .map((codeUnit) => `\\u${codeUnit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/** As they were set: the two that every server knows come by themselves. */
function withoutBuiltIn(scopes: Config['scopes']): Config['scopes'] {
  const builtIn: Readonly<Record<string, string>> = BUILT_IN_SCOPES;
  return Object.fromEntries(Object.entries(scopes).filter(([name, description]) => builtIn[name] !== description));
}
