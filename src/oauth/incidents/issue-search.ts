import { decodeEvent } from '../../domain/events.ts';
import type { EpochSeconds, GrantId } from '../../domain/values.ts';
import { START, type EventLog, type RecordedEvent } from '../../event-store/event-log.ts';
import { hashCredential, isJwt } from '../credentials/credentials.ts';

/**
 * Returns the event that issued a token or code, or undefined if no event issued it. Searches the log only for its
 * hash.
 */
export async function findIssuingEvent(
  credential: string,
  log: Pick<EventLog, 'readAll'>,
): Promise<RecordedEvent | undefined> {
  const hashes = hashesOf(credential);
  for await (const events of log.readAll(START)) {
    const event = events.find((recorded) => hasIssued(recorded, hashes));
    if (event !== undefined) return event;
  }
  return undefined;
}

/** Returns the hashes to search for. For a JWT, the log contains the hash of the whole JWT or of its signed part. */
function hashesOf(credential: string): readonly string[] {
  const wholeHash = hashCredential(credential);
  return isJwt(credential)
    ? [wholeHash, hashCredential(credential.slice(0, credential.lastIndexOf('.')))]
    : [wholeHash];
}

function hasIssued(recorded: RecordedEvent, hashes: readonly string[]): boolean {
  const { data } = decodeEvent(recorded);
  return (
    ('tokenHash' in data && hashes.includes(data.tokenHash)) || ('codeHash' in data && hashes.includes(data.codeHash))
  );
}

/** A JWT from another issuer that was presented here. */
export interface ForeignToken {
  /** The hash of the signed part. */
  readonly tokenHash: string;
  readonly issuer: string;
  readonly expiresAt: EpochSeconds;
  /** The grants that began with the token, as the subject, the actor or the assertion. */
  readonly grantIds: readonly GrantId[];
}

const FOREIGN_JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Returns the grants that began with the token, or undefined if none did. Searches the log only for its hash. */
export async function findForeignToken(
  token: string,
  log: Pick<EventLog, 'readAll'>,
): Promise<ForeignToken | undefined> {
  if (!FOREIGN_JWT.test(token)) return undefined;
  const tokenHash = hashCredential(token.slice(0, token.lastIndexOf('.')));
  const grants = new Set<GrantId>();
  let found: Pick<ForeignToken, 'issuer' | 'expiresAt'> | undefined;
  for await (const events of log.readAll(START)) {
    for (const event of events) {
      const presented = presentedIn(event).find((each) => each.tokenHash === tokenHash);
      if (presented === undefined) continue;
      found = presented;
      grants.add(event.stream.slice('grant-'.length) as GrantId);
    }
  }
  return found && { tokenHash, issuer: found.issuer, expiresAt: found.expiresAt, grantIds: [...grants] };
}

/** Returns the JWTs from other issuers with which a grant begins in this event. */
function presentedIn(recorded: RecordedEvent): readonly Omit<ForeignToken, 'grantIds'>[] {
  const { type, data } = decodeEvent(recorded);
  if (type === 'AssertionRedeemed')
    return [{ tokenHash: data.assertionHash, issuer: data.issuer, expiresAt: data.assertionExpiresAt }];
  if (type !== 'TokenExchanged') return [];
  return [data.parent, data.actor].flatMap((each) => (each !== undefined && 'issuer' in each ? [each] : []));
}
