import { LRUCache } from 'lru-cache';
import { isCurrentOrPrevious } from '../../domain/authorization-grant.ts';
import { decodeEvent } from '../../domain/events.ts';
import { grantStream } from '../../domain/streams.ts';
import type { ClientId, CredentialHash, GrantId } from '../../domain/values.ts';
import type { EventLog } from '../../event-store/event-log.ts';
import type { GrantCommands } from '../grant-types/grant-type.ts';
import type { PresentedRefreshToken } from './refresh-tokens.ts';

/**
 * Whether this server issued the presented refresh token for the grant that it names, and to this client. A tag answers
 * that. A token of an earlier release has none: if it is neither the grant's current token nor the one before, it is
 * looked for in the log, so that reuse is noticed however long ago the token was spent.
 */
export type WasIssued = (presented: PresentedRefreshToken, clientId: ClientId) => Promise<boolean>;

/** Fingerprints kept at hand, some 40 bytes each. Only grants that earlier releases began have any. */
const MAX_FINGERPRINTS = 500_000;

export function createIssuedRefreshTokens({
  log,
  grants,
}: {
  readonly log: Pick<EventLog, 'readStream'>;
  readonly grants: Pick<GrantCommands, 'state'>;
}): WasIssued {
  /**
   * Fingerprints of all tokens without a tag, by grant; none is ever added. A grant's stream may be long, and anybody
   * who knows the grant can make up tokens that name it. Only the first of them causes a read.
   */
  const fingerprints = new LRUCache<GrantId, ReadonlySet<number>>({
    maxSize: MAX_FINGERPRINTS,
    sizeCalculation: ({ size }) => size + 1,
  });
  const reading = new Map<GrantId, Promise<ReadonlySet<number>>>();

  /** Page by page, so that other requests get a turn. After the first summary every token has a tag. */
  async function* untaggedOf(grantId: GrantId): AsyncGenerator<CredentialHash, void, void> {
    for await (const page of log.readStream(grantStream(grantId))) {
      for (const { type, data } of page.map(decodeEvent)) {
        if (type === 'GrantSummarized') return;
        if (type === 'RefreshTokenIssued' || type === 'RefreshTokenRotated') yield data.tokenHash;
      }
    }
  }

  async function readFingerprints(grantId: GrantId): Promise<ReadonlySet<number>> {
    const found = new Set<number>();
    for await (const hash of untaggedOf(grantId)) found.add(fingerprint(hash));
    fingerprints.set(grantId, found);
    return found;
  }

  function fingerprintsOf(grantId: GrantId): ReadonlySet<number> | Promise<ReadonlySet<number>> {
    const known = fingerprints.get(grantId) ?? reading.get(grantId);
    if (known !== undefined) return known;
    const found = readFingerprints(grantId).finally(() => reading.delete(grantId));
    reading.set(grantId, found);
    return found;
  }

  /** The whole hash decides: it ends a grant. */
  async function isInLog(grantId: GrantId, hash: CredentialHash): Promise<boolean> {
    for await (const untagged of untaggedOf(grantId)) if (untagged === hash) return true;
    return false;
  }

  return async ({ grantId, hash, isTagged }, clientId) => {
    const { refresh } = await grants.state(grantStream(grantId));
    if (refresh?.clientId !== clientId) return false;
    if (isTagged || isCurrentOrPrevious(refresh, hash)) return true;
    if (!refresh.hasUntagged) return false;
    const issued = await fingerprintsOf(grantId);
    return issued.has(fingerprint(hash)) && isInLog(grantId, hash);
  };
}

const FINGERPRINT_CHARS = 8;

/** The first 48 bits. */
function fingerprint(hash: CredentialHash): number {
  return Buffer.from(hash.slice(0, FINGERPRINT_CHARS), 'base64url').readUIntBE(0, 6);
}
