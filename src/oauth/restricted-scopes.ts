import type { Role } from '../domain/events.ts';
import { lendable, mayAudit } from '../domain/roles.ts';
import type { Scope } from '../domain/scope.ts';
import type { RestrictedScope, UserId } from '../domain/values.ts';
import type { Client } from '../projections/clients.ts';
import type { Users } from '../projections/users.ts';

/** The events of everybody: nobody can lend them out who may not see them. */
export const NOT_AN_AUDITOR = 'the scope audit is for accounts with the role auditor or administrator';

/** Whether a resource owner of these roles may let a client have `scope`. */
export function mayLend(scope: Scope, roles: readonly Role[]): boolean {
  return !scope.includes('audit') || mayAudit(roles);
}

/** The restricted scopes that a client can hold for a resource owner now; null: for itself. */
export type RestrictedScopesOf = (client: Pick<Client, 'restrictedScopes'>, userId: UserId | null) => readonly RestrictedScope[];

export function lendableScopes(users: Pick<Users, 'find'>): RestrictedScopesOf {
  return ({ restrictedScopes }, userId) => lendable(restrictedScopes, userId === null ? null : (users.find(userId)?.roles ?? []));
}
