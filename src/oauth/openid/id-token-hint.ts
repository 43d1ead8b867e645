import type { HintProblem } from '../refusals/refusal.ts';

/** Verifies an ID token of this server, even after it expired; undefined if this server did not sign it. */
export type VerifyIdToken = (jws: string) => Promise<Readonly<Record<string, unknown>> | undefined>;

/** The contents of an ID token that a client sends back as a hint (OpenID Connect Core §3.1.2.1). */
export interface IdTokenHint {
  readonly subject: string;
  /** The clients that it was issued to. */
  readonly audience: readonly string[];
  /** The session in which the user logged in; undefined if the token does not say. */
  readonly sessionId: string | undefined;
}

/**
 * Reads a hint. It may have expired, because clients keep it to name a user, not to prove anything.
 * @param clientId null for a token that was issued to any client
 */
export async function readIdTokenHint(
  hint: string,
  clientId: string | null,
  issuer: string,
  verify: VerifyIdToken,
): Promise<IdTokenHint | HintProblem> {
  const { iss, sub, aud, sid } = (await verify(hint)) ?? {};
  if (iss !== issuer || typeof sub !== 'string') return 'not-of-this-server';
  const audience = [aud].flat().filter((each) => typeof each === 'string');
  if (clientId !== null && !audience.includes(clientId)) return 'of-another-client';
  return { subject: sub, audience, sessionId: typeof sid === 'string' ? sid : undefined };
}
