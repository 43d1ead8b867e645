import type { ClientId, EpochSeconds } from '../../domain/values.ts';
import type { Clients } from '../../projections/clients.ts';
import type { SigningKey } from '../../projections/signing-keys.ts';

/** An application with unexpired tokens that a key signed. */
export interface ClientOfKey {
  readonly clientId: ClientId;
  /** Null if the application was removed. */
  readonly name: string | null;
  /** When the last token that the key signed for the application expires. */
  readonly until: EpochSeconds;
}

/** Returns the applications whose tokens become invalid when the key is retired; none if it is already retired. */
export function clientsOfKey(
  { retired, lastExpiry }: Pick<SigningKey, 'retired' | 'lastExpiry'>,
  clients: Pick<Clients, 'find'>,
  now: EpochSeconds,
): readonly ClientOfKey[] {
  if (retired !== null) return [];
  return [...lastExpiry]
    .filter(([, until]) => until > now)
    .map(([clientId, until]) => ({ clientId, name: clients.find(clientId)?.name ?? null, until }));
}
