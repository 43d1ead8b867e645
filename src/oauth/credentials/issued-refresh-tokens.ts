import { LRUCache } from 'lru-cache';
import { isCurrentOrPrevious } from '../../domain/authorization-grant.ts';
import { decodeEvent } from '../../domain/events.ts';
import { grantStream } from '../../domain/streams.ts';
import type { ClientId, CredentialHash, GrantId } from '../../domain/values.ts';
import type { EventLog } from '../../event-store/event-log.ts';
import type { GrantCommands } from '../grant-types/grant-type.ts';
import type { PresentedRefreshToken } from './refresh-tokens.ts';

/**
 * Reports whether this server issued the refresh token to this client, for the grant whose id the token contains. A tag
 * proves that the server issued the token. Tokens from earlier releases have no tag: unless such a token is the current
 * or previous token of its grant, it is looked up in the log, so that reuse is always detected.
 */
export type WasIssued = (presented: PresentedRefreshToken, clientId: ClientId) => Promise<boolean>;

/** The maximum number of cached fingerprints, about 40 bytes each. Only grants from earlier releases need entries. */
const MAX_FINGERPRINTS = 500_000;

export function createIssuedCheck({
  log,
  grants,
}: {
  readonly log: Pick<EventLog, 'readStream'>;
  readonly grants: Pick<GrantCommands, 'state'>;
}): WasIssued {
  /**
   * The fingerprints of the tokens before the first summary, by grant. They include all tokens without a tag, so a set
   * never needs an update. A stream may be long, and anyone who knows the id of a grant can make up tokens that contain
   * this id. Thanks to the cache, only the first such token causes the stream to be read.
   */
  const fingerprints = new LRUCache<GrantId, ReadonlySet<number>>({
    maxSize: MAX_FINGERPRINTS,
    sizeCalculation: ({ size }) => size + 1,
  });
  const pendingReads = new Map<GrantId, Promise<ReadonlySet<number>>>();

  /**
   * Yields the hashes of the tokens before the first summary, after which every token has a tag. Reads page by page so
   * that other requests are not blocked.
   */
  async function* hashesBeforeSummary(grantId: GrantId): AsyncGenerator<CredentialHash, void, void> {
    for await (const page of log.readStream(grantStream(grantId))) {
      for (const { type, data } of page.map(decodeEvent)) {
        if (type === 'GrantSummarized') return;
        if (type === 'RefreshTokenIssued' || type === 'RefreshTokenRotated') yield data.tokenHash;
      }
    }
  }

  async function readFingerprints(grantId: GrantId): Promise<ReadonlySet<number>> {
    const fingerprintSet = new Set<number>();
    for await (const hash of hashesBeforeSummary(grantId)) fingerprintSet.add(fingerprint(hash));
    fingerprints.set(grantId, fingerprintSet);
    return fingerprintSet;
  }

  function fingerprintsOf(grantId: GrantId): ReadonlySet<number> | Promise<ReadonlySet<number>> {
    const cached = fingerprints.get(grantId) ?? pendingReads.get(grantId);
    if (cached !== undefined) return cached;
    const pendingRead = readFingerprints(grantId).finally(() => pendingReads.delete(grantId));
    pendingReads.set(grantId, pendingRead);
    return pendingRead;
  }

  /** Reports whether the log contains the full hash. Fingerprints are not enough: a collision would revoke a grant. */
  async function isInLog(grantId: GrantId, hash: CredentialHash): Promise<boolean> {
    for await (const issuedHash of hashesBeforeSummary(grantId)) if (issuedHash === hash) return true;
    return false;
  }

  return async ({ grantId, hash, isTagged }, clientId) => {
    const { refresh } = await grants.state(grantStream(grantId));
    if (refresh?.clientId !== clientId) return false;
    if (isTagged || isCurrentOrPrevious(refresh, hash)) return true;
    if (!refresh.hasUntagged) return false;
    const issuedFingerprints = await fingerprintsOf(grantId);
    return issuedFingerprints.has(fingerprint(hash)) && isInLog(grantId, hash);
  };
}

const FINGERPRINT_CHARS = 8;

/** Returns the first 48 bits of the hash. */
function fingerprint(hash: CredentialHash): number {
  return Buffer.from(hash.slice(0, FINGERPRINT_CHARS), 'base64url').readUIntBE(0, 6);
}
