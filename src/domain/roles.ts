import type { Role } from './events.ts';
import type { RestrictedScope, UserId } from './values.ts';

/** Reports whether these roles allow reading the whole log. Administrators are auditors as well. */
export function mayAudit(roles: readonly Role[]): boolean {
  return roles.includes('auditor') || mayAdminister(roles);
}

/** Reports whether these roles allow administering the server. */
export function mayAdminister(roles: readonly Role[]): boolean {
  return roles.includes('administrator');
}

/**
 * Returns the restricted scopes that a client currently has for a user with these `roles`. A user who is no longer an
 * auditor cannot delegate `audit`, so existing tokens lose it. Users cannot delegate `admin`, because they administer
 * the server through its pages.
 * @param roles null if the client acts on its own behalf
 */
export function delegableScopes(
  allowedScopes: readonly RestrictedScope[],
  roles: readonly Role[] | null,
): readonly RestrictedScope[] {
  return roles === null
    ? allowedScopes
    : allowedScopes.filter((scope) => scope !== 'admin' && (scope !== 'audit' || mayAudit(roles)));
}

interface Account {
  readonly userId: UserId;
  readonly active: boolean;
  readonly roles: readonly Role[];
}

/** Reports whether this is the only active account with the auditor role. Administrators can audit as well. */
export function isLastAuditor(account: Account, accounts: Iterable<Account>): boolean {
  const isAuditor = ({ active, roles }: Account): boolean => active && roles.includes('auditor');
  if (!isAuditor(account)) return false;
  for (const candidate of accounts) if (candidate.userId !== account.userId && isAuditor(candidate)) return false;
  return true;
}

/** Returns an active administrator other than this account, if any. */
export function otherAdministrator<Candidate extends Account>(
  { userId }: Account,
  accounts: Iterable<Candidate>,
): Candidate | undefined {
  for (const candidate of accounts)
    if (candidate.userId !== userId && isActiveAdministrator(candidate)) return candidate;
  return undefined;
}

/** Reports whether the account is an active administrator. It may have no way to log in. */
export function isActiveAdministrator({ active, roles }: Account): boolean {
  return active && mayAdminister(roles);
}
