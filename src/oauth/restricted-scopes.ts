import type { Role } from '../domain/events.ts';
import type { Scope } from '../domain/scope.ts';

/** The events of everybody: nobody can lend them out who may not see them. */
export const NOT_AN_AUDITOR = 'the scope audit is for accounts with the role auditor or administrator';

/** Whether a resource owner of these roles may let a client have `scope`. */
export function mayLend(scope: Scope, roles: readonly Role[]): boolean {
  return !scope.includes('audit') || roles.includes('auditor') || roles.includes('administrator');
}
