import type { ClientId } from '../../domain/values.ts';

/** The party that acts in an exchange. A `may_act` claim may identify it by client, subject, or both. */
export interface ActingParty {
  /** The client that exchanges the token. */
  readonly clientId: ClientId;
  /** The issuer of the subject. */
  readonly issuer: string;
  readonly subject: string;
}

/**
 * Reports whether the `may_act` claim of a subject token identifies the party (RFC 8693 §4.4). `sub` is a subject of
 * `iss`, which defaults to the issuer of the subject token; `client_id` is a client of this server. A claim with other
 * members identifies no party, because those members cannot be compared.
 */
export function identifiesActor(
  mayAct: unknown,
  subjectTokenIssuer: string,
  { clientId, issuer, subject }: ActingParty,
  ownIssuer: string,
): boolean {
  if (typeof mayAct !== 'object' || mayAct === null) return false;
  const { iss, sub, client_id: client, ...otherMembers } = mayAct as Readonly<Record<string, unknown>>;
  if (Object.keys(otherMembers).length > 0 || (sub === undefined && client === undefined)) return false;
  if (client !== undefined && client !== clientId) return false;
  if (sub === undefined) return iss === undefined || iss === ownIssuer;
  return sub === subject && (iss ?? subjectTokenIssuer) === issuer;
}
