import { z } from 'zod';
import type { RestrictedScope } from '../domain/values.ts';
import { scopeName } from './default-scopes.ts';

/** The icons that a scope can have. views/partials/scope-icon.ejs draws them. */
export const SCOPE_ICONS = [
  'bell',
  'calendar',
  'card',
  'chat',
  'file',
  'key',
  'location',
  'mail',
  'people',
  'person',
  'pencil',
  'picture',
] as const;

export type ScopeIcon = (typeof SCOPE_ICONS)[number];

/** The sensitivities of scopes. The consent page marks sensitive scopes as a warning to users. */
export const SCOPE_SENSITIVITIES = ['normal', 'sensitive'] as const;

export type ScopeSensitivity = (typeof SCOPE_SENSITIVITIES)[number];

/** The appearance of a scope on the consent page. Absent members have default values. */
export interface ScopeDisplay {
  readonly icon?: ScopeIcon | undefined;
  readonly sensitivity?: ScopeSensitivity | undefined;
}

/** Scopes that are sensitive by default, because they let applications access the data of all users. */
const SENSITIVE_BY_DEFAULT: readonly string[] = ['admin', 'audit'] satisfies readonly RestrictedScope[];

export function defaultSensitivity(scope: string): ScopeSensitivity {
  return SENSITIVE_BY_DEFAULT.includes(scope) ? 'sensitive' : 'normal';
}

/** Returns the icon and the sensitivity of a scope. Applies the defaults for absent members. */
export function effectiveDisplay(
  displays: Readonly<Record<string, ScopeDisplay>>,
  scope: string,
): { readonly icon: ScopeIcon | null; readonly sensitivity: ScopeSensitivity } {
  const { icon = null, sensitivity = defaultSensitivity(scope) } = Object.hasOwn(displays, scope)
    ? (displays[scope] ?? {})
    : {};
  return { icon, sensitivity };
}

export const scopeDisplay = z.record(
  scopeName,
  z.strictObject({ icon: z.enum(SCOPE_ICONS).optional(), sensitivity: z.enum(SCOPE_SENSITIVITIES).optional() }),
) as z.ZodType<Readonly<Record<string, ScopeDisplay>>>;
