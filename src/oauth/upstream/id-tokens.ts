import { algorithmsOf, type ClientKey } from '../../domain/client-authentication.ts';
import { SIGNING_ALGORITHMS, type EpochSeconds } from '../../domain/values.ts';
import { message, type Message } from '../../language/message.ts';
import type { UpstreamProvider } from '../../projections/upstream-providers.ts';
import { keyObjectOf } from '../clients/client-keys.ts';
import type { PublishedKeys } from '../clients/published-keys.ts';
import { sanitizeMember } from '../refusals/sanitize.ts';
import { hasValidSignature, unverifiedClaims, unverifiedHeader } from '../signing/jws.ts';
import { checkClaims, type FailedCheck, type UpstreamClaims, type VerifiedClaims } from './id-token-check.ts';
import { UpstreamError } from './upstream-error.ts';

/** A provider's ID token that passed every check. */
export interface VerifiedIdToken extends VerifiedClaims {
  readonly claims: UpstreamClaims;
}

/**
 * Verifies an ID token (OpenID Connect Core §3.1.3.7): its signature with a key that the provider publishes, and its
 * claims. Tokens without a signature, and tokens signed with the client secret, are refused.
 * @throws UpstreamError if a check fails, or if the keys cannot be read
 */
export type VerifyUpstreamToken = (
  jws: string,
  provider: UpstreamProvider,
  expected: { readonly keysUri: string; readonly nonce: string; readonly now: EpochSeconds },
) => Promise<VerifiedIdToken>;

export function createUpstreamTokenVerifier(keys: Pick<PublishedKeys, 'find'>): VerifyUpstreamToken {
  return async (jws, provider, { keysUri, nonce, now }) => {
    const refuse = (failedCheck: FailedCheck): UpstreamError =>
      new UpstreamError({ rule: 'upstream-token-invalid', provider: provider.providerId, ...failedCheck });
    const [header, claims] = [unverifiedHeader(jws), unverifiedClaims(jws)];
    if (header === undefined || claims === undefined || jws.split('.').length !== 3)
      throw refuse({ check: 'form', expected: message('upstream-check.jwt'), seen: message('upstream-check.no-jwt') });
    const algorithm = SIGNING_ALGORITHMS.find((name) => name === header['alg']);
    if (algorithm === undefined || header['crit'] !== undefined)
      throw refuse({
        check: 'algorithm',
        expected: SIGNING_ALGORITHMS.join(', '),
        seen: algorithm === undefined ? sanitizeMember(header['alg']) : message('upstream-check.critical'),
      });
    const { kid } = header;
    const isCandidate = (key: ClientKey): boolean =>
      (key.algorithm ?? algorithm) === algorithm &&
      algorithmsOf(key.publicKey).includes(algorithm) &&
      (kid === undefined || key.kid === kid);
    const { matchingKeys, allKeys, problem } = await keys.find(keysUri, isCandidate);
    if (allKeys.length === 0 && problem !== null)
      throw new UpstreamError({
        rule: 'upstream-unavailable',
        provider: provider.providerId,
        what: 'keys',
        problem,
      });
    if (!(await isSignedBy(jws, algorithm, matchingKeys)))
      throw refuse({
        check: 'signature',
        expected: message('upstream-check.signature', { address: keysUri }),
        seen:
          matchingKeys.length === 0 ? describeMissingKey(kid, algorithm) : message('upstream-check.another-signature'),
      });
    const result = checkClaims(claims, provider, { nonce, now });
    if ('failed' in result) throw refuse(result.failed);
    return { ...result, claims };
  };
}

async function isSignedBy(
  jws: string,
  algorithm: (typeof SIGNING_ALGORITHMS)[number],
  keys: readonly ClientKey[],
): Promise<boolean> {
  for (const key of keys) if (await hasValidSignature(jws, algorithm, keyObjectOf(key))) return true;
  return false;
}

function describeMissingKey(kid: unknown, algorithm: string): Message {
  return kid === undefined
    ? message('upstream-check.no-kid', { algorithm })
    : message('upstream-check.key-unknown', { kid: sanitizeMember(kid) });
}
