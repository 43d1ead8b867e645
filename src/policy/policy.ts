import type { Scope } from '../domain/scope.ts';

/** Who is asking, as far as a policy cares. */
export type Principal =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'bearer'; readonly clientId: string; readonly userId: string | null; readonly scope: Scope }
  | { readonly kind: 'session'; readonly userId: string };
