import { z } from 'zod';
import type { RestrictedScope } from '../domain/values.ts';
import { scopeName } from './default-scopes.ts';

/** The icons of scopes. Each is drawn in views/partials/scope-icon.ejs. */
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

/** The consent page marks sensitive scopes, so that users are careful with them. */
export const SCOPE_SENSITIVITIES = ['normal', 'sensitive'] as const;

export type ScopeSensitivity = (typeof SCOPE_SENSITIVITIES)[number];

/** How the consent page shows a scope. */
export interface ScopeDisplay {
  readonly icon?: ScopeIcon | undefined;
  readonly sensitivity?: ScopeSensitivity | undefined;
}

/** Scopes that are sensitive by default, because they let applications access the data of all users. */
const SENSITIVE_BY_DEFAULT: readonly string[] = ['admin', 'audit'] satisfies readonly RestrictedScope[];

export function defaultSensitivity(scope: string): ScopeSensitivity {
  return SENSITIVE_BY_DEFAULT.includes(scope) ? 'sensitive' : 'normal';
}

/** Returns the icon and the sensitivity of a scope, with their defaults. */
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
