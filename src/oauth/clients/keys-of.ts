import type { ClientKey } from '../../domain/client-authentication.ts';
import type { Client } from '../../projections/clients.ts';
import type { FoundKeys, PublishedKeys } from './published-keys.ts';

/**
 * The public keys of a client that fit, whether it registered them or publishes them. Everything that a client signs is
 * verified with these. Rejects for no reason that a client or its document could cause.
 */
export type KeysOf = (client: Pick<Client, 'authentication'>, fits: (key: ClientKey) => boolean) => Promise<FoundKeys>;

export function createKeysOf(published: Pick<PublishedKeys, 'find'>): KeysOf {
  return async ({ authentication: { keys, keysUri } }, fits) =>
    keysUri === null ? { fitting: keys.filter(fits), all: keys, problem: null } : published.find(keysUri, fits);
}
