import type { ClientKey } from '../../domain/client-authentication.ts';
import type { Client } from '../../projections/clients.ts';
import type { KeySearchResult, PublishedKeys } from './published-keys.ts';

/**
 * Returns a client's matching public keys, whether registered or published. Client signatures are verified only with
 * these keys. Problems with published keys are returned, not thrown.
 */
export type FindClientKeys = (
  client: Pick<Client, 'authentication'>,
  matches: (key: ClientKey) => boolean,
) => Promise<KeySearchResult>;

export function createClientKeyFinder(publishedKeys: Pick<PublishedKeys, 'find'>): FindClientKeys {
  return async ({ authentication: { keys, keysUri } }, matches) =>
    keysUri === null
      ? { matchingKeys: keys.filter(matches), allKeys: keys, problem: null }
      : publishedKeys.find(keysUri, matches);
}
