import { hash } from 'node:crypto';
import { decodeEvent } from '../../domain/events.ts';
import { trustedIssuerStream } from '../../domain/streams.ts';
import { issuersOf } from '../../domain/token-exchange.ts';
import type { UserId } from '../../domain/values.ts';
import type { RecordedEvent, StreamName } from '../../event-store/event-log.ts';

/** Returns the stream of a trusted issuer, even after it was removed. */
export function streamOfIssuer(issuer: string): StreamName {
  return trustedIssuerStream(hash('sha256', issuer, 'base64url'));
}

/** Returns the issuers whose JWTs started a grant. The grant ends when one of them is no longer trusted. */
export function issuerDependencies(first: RecordedEvent): readonly string[] {
  const { type, data } = decodeEvent(first);
  if (type === 'AssertionRedeemed') return [data.issuer];
  return type === 'TokenExchanged' ? issuersOf(data) : [];
}

/**
 * Returns the users whose accounts the grant itself depends on: it ends when one of them is disabled or erased. An
 * exchange of a token from this server has the user of its root, so it ends with the root instead.
 */
export function accountDependencies(first: RecordedEvent): readonly UserId[] {
  const { type, data } = decodeEvent(first);
  if (type === 'ConsentGiven') return [data.userId];
  if (type === 'AssertionRedeemed') return [data.userId ?? []].flat();
  if (type !== 'TokenExchanged') return [];
  const subjectUserId = 'issuer' in data.parent ? data.userId : null;
  const actorUserId = data.actor !== undefined && 'issuer' in data.actor ? data.actor.userId : null;
  return [subjectUserId, actorUserId].filter((userId) => userId !== null);
}
