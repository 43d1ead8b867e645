import type { AuthenticationSettings } from '../domain/client-authentication.ts';
import type { EpochSeconds } from '../domain/values.ts';
import type { Position } from '../event-store/event-log.ts';

/** The event that issued a token or accepted an assertion. */
export interface TokenUse {
  readonly position: Position;
  readonly at: EpochSeconds;
}

/** The latest use of each key for an assertion or with a certificate, by the key's thumbprint. */
export type KeyUses = Readonly<Record<string, TokenUse>>;

/** A client can replace its published keys any number of times, so the oldest uses are forgotten. */
const MAX_KEY_USES = 20;

/** Adds the latest use of a key, and drops the oldest uses beyond the limit. */
export function withKeyUse(uses: KeyUses, keyId: string, use: TokenUse): KeyUses {
  if (keyId in uses) return { ...uses, [keyId]: use };
  const oldestFirst = Object.entries(uses).toSorted(([, a], [, b]) => a.position - b.position);
  return { ...Object.fromEntries(oldestFirst.slice(1 - MAX_KEY_USES)), [keyId]: use };
}

/** Drops the uses of removed keys. If the client publishes its keys, the log does not show which keys were removed. */
export function withoutRemovedKeys(uses: KeyUses, { keys, keysUri }: AuthenticationSettings): KeyUses {
  if (keysUri !== null) return uses;
  return Object.fromEntries(Object.entries(uses).filter(([id]) => keys.some(({ keyId }) => keyId === id)));
}
