import type { LoginWays } from '../../domain/login-ways.ts';
import type { Passkeys } from '../../projections/passkeys.ts';
import type { UpstreamAccounts } from '../../projections/upstream-accounts.ts';
import type { User } from '../../projections/users.ts';

/**
 * Returns a user's ways to log in, for forecasts. Because forecasts examine many users, the issuers of accounts at
 * providers are not decrypted, and so are unknown.
 */
export function recordedLoginWays(
  { userId, passwordHash }: Pick<User, 'userId' | 'passwordHash'>,
  projections: {
    readonly passkeys: Pick<Passkeys, 'listByUser'>;
    readonly upstreamAccounts: Pick<UpstreamAccounts, 'listByUser'>;
  },
): LoginWays {
  const { passkeys, upstreamAccounts } = projections;
  return {
    hasPassword: passwordHash !== '',
    hasPasskey: passkeys.listByUser(userId).length > 0,
    links: upstreamAccounts.listByUser(userId).map(({ providerId }) => ({ providerId, issuer: null })),
  };
}
