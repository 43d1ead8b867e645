import type { EpochSeconds } from '../../domain/values.ts';

/** How long what is issued lives, in seconds. */
export interface LifetimeSettings {
  readonly accessTokenLifetimeSeconds: number;
  /** Null: refresh tokens do not expire by themselves. */
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
