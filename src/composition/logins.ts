import type { AccountMailer } from '../accounts/account-mailer.ts';
import { withAccountNotices } from '../accounts/account-notices.ts';
import type { Accounts } from '../accounts/accounts.ts';
import { createChallenges } from '../accounts/challenges.ts';
import { createGuardedPasswords } from '../accounts/guarded-passwords.ts';
import type { KeepAnAdministrator } from '../accounts/last-administrator.ts';
import { createPasskeyLogins } from '../accounts/passkeys.ts';
import type { Vault } from '../accounts/personal-data.ts';
import type { Config } from '../config/config.ts';
import type { Position } from '../event-store/event-log.ts';
import type { Freshness } from '../event-store/freshness.ts';
import type { Emails } from '../language/emails.ts';
import type { PasswordHashing } from '../platform/hashing/password-hashing.ts';
import type { CookieKeys } from '../platform/keys/cookie-keys.ts';
import type { Keys } from '../platform/keys/keys.ts';
import type { RateLimits } from '../platform/limits/rate-limits.ts';
import type { Clock, Entropy } from '../platform/ports.ts';
import type { Projections } from '../projections/projections.ts';
import type { CommandHandlers } from './command-handlers.ts';
import { createSecondFactorParts } from './second-factors.ts';

/**
 * Creates the parts for logins with passwords, passkeys and second factors. Changes made through `accounts` send
 * e-mails to the users.
 */
export function createLoginParts(deps: {
  readonly projections: Pick<Projections, 'users' | 'passkeys' | 'secondFactors' | 'upstreamProviders'>;
  readonly commands: Pick<CommandHandlers, 'users'>;
  readonly silentAccounts: Accounts;
  readonly accountMailer: AccountMailer;
  readonly hashing: PasswordHashing;
  readonly keepAnAdministrator: KeepAnAdministrator;
  readonly vault: Pick<Vault, 'seal'>;
  readonly limits: RateLimits;
  readonly emails: Emails;
  readonly keys: Pick<Keys, 'challenges' | 'totp'>;
  readonly cookieKeys: Pick<CookieKeys, 'pendingLogins'>;
  readonly entropy: Entropy;
  readonly clock: Clock;
  readonly issuer: () => string;
  readonly position: () => Position;
  readonly freshness: Freshness | undefined;
  readonly settings: Config;
}) {
  const { projections, commands, vault, limits, keepAnAdministrator, clock, issuer, position, settings } = deps;
  const { users } = projections;
  const accounts = withAccountNotices(deps.silentAccounts, users, deps.accountMailer);
  const passwords = createGuardedPasswords({
    accounts,
    users,
    hashing: deps.hashing,
    limits,
    areOff: projections.upstreamProviders.areRequired,
    catchUp: deps.freshness?.catchUpThrottled,
  });
  const challenges = createChallenges(deps.keys.challenges, clock.now, deps.entropy);
  const passkeyLogins = createPasskeyLogins({
    commands: commands.users,
    users,
    passkeys: projections.passkeys,
    vault,
    limits,
    position,
    challenges,
    issuer,
    keepAnAdministrator,
    settings,
  });
  return {
    accounts,
    passwords,
    passkeyLogins,
    ...createSecondFactorParts({ ...deps, passkeyLogins, challenges }),
  };
}
