import { clientStream, grantStream, sessionStream } from '../../domain/streams.ts';
import type { ClientId, GrantId } from '../../domain/values.ts';
import type { EventLog } from '../../event-store/event-log.ts';
import { hasEvents } from './has-events.ts';
import type { Client, Clients } from '../../projections/clients.ts';
import type { SigningKeys } from '../../projections/signing-keys.ts';
import type { TrustedIssuers } from '../../projections/trusted-issuers.ts';
import { createKeyUseSearch } from './key-uses.ts';

/**
 * The token, client, session or key that leaked, as entered for the search. A token of this server is replaced by its
 * grant.
 */
export type LeakedSource =
  | { readonly kind: 'grant'; readonly grantId: GrantId }
  | { readonly kind: 'client'; readonly clientId: string }
  | { readonly kind: 'session'; readonly sessionHash: string }
  | { readonly kind: 'key'; readonly keyId: string }
  /** A JWT from another issuer, by its hash in the log. */
  | { readonly kind: 'foreign-token'; readonly tokenHash: string };

interface LookupSources {
  readonly log: Pick<EventLog, 'readAll' | 'readStream'>;
  readonly clients: Pick<Clients, 'find' | 'all'>;
  readonly signingKeys: Pick<SigningKeys, 'find'>;
  readonly trustedIssuers: Pick<TrustedIssuers, 'all'>;
}

/** Enough to recognize the right id. */
const MAX_SUGGESTIONS = 5;

/**
 * Returns suggestions for an unknown id, which may be a name: the ids of the clients with this name, or of the keys
 * with this `kid`. Returns undefined if the source is known, even if it was removed or has ended. Without this check, a
 * search for a mistyped id would report that nothing came from it.
 */
export async function suggestIds(source: LeakedSource, sources: LookupSources): Promise<readonly string[] | undefined> {
  const { log, clients } = sources;
  switch (source.kind) {
    case 'foreign-token':
      return undefined; // it was found in the log
    case 'grant':
      return (await hasEvents(grantStream(source.grantId), log)) ? undefined : [];
    case 'session':
      return (await hasEvents(sessionStream(source.sessionHash), log)) ? undefined : [];
    case 'client': {
      const { clientId } = source;
      if (clients.find(clientId) !== undefined || (await hasEvents(clientStream(clientId as ClientId), log)))
        return undefined;
      return limitSuggestions(
        [...clients.all()].filter(({ name }) => name === clientId).map((client) => client.clientId),
      );
    }
    case 'key': {
      const { keyId } = source;
      const keys = collectKeys(sources);
      if (sources.signingKeys.find(keyId) !== undefined || keys.some((key) => key.keyId === keyId)) return undefined;
      const uses = await createKeyUseSearch(keyId, log).findUpTo({ position: Infinity, time: Infinity });
      return uses.size > 0
        ? undefined
        : limitSuggestions(keys.filter(({ kid }) => kid === keyId).map((key) => key.keyId));
    }
  }
}

/** Returns the keys in the records of clients and of trusted issuers. */
function collectKeys({ clients, trustedIssuers }: LookupSources): Client['authentication']['keys'] {
  return [
    ...[...clients.all()].flatMap(({ authentication }) => authentication.keys),
    ...trustedIssuers.all().flatMap(({ keys }) => keys),
  ];
}

const limitSuggestions = (ids: readonly string[]): readonly string[] => [...new Set(ids)].slice(0, MAX_SUGGESTIONS);
