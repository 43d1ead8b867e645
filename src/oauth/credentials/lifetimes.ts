import type { EpochSeconds } from '../../domain/values.ts';

/** The lifetimes of tokens, in seconds. */
export interface LifetimeSettings {
  readonly accessTokenLifetimeSeconds: number;
  /** Null if refresh tokens do not expire. */
  readonly refreshTokenLifetimeSeconds: number | null;
}

export function accessExpiry(
  now: EpochSeconds,
  settings: Pick<LifetimeSettings, 'accessTokenLifetimeSeconds'>,
): EpochSeconds {
  return (now + settings.accessTokenLifetimeSeconds) as EpochSeconds;
}

export function refreshExpiry(
  now: EpochSeconds,
  settings: Pick<LifetimeSettings, 'refreshTokenLifetimeSeconds'>,
): EpochSeconds | null {
  return settings.refreshTokenLifetimeSeconds === null
    ? null
    : ((now + settings.refreshTokenLifetimeSeconds) as EpochSeconds);
}

export function codeExpiry(
  now: EpochSeconds,
  settings: { readonly authorizationCodeLifetimeSeconds: number },
): EpochSeconds {
  return (now + settings.authorizationCodeLifetimeSeconds) as EpochSeconds;
}
