import type { Challenges } from '../accounts/challenges.ts';
import type { KeepAnAdministrator } from '../accounts/last-administrator.ts';
import type { PasskeyLogins } from '../accounts/passkeys.ts';
import { createPendingLogins } from '../accounts/pending-logins.ts';
import type { Vault } from '../accounts/personal-data.ts';
import { createSecondFactorChanges } from '../accounts/second-factor-changes.ts';
import { createSecondFactorPolicy, type SecondFactorRequirement } from '../accounts/second-factor-policy.ts';
import { createSecondSteps } from '../accounts/second-steps.ts';
import { createSecurityNotices } from '../accounts/security-notices.ts';
import type { Position } from '../event-store/event-log.ts';
import { DEFAULT_BRAND_NAME } from '../language/languages.ts';
import { mintId } from '../oauth/credentials/credentials.ts';
import type { CookieKeys } from '../platform/keys/cookie-keys.ts';
import type { Keys } from '../platform/keys/keys.ts';
import type { RateLimits } from '../platform/limits/rate-limits.ts';
import type { Emails } from '../language/emails.ts';
import type { Clock, Entropy } from '../platform/ports.ts';
import type { Projections } from '../projections/projections.ts';
import type { CommandHandlers } from './command-handlers.ts';

/** Creates the parts of two-step login. */
export function createSecondFactorParts(deps: {
  readonly projections: Pick<Projections, 'passkeys' | 'secondFactors' | 'users'>;
  readonly commands: Pick<CommandHandlers, 'users'>;
  readonly vault: Pick<Vault, 'seal'>;
  readonly limits: Pick<RateLimits, 'secondSteps'>;
  readonly keys: Pick<Keys, 'totp'>;
  readonly cookieKeys: Pick<CookieKeys, 'pendingLogins'>;
  readonly passkeyLogins: PasskeyLogins;
  readonly challenges: Challenges;
  readonly keepAnAdministrator: KeepAnAdministrator;
  readonly emails: Emails;
  readonly entropy: Entropy;
  readonly clock: Clock;
  readonly position: () => Position;
  readonly issuer: () => string;
  readonly settings: { readonly requireSecondFactor: SecondFactorRequirement; readonly brandName: string };
}) {
  const { projections, keys, cookieKeys, emails, entropy, clock, issuer, settings } = deps;
  const { passkeys, secondFactors, users } = projections;
  const sharedDeps = {
    ...deps,
    commands: deps.commands.users,
    secondFactors,
    users,
    now: clock.now,
    notices: createSecurityNotices(emails, issuer),
  };
  return {
    secondFactorPolicy: createSecondFactorPolicy({ secondFactors, passkeys, settings }),
    pendingLogins: createPendingLogins(cookieKeys.pendingLogins, entropy),
    secondSteps: createSecondSteps(sharedDeps),
    secondFactorChanges: createSecondFactorChanges({
      ...sharedDeps,
      key: keys.totp,
      mintId,
      appIssuer: () => appIssuer(settings.brandName, issuer()),
    }),
  };
}

/**
 * Returns the name of this server in authenticator apps: the brand name, or the host if the operator has not set one.
 * The name must not contain a colon, because a colon separates the name from the account.
 */
function appIssuer(brandName: string, issuer: string): string {
  return brandName === DEFAULT_BRAND_NAME ? new URL(issuer).host : brandName.replaceAll(':', ' ');
}
