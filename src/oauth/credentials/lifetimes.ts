import type { EffectiveSecurity } from '../../domain/security-profile.ts';
import type { EpochSeconds } from '../../domain/values.ts';

/** The lifetimes of tokens, in seconds. */
export interface LifetimeSettings {
  readonly accessTokenLifetimeSeconds: number;
  /** Null if refresh tokens do not expire. */
  readonly refreshTokenLifetimeSeconds: number | null;
}

/** Returns the expiry of an access token that is issued at `now`. */
export function accessExpiry(
  now: EpochSeconds,
  settings: Pick<LifetimeSettings, 'accessTokenLifetimeSeconds'>,
): EpochSeconds {
  return (now + settings.accessTokenLifetimeSeconds) as EpochSeconds;
}

/** Returns the expiry of a refresh token that is issued at `now`, or null if it does not expire. */
export function refreshExpiry(
  now: EpochSeconds,
  settings: Pick<LifetimeSettings, 'refreshTokenLifetimeSeconds'>,
): EpochSeconds | null {
  return settings.refreshTokenLifetimeSeconds === null
    ? null
    : ((now + settings.refreshTokenLifetimeSeconds) as EpochSeconds);
}

interface CodeSettings {
  readonly authorizationCodeLifetimeSeconds: number;
}

/** Returns the lifetime of a code in seconds: the setting, or less if the client's profile requires it. */
export function codeLifetime(
  { authorizationCodeLifetimeSeconds }: CodeSettings,
  { maxCodeLifetimeSeconds }: Pick<EffectiveSecurity, 'maxCodeLifetimeSeconds'>,
): number {
  return Math.min(authorizationCodeLifetimeSeconds, maxCodeLifetimeSeconds);
}

/** Returns the expiry of a code that is issued at `now`. */
export function codeExpiry(
  now: EpochSeconds,
  settings: CodeSettings,
  security: Pick<EffectiveSecurity, 'maxCodeLifetimeSeconds'>,
): EpochSeconds {
  return (now + codeLifetime(settings, security)) as EpochSeconds;
}
