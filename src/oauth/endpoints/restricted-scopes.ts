import type { Role } from '../../domain/events.ts';
import { delegable, mayAudit } from '../../domain/roles.ts';
import { withoutForbidden, withoutUnknown, type Scope } from '../../domain/scope.ts';
import type { UserId } from '../../domain/values.ts';
import type { Client } from '../../projections/clients.ts';
import type { Users } from '../../projections/users.ts';

/** The events of everybody: nobody can lend them out who may not see them. */
export const AUDIT_SCOPE_NEEDS_ROLE = 'the scope audit is for accounts with the role auditor or administrator';

/** Whether a resource owner of these roles may let a client have `scope`. */
export function mayDelegate(scope: Scope, roles: readonly Role[]): boolean {
  return !scope.includes('audit') || mayAudit(roles);
}

/**
 * What is left now of a scope that was granted to a client; `userId` is null for one that it holds for itself. It
 * leaves out restricted names that the client may not hold any more, and names that are no longer in the settings.
 */
export type EffectiveScope = (scope: Scope, client: Pick<Client, 'restrictedScopes'>, userId: UserId | null) => Scope;

export function effectiveScope(
  users: Pick<Users, 'find'>,
  settings: { readonly scopes: Readonly<Record<string, string>> },
): EffectiveScope {
  const known = new Set(Object.keys(settings.scopes));
  return (scope, { restrictedScopes }, userId) => {
    const roles = userId === null ? null : (users.find(userId)?.roles ?? []);
    return withoutUnknown(withoutForbidden(scope, delegable(restrictedScopes, roles)), known);
  };
}
