import type { z } from 'zod';
import { BUILT_IN_SCOPES } from './built-in-scopes.ts';
import type { Config } from './config.ts';
import type { Origin, Setting } from './setting.ts';
import { english } from '../language/english.ts';
import { effectiveDefault } from './effective-defaults.ts';
import { environmentName, SETTING_NAMES, settings, type SettingName, type SettingValues } from './settings.ts';

/** A setting with its effective value. */
export interface EffectiveSetting {
  readonly name: SettingName;
  /** The name of the environment variable. */
  readonly environment: string;
  /** `(hidden)` if the value contains a secret. */
  readonly value: unknown;
  readonly origin: Origin;
  readonly default: unknown;
  readonly unit: string | null;
  readonly description: string;
  /** The reason that this default applies; null if the default is the same in every configuration. */
  readonly reason: string | null;
}

/** Returns all settings, with their values and origins. Secret values are hidden. */
export function effectiveSettings(config: Config): readonly EffectiveSetting[] {
  const effectiveValues: { readonly [Name in SettingName]: unknown } = {
    ...(config as Omit<Config, 'admin'> satisfies Omit<
      SettingValues,
      'adminUsername' | 'adminPassword' | 'issuer' | 'defaultScopes'
    >),
    scopes: withoutBuiltIn(config.scopes),
    adminUsername: config.admin?.username ?? null,
    adminPassword: config.admin?.password ?? null,
  };
  return SETTING_NAMES.map((name) => {
    const declaration: Setting<z.ZodType> = settings[name];
    const description = english.t(`setting.${name}`);
    const { value: defaultValue, reason } = effectiveDefault(name, config.basis);
    const value = effectiveValues[name];
    const isHidden = declaration.secret === true && value !== null && declaration.isPublic?.(value) !== true;
    const displayedValue = isHidden ? '(hidden)' : value;
    const [environment, origin] = [environmentName(name), config.origins[name]];
    return {
      name,
      environment,
      value: displayedValue,
      origin,
      default: defaultValue,
      unit: declaration.unit ?? null,
      description,
      reason: reason && english.text(reason),
    };
  });
}

/**
 * Formats a value for the setting's environment variable. Returns an empty string for null if the variable must be
 * unset, because the setting would accept the text `null` as a value.
 */
export function formatSettingValue(name: SettingName, value: unknown): string {
  const acceptsAnyText = settings[name].schema.safeParse('null').success;
  if (value === null) return acceptsAnyText ? '' : 'null';
  if (typeof value === 'string') return value;
  // Invisible characters are escaped, so that a terminal shows them.
  return JSON.stringify(value).replaceAll(/[\p{Cf}\u2028\u2029]/gu, jsonEscape);
}

function jsonEscape(characters: string): string {
  return characters
    .split('')
    .map((codeUnit) => `\\u${codeUnit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/** Removes the built-in scopes that have their standard descriptions, because they need not be configured. */
function withoutBuiltIn(scopes: Config['scopes']): Config['scopes'] {
  const builtInScopes: Readonly<Record<string, string>> = BUILT_IN_SCOPES;
  return Object.fromEntries(
    Object.entries(scopes).filter(([name, description]) => builtInScopes[name] !== description),
  );
}
