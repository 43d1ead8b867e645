import { decodeEvent } from '../../domain/events.ts';
import type { EpochSeconds, GrantId } from '../../domain/values.ts';
import { START, type EventLog, type RecordedEvent } from '../../event-store/event-log.ts';
import { hashCredential, isJwt } from '../credentials/credentials.ts';

/**
 * Returns the event that records the issuance of a token or code, or undefined if the log has no such event. The search
 * uses only the hash of the credential.
 */
export async function findIssuingEvent(
  credential: string,
  log: Pick<EventLog, 'readAll'>,
): Promise<RecordedEvent | undefined> {
  const hashes = candidateHashes(credential);
  for await (const events of log.readAll(START)) {
    const event = events.find((candidate) => recordsIssuance(candidate, hashes));
    if (event !== undefined) return event;
  }
  return undefined;
}

/** Returns the hashes to search for. For a JWT, the log contains the hash of the whole JWT or of its signing input. */
function candidateHashes(credential: string): readonly string[] {
  const wholeHash = hashCredential(credential);
  return isJwt(credential)
    ? [wholeHash, hashCredential(credential.slice(0, credential.lastIndexOf('.')))]
    : [wholeHash];
}

function recordsIssuance(event: RecordedEvent, hashes: readonly string[]): boolean {
  const { data } = decodeEvent(event);
  return (
    ('tokenHash' in data && hashes.includes(data.tokenHash)) || ('codeHash' in data && hashes.includes(data.codeHash))
  );
}

/** A JWT from another issuer that was presented here. */
export interface ForeignToken {
  /** The hash of the signing input. */
  readonly tokenHash: string;
  readonly issuer: string;
  readonly expiresAt: EpochSeconds;
  /** The grants that the token started, as a subject token, an actor token or an assertion. */
  readonly grantIds: readonly GrantId[];
}

const COMPACT_JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/**
 * Returns the token with the grants that it started, or undefined if it started none. The search uses only the hash of
 * the token.
 */
export async function findForeignToken(
  token: string,
  log: Pick<EventLog, 'readAll'>,
): Promise<ForeignToken | undefined> {
  if (!COMPACT_JWT.test(token)) return undefined;
  const tokenHash = hashCredential(token.slice(0, token.lastIndexOf('.')));
  const grantIds = new Set<GrantId>();
  let match: Pick<ForeignToken, 'issuer' | 'expiresAt'> | undefined;
  for await (const events of log.readAll(START)) {
    for (const event of events) {
      const presentedToken = presentedTokens(event).find((candidate) => candidate.tokenHash === tokenHash);
      if (presentedToken === undefined) continue;
      match = presentedToken;
      grantIds.add(event.stream.slice('grant-'.length) as GrantId);
    }
  }
  return match && { tokenHash, issuer: match.issuer, expiresAt: match.expiresAt, grantIds: [...grantIds] };
}

/** Returns the JWTs from other issuers that were presented to start the grant in this event. */
function presentedTokens(event: RecordedEvent): readonly Omit<ForeignToken, 'grantIds'>[] {
  const { type, data } = decodeEvent(event);
  if (type === 'AssertionRedeemed')
    return [{ tokenHash: data.assertionHash, issuer: data.issuer, expiresAt: data.assertionExpiresAt }];
  if (type !== 'TokenExchanged') return [];
  return [data.parent, data.actor].flatMap((party) => (party !== undefined && 'issuer' in party ? [party] : []));
}
