import type { RecordedDetail } from '../domain/authorization-details.ts';
import type { CredentialHash, EpochSeconds } from '../domain/values.ts';
import type { Projection } from '../event-store/projector.ts';
import { handleEvents } from './event-handlers.ts';
import { createExpiryBuckets } from './expiry-buckets.ts';
import { jsonPieces, parseEntries } from './json-pieces.ts';

interface DetailedToken {
  readonly tokenHash: CredentialHash;
  readonly details: readonly RecordedDetail[];
  readonly expiresAt: EpochSeconds;
}

/**
 * The authorization details of access tokens. They are removed at most an hour after their token expires. Lookups do
 * not check whether the token is valid.
 */
export interface DetailedTokens extends Projection {
  isEmpty(): boolean;
  /** Returns the details of the token, or undefined if it has none. */
  find(tokenHash: CredentialHash): readonly RecordedDetail[] | undefined;
}

export function createDetailedTokens(): DetailedTokens {
  const byHash = new Map<CredentialHash, DetailedToken>();
  const expiry = createExpiryBuckets<CredentialHash>();

  function add(token: DetailedToken): void {
    byHash.set(token.tokenHash, token);
    expiry.add(token.tokenHash, token.expiresAt);
  }

  const handlers = handleEvents<'detailed-tokens'>({
    AccessTokenIssued({ tokenHash, details, expiresAt }) {
      if (details !== undefined) add({ tokenHash, details, expiresAt });
    },
  });

  return {
    name: 'detailed-tokens',
    isEmpty: () => byHash.size === 0,
    find: (tokenHash) => byHash.get(tokenHash)?.details,
    contents: () => byHash.values(),
    freeze: () => jsonPieces([...byHash.values()]),
    restore: (piece) => parseEntries<DetailedToken>(piece).forEach(add),

    apply(event) {
      expiry.expire(event.recordedAt / 1000, (tokenHash) => void byHash.delete(tokenHash));
      handlers.apply(event);
    },
  };
}
