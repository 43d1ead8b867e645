import { encodeEvent } from '../src/domain/events.ts';
import { grantStream } from '../src/domain/streams.ts';
import type { ClientId, CredentialHash, EpochSeconds, GrantId } from '../src/domain/values.ts';
import type { EventToAppend, StreamName } from '../src/event-store/event-log.ts';
import { hashCredential, mintId, mintNonce } from '../src/oauth/credentials/credentials.ts';
import { systemClock, type Entropy } from '../src/platform/ports.ts';

/** A year, because filled logs are reused. */
const LIFETIME_SECONDS = 31_536_000;

/** The event of a client credentials token. */
export interface TokenEvent {
  readonly grantId: GrantId;
  readonly tokenHash: CredentialHash;
  /** The stream of its grant; the event is the first one in it. */
  readonly stream: StreamName;
  readonly event: EventToAppend;
}

/**
 * Creates the event of a new token, to fill a log without requests. The server ignores it unless the client is
 * registered.
 */
export function createTokenEvent(clientId: ClientId, entropy: Entropy): TokenEvent {
  const now = systemClock.now();
  const grantId = mintId<GrantId>(entropy);
  const tokenHash = hashCredential(mintNonce(entropy));
  const expiresAt = (Math.floor(now / 1000) + LIFETIME_SECONDS) as EpochSeconds;
  const data = { tokenHash, grantId, clientId, userId: null, scope: ['read', 'write'], expiresAt };
  return {
    grantId,
    tokenHash,
    stream: grantStream(grantId),
    event: {
      ...encodeEvent({ type: 'AccessTokenIssued', data }),
      recordedAt: now,
      actor: { kind: 'client', id: clientId },
      requestId: mintId(entropy),
    },
  };
}
