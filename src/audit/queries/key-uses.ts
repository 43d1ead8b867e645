import { decodeEvent } from '../../domain/events.ts';
import type { GrantId } from '../../domain/values.ts';
import type { EventLog, Position, RecordedEvent } from '../../event-store/event-log.ts';
import type { PastMoment } from './exchange-search.ts';

/** Finds the grants that a key was used for. */
export interface KeyUseSearch {
  /** Returns the grants found up to the moment. Reads only the events after those that the last call read. */
  findUpTo(moment: PastMoment): Promise<ReadonlySet<GrantId>>;
}

/** A JWT that was presented in an exchange. For a JWT of this server, the event does not contain the key. */
interface PresentedJwt {
  readonly keyId?: string;
  readonly tokenHash?: string;
}

/** The tokens of a request are appended soon after its assertion is accepted, so only the newest requests matter. */
const MAX_REMEMBERED_REQUESTS = 10_000;

/**
 * Creates a search for the grants that a key was used for: it signed one of their tokens, a token is bound to it, or
 * the client authenticated with it in the token request (by an assertion or a certificate). Also finds the grants of
 * clients that presented a JWT from another issuer, signed with the key.
 * @param keyId the thumbprint of a key, the id of a signing key, or the hash of a certificate; or the hash of another
 *   issuer's JWT, to find only the grants that this JWT was presented for
 */
export function createKeyUseSearch(keyId: string, log: Pick<EventLog, 'readAll'>): KeyUseSearch {
  const grants = new Set<GrantId>();
  const requests = new Set<string>();
  let lastPosition = 0 as Position;

  function examine(event: RecordedEvent): void {
    const { stream, requestId } = event;
    const { type, data } = decodeEvent(event);
    if (type === 'ClientAssertionAccepted') {
      if (data.keyId === keyId && requestId !== null) requests.add(requestId);
      const [oldest] = requests.size > MAX_REMEMBERED_REQUESTS ? requests : [];
      if (oldest !== undefined) requests.delete(oldest);
      return;
    }
    if (!stream.startsWith('grant-')) return;
    const {
      kid,
      clientKeyId,
      confirmation,
      keyId: assertionKeyId,
      assertionHash,
      parent,
      actor,
    } = data as {
      readonly kid?: string;
      readonly clientKeyId?: string;
      readonly confirmation?: { readonly thumbprint: string };
      readonly keyId?: string;
      readonly assertionHash?: string;
      readonly parent?: PresentedJwt;
      readonly actor?: PresentedJwt;
    };
    const isAuthenticatedWithKey = requestId !== null && requests.has(requestId);
    const usedKeyIds = [kid, clientKeyId, confirmation?.thumbprint, assertionKeyId, parent?.keyId, actor?.keyId];
    const presentedHashes = [assertionHash, parent?.tokenHash, actor?.tokenHash];
    if (isAuthenticatedWithKey || usedKeyIds.includes(keyId) || presentedHashes.includes(keyId))
      grants.add(stream.slice('grant-'.length) as GrantId);
  }

  return {
    async findUpTo({ position, time }) {
      search: for await (const events of log.readAll(lastPosition)) {
        for (const event of events) {
          if (event.position > position || event.recordedAt > time) break search;
          examine(event);
          lastPosition = event.position;
        }
      }
      return grants;
    },
  };
}
