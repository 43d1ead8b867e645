import type { HintProblem } from '../refusals/refusal.ts';

/**
 * Returns the claims of an ID token from this server, even if it has expired, or undefined if this server did not sign
 * it.
 */
export type VerifyIdToken = (jws: string) => Promise<Readonly<Record<string, unknown>> | undefined>;

/** The contents of an ID token that a client sends back as a hint (OpenID Connect Core §3.1.2.1). */
export interface IdTokenHint {
  readonly subject: string;
  /** The clients that the ID token was issued to. */
  readonly audience: readonly string[];
  /** The id of the user's session; undefined if the token has no `sid`. */
  readonly sessionId: string | undefined;
}

/**
 * Returns the contents of a hint, or the reason it is refused. The ID token may have expired, because it only
 * identifies a user.
 * @param clientId null to accept a token that was issued to any client
 */
export async function readIdTokenHint(
  hint: string,
  clientId: string | null,
  issuer: string,
  verify: VerifyIdToken,
): Promise<IdTokenHint | HintProblem> {
  const { iss, sub, aud, sid } = (await verify(hint)) ?? {};
  if (iss !== issuer || typeof sub !== 'string') return 'not-of-this-server';
  const audience = [aud].flat().filter((value) => typeof value === 'string');
  if (clientId !== null && !audience.includes(clientId)) return 'of-another-client';
  return { subject: sub, audience, sessionId: typeof sid === 'string' ? sid : undefined };
}
