import type { Role } from '../../domain/events.ts';
import { delegableScopes, mayAudit } from '../../domain/roles.ts';
import { withoutForbidden, withoutUnknown, type Scope } from '../../domain/scope.ts';
import type { UserId } from '../../domain/values.ts';
import type { Client } from '../../projections/clients.ts';
import type { RefusalOf } from '../refusals/refusal.ts';
import type { KnownResources } from '../resources/known-resources.ts';
import type { Users } from '../../projections/users.ts';

type DelegationRefusal = RefusalOf<'scope-needs-role' | 'scope-needs-client'>;

/**
 * Returns why a user with these roles cannot delegate `scope`, or undefined if the user can. The `audit` scope gives
 * access to all users' events. Only clients that act on their own behalf can have `admin`.
 */
export function delegationRefusal(scope: Scope, roles: readonly Role[]): DelegationRefusal | undefined {
  if (scope.includes('admin')) return { rule: 'scope-needs-client', scope: 'admin' };
  return !scope.includes('audit') || mayAudit(roles) ? undefined : { rule: 'scope-needs-role', scope: 'audit' };
}

/**
 * Returns the part of a granted scope that still applies: without restricted scopes that the client may no longer have
 * or that the user can no longer delegate, and without scopes that are no longer defined. `userId` is null if the
 * client acts on its own behalf.
 */
export type EffectiveScope = (scope: Scope, client: Pick<Client, 'restrictedScopes'>, userId: UserId | null) => Scope;

export function createEffectiveScope(
  users: Pick<Users, 'find'>,
  resources: Pick<KnownResources, 'scopes'>,
): EffectiveScope {
  return (scope, { restrictedScopes }, userId) => {
    const scopes = resources.scopes();
    const roles = userId === null ? null : (users.find(userId)?.roles ?? []);
    return withoutUnknown(withoutForbidden(scope, delegableScopes(restrictedScopes, roles)), {
      has: (name) => Object.hasOwn(scopes, name),
    });
  };
}
