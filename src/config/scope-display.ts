import { z } from 'zod';
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

/** Users should be careful with a sensitive scope. */
export const SCOPE_SENSITIVITIES = ['normal', 'sensitive'] as const;

export type ScopeSensitivity = (typeof SCOPE_SENSITIVITIES)[number];

/** How the consent page shows a scope. */
export interface ScopeDisplay {
  readonly icon?: ScopeIcon | undefined;
  readonly sensitivity?: ScopeSensitivity | undefined;
}

export const scopeDisplay = z.record(
  scopeName,
  z.strictObject({ icon: z.enum(SCOPE_ICONS).optional(), sensitivity: z.enum(SCOPE_SENSITIVITIES).optional() }),
) as z.ZodType<Readonly<Record<string, ScopeDisplay>>>;
