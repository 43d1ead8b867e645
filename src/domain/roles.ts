import type { Role } from './events.ts';
import type { RestrictedScope, UserId } from './values.ts';

/** Whether somebody of these roles may see what was recorded about everybody: administrators are auditors, too. */
export function mayAudit(roles: readonly Role[]): boolean {
  return roles.includes('auditor') || mayAdminister(roles);
}

export function mayAdminister(roles: readonly Role[]): boolean {
  return roles.includes('administrator');
}

/**
 * Of the restricted scopes that a client is allowed, those that it can hold for a resource owner of these `roles` now;
 * null: for itself. What somebody may not see any more, what they once lent to an application does not show it either.
 */
export function delegable(
  allowed: readonly RestrictedScope[],
  roles: readonly Role[] | null,
): readonly RestrictedScope[] {
  return roles === null || mayAudit(roles) ? allowed : allowed.filter((scope) => scope !== 'audit');
}

interface Account {
  readonly userId: UserId;
  readonly active: boolean;
  readonly roles: readonly Role[];
}

/** Whether nobody who can log in could administer the server any more, could this account not. */
export function isLastAdministrator(account: Account, accounts: Iterable<Account>): boolean {
  return canAdminister(account) && otherAdministrator(account, accounts) === undefined;
}

/** Another account that can log in and administer the server; undefined when there is none. */
export function otherAdministrator<Other extends Account>(
  { userId }: Account,
  accounts: Iterable<Other>,
): Other | undefined {
  for (const other of accounts) if (other.userId !== userId && canAdminister(other)) return other;
  return undefined;
}

export function canAdminister({ active, roles }: Account): boolean {
  return active && mayAdminister(roles);
}
