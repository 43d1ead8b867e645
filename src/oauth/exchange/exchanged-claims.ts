import type { Party } from '../../domain/token-exchange.ts';
import type { ClientId, UserId } from '../../domain/values.ts';
import type { SubjectFor } from '../openid/subjects.ts';

/** The current actor and, nested in it, the earlier actors (RFC 8693 §4.1). */
export interface ActClaim {
  readonly sub: string;
  /** The client through which the user acts, if the actor is a user. */
  readonly client_id?: string;
  readonly act?: ActClaim;
}

/** The actors and the root of a token's exchanges. */
export interface ExchangeLineage {
  readonly chain: readonly Party[];
  readonly root: { readonly clientId: ClientId };
}

/**
 * Returns the `sub` and `act` claims of a token issued to `clientId`. If there is no user, the client of the root
 * grant is the subject. A token that was not exchanged is its own root and has no actors.
 */
export function exchangedClaims(
  { chain, root }: ExchangeLineage,
  clientId: ClientId,
  userId: UserId | null,
  subjectFor: SubjectFor,
): { readonly sub: string; readonly act: ActClaim | undefined } {
  const partyClaim = ({ clientId: actorClientId, userId: actorUserId }: Party): ActClaim =>
    actorUserId === null
      ? { sub: actorClientId }
      : { sub: subjectFor(clientId, actorUserId), client_id: actorClientId };
  const act = chain.reduceRight<ActClaim | undefined>(
    (earlierActors, party) =>
      earlierActors === undefined ? partyClaim(party) : { ...partyClaim(party), act: earlierActors },
    undefined,
  );
  return { sub: userId === null ? root.clientId : subjectFor(clientId, userId), act };
}
