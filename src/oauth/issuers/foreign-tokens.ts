import { message, type Text } from '../../language/message.ts';
import { hash } from 'node:crypto';
import type { RequiredClaim } from '../../domain/issuer-settings.ts';
import { MAX_LENGTH } from '../../domain/lengths.ts';
import {
  SIGNING_ALGORITHMS,
  type CredentialHash,
  type EpochSeconds,
  type IssuerUse,
  type KeyId,
  type SigningAlgorithm,
} from '../../domain/values.ts';
import type { TrustedIssuer, TrustedIssuers } from '../../projections/trusted-issuers.ts';
import { findSigner } from '../clients/client-signatures.ts';
import type { FindClientKeys } from '../clients/client-key-finder.ts';
import { oauthError } from '../endpoints/errors.ts';
import type { ForeignParameter } from '../refusals/issuer-refusal.ts';
import { formatList } from '../refusals/list-text.ts';
import { sanitize, sanitizeMember } from '../refusals/sanitize.ts';
import { unverifiedClaims, unverifiedHeader } from '../signing/jws.ts';
import { readClaim, hasRequiredClaim } from './claim-paths.ts';

export type Claims = Readonly<Record<string, unknown>>;

/** A JWT from a trusted issuer with a valid signature and valid claims. */
export interface ForeignToken {
  readonly trustedIssuer: TrustedIssuer;
  readonly use: IssuerUse;
  readonly claims: Claims;
  readonly subject: string;
  /** Identifies the JWT: its `jti`, or the hash of its signing input if it has none. */
  readonly id: string;
  /** The hash of the signing input, without the signature, because some algorithms sign differently each time. */
  readonly tokenHash: CredentialHash;
  readonly keyId: KeyId;
  readonly algorithm: SigningAlgorithm;
  readonly expiresAt: EpochSeconds;
}

/**
 * Reads and verifies a JWT from a trusted issuer.
 * @throws OAuthError if the JWT is not acceptable for this use by this client
 */
export type ReadForeignToken = (
  jwt: string,
  context: { readonly parameter: ForeignParameter; readonly use: IssuerUse; readonly now: EpochSeconds },
  clientId: string,
) => Promise<ForeignToken>;

/** An issuer's clock may be off by this much. A JWT is never accepted after its expiration time, however. */
const CLOCK_TOLERANCE_SECONDS = 30;
const MAX_JTI_LENGTH = 256;
export const ID_JAG_TYPE = 'oauth-id-jag+jwt';
const EXCHANGEABLE_TYPES = [null, 'jwt', 'at+jwt'];

const NONE = message('refusal-value.none');
const NOT_A_STRING = 'not a string';

function describeType(type: string): Text {
  return type === NOT_A_STRING ? message('refusal-value.not-a-string') : sanitize(type);
}

/** JWTs of other types, such as logout tokens, are never accepted (RFC 8725 §3.11). Null allows a missing type. */
const ACCEPTED_TYPES: Readonly<Record<IssuerUse, readonly (string | null)[]>> = {
  assertion: [null, 'jwt', 'authorization-grant+jwt'],
  'identity-assertion': [ID_JAG_TYPE],
  'subject-token': EXCHANGEABLE_TYPES,
  'actor-token': EXCHANGEABLE_TYPES,
};

/**
 * Returns the type of a JWT in lower case, without the `application/` prefix, which senders may omit (RFC 7515
 * §4.1.9), or null if it has none. For a type that is not a string, the result matches no accepted type.
 */
export function jwtType(jwt: string): string | null {
  const typ = unverifiedHeader(jwt)?.['typ'];
  if (typ === undefined) return null;
  return typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : NOT_A_STRING;
}

export function createForeignTokenReader(deps: {
  readonly trustedIssuers: Pick<TrustedIssuers, 'find'>;
  readonly findClientKeys: FindClientKeys;
  readonly issuer: () => string;
}): ReadForeignToken {
  const { trustedIssuers, findClientKeys } = deps;

  return async (jwt, { parameter, use, now }, clientId) => {
    const [header, claims] = [unverifiedHeader(jwt), unverifiedClaims(jwt)];
    if (header === undefined || claims === undefined || header['crit'] !== undefined)
      throw oauthError({ rule: 'issuer-token-malformed', parameter });
    requireType(jwt, use, parameter);
    const { iss, sub } = claims;
    if (typeof iss !== 'string' || typeof sub !== 'string' || sub === '' || sub.length > MAX_LENGTH.foreignSubject)
      throw oauthError({ rule: 'issuer-token-malformed', parameter });
    const trustedIssuer = trustedIssuers.find(iss);
    if (trustedIssuer === undefined) throw oauthError({ rule: 'issuer-untrusted', parameter, seen: sanitize(iss) });
    if (!trustedIssuer.uses.includes(use))
      throw oauthError({ rule: 'issuer-use', parameter, use, allowed: trustedIssuer.uses });
    // Checked before any key set is read, so that other clients cannot cause requests to the issuer.
    const client = trustedIssuer.clients.find((candidate) => candidate.clientId === clientId);
    if (client === undefined) throw oauthError({ rule: 'issuer-client', parameter });
    const { keyId, algorithm } = await requireSignature(jwt, header, trustedIssuer, parameter);
    requireAudience(claims, trustedIssuer, parameter);
    const expiresAt = requireTime(claims, trustedIssuer.maxAssertionAgeSeconds, now, parameter);
    requireClaims(claims, [...trustedIssuer.requiredClaims, ...client.requiredClaims], parameter);
    requireNoActor(claims, parameter);
    const tokenHash = hash('sha256', jwt.slice(0, jwt.lastIndexOf('.')), 'base64url') as CredentialHash;
    const id = requireId(claims, tokenHash, parameter);
    return { trustedIssuer, use, claims, subject: sub, id, tokenHash, keyId, algorithm, expiresAt };
  };

  /** Returns the key that signed the JWT, and its algorithm. If the header has no key id, tries all suitable keys. */
  async function requireSignature(
    jwt: string,
    { alg, kid = null }: Claims,
    { keys, keysUri }: TrustedIssuer,
    parameter: ForeignParameter,
  ): Promise<{ readonly keyId: KeyId; readonly algorithm: SigningAlgorithm }> {
    const algorithm = SIGNING_ALGORITHMS.find((candidate) => candidate === alg);
    if (algorithm === undefined)
      throw oauthError({
        rule: 'issuer-algorithm',
        parameter,
        seen: sanitizeMember(alg),
        allowed: SIGNING_ALGORITHMS,
      });
    if (kid !== null && typeof kid !== 'string') throw oauthError({ rule: 'issuer-token-malformed', parameter });
    const authentication = { methods: [], keys, keysUri, tls: null };
    const { key, triedCount, knownKids, problem } = await findSigner(
      jwt,
      { algorithm, kid },
      { authentication },
      findClientKeys,
    );
    if (key !== undefined) return { keyId: key.keyId, algorithm };
    if (triedCount > 0) throw oauthError({ rule: 'issuer-signature-wrong', parameter, tried: triedCount });
    if (problem !== null) throw oauthError({ rule: 'issuer-keys-unreadable', parameter, problem });
    const seen = kid === null ? null : sanitize(kid);
    throw oauthError({ rule: 'issuer-key-unknown', parameter, seen, algorithm, known: knownKids });
  }

  function requireAudience({ aud }: Claims, { audience }: TrustedIssuer, parameter: ForeignParameter): void {
    const issuer = deps.issuer();
    const expected = audience ?? [issuer, `${issuer}/o/token/`];
    const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
    if (audiences.some((value) => typeof value === 'string' && expected.includes(value))) return;
    const shownAudiences = aud === undefined ? NONE : formatList(audiences.slice(0, 3).map(sanitizeMember));
    throw oauthError({ rule: 'issuer-audience', parameter, expected, seen: shownAudiences });
  }
}

function requireType(jwt: string, use: IssuerUse, parameter: ForeignParameter): void {
  const [type, acceptedTypes] = [jwtType(jwt), ACCEPTED_TYPES[use]];
  if (acceptedTypes.includes(type)) return;
  const expected = acceptedTypes.flatMap((acceptedType) => acceptedType ?? []);
  throw oauthError({ rule: 'issuer-token-type', parameter, expected, seen: type === null ? NONE : describeType(type) });
}

function requireTime(
  { exp, nbf, iat }: Claims,
  maxSeconds: number,
  now: EpochSeconds,
  parameter: ForeignParameter,
): EpochSeconds {
  const timeError = (problem: 'no-expiry' | 'expired' | 'too-long' | 'too-old' | 'not-yet', seconds: number) =>
    oauthError({ rule: 'issuer-time', parameter, problem, seconds: Math.round(seconds), mostSeconds: maxSeconds });
  const latest = now + CLOCK_TOLERANCE_SECONDS;
  if (typeof exp !== 'number') throw timeError('no-expiry', 0);
  if (exp <= now) throw timeError('expired', now - exp);
  if (exp > latest + maxSeconds) throw timeError('too-long', exp - now);
  for (const start of [nbf, iat]) {
    if (start === undefined) continue;
    if (typeof start !== 'number') throw oauthError({ rule: 'issuer-token-malformed', parameter });
    if (start > latest) throw timeError('not-yet', start - now);
  }
  if (typeof iat === 'number' && iat < now - CLOCK_TOLERANCE_SECONDS - maxSeconds)
    throw timeError('too-old', now - iat);
  return Math.floor(exp) as EpochSeconds;
}

function requireClaims(claims: Claims, requiredClaims: readonly RequiredClaim[], parameter: ForeignParameter): void {
  const missingClaim = requiredClaims.find((claim) => !hasRequiredClaim(claims, claim));
  if (missingClaim === undefined) return;
  const actualValue = readClaim(claims, missingClaim.name);
  const seen = actualValue === undefined ? NONE : sanitizeMember(actualValue);
  throw oauthError({ rule: 'issuer-claim', parameter, name: missingClaim.name, expected: missingClaim.value, seen });
}

/**
 * Refuses the `act` claim (RFC 8693 §4.1): an issuer could name any party as the actor, and a subject that is named as
 * its own actor would hide the real actor.
 */
function requireNoActor({ act, sub }: Claims, parameter: ForeignParameter): void {
  if (act === undefined) return;
  const isSelf = typeof act === 'object' && act !== null && 'sub' in act && act.sub === sub;
  throw oauthError({ rule: 'issuer-act', parameter, isSelf });
}

function requireId({ jti }: Claims, tokenHash: CredentialHash, parameter: ForeignParameter): string {
  if (jti === undefined) return `hash ${tokenHash}`;
  if (typeof jti === 'string' && jti !== '' && jti.length <= MAX_JTI_LENGTH) return `jti ${jti}`;
  throw oauthError({ rule: 'issuer-token-malformed', parameter });
}
