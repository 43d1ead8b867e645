import { message, type Text } from '../../language/message.ts';
import { createSecretKey, hash } from 'node:crypto';
import type { Confirmation } from '../../domain/confirmation.ts';
import { SIGNING_ALGORITHMS, type SigningAlgorithm } from '../../domain/values.ts';
import type { Entropy } from '../../platform/ports.ts';
import { oauthError } from '../endpoints/errors.ts';
import { sanitize } from '../refusals/sanitize.ts';
import { hasValidSignature, unverifiedClaims } from '../signing/jws.ts';
import { createNonces } from './nonces.ts';
import { createProofKeys, type ProofKey } from './proof-key.ts';
import type { ProofSender } from './proof-shares.ts';
import { createUsedProofs } from './used-proofs.ts';
import { isUrl } from '../../platform/urls.ts';

/** Longer than a slow request takes, but short enough that every proof can be remembered. */
const PROOF_LIFETIME_SECONDS = 60;
/** Client clocks may be ahead by this much (FAPI 2.0 Security Profile §5.3.2.1 requires 10 s). */
const PROOF_TOLERANCE_SECONDS = 30;
const MAX_JTI_LENGTH = 256;
const SALT_BYTES = 16;
/** The length to which explanations truncate a proof's method or URL. */
const MAX_SHOWN_LENGTH = 256;

/** A request with a proof of possession (RFC 9449 §4). */
export interface ProofRequest {
  /** The `DPoP` header, within its length limit. Node.js joins the values of repeated headers with a comma. */
  readonly proof: string;
  readonly method: string;
  /** The URLs that clients may have sent the request to: each public base URL, followed by the path of the request. */
  readonly urls: readonly [string, ...string[]];
  /** The access token in the same request; undefined in a token request. */
  readonly accessToken?: string | undefined;
  /** The algorithms that the client may use; all supported algorithms if undefined. */
  readonly algorithms?: readonly SigningAlgorithm[] | undefined;
  /** The sender whose share of the memory is used to remember the proof. */
  readonly sender: ProofSender;
  /** Seconds since the epoch. */
  readonly now: number;
}

export interface AcceptedProof {
  readonly confirmation: Confirmation;
  /** The nonce for the `DPoP-Nonce` header of the response; undefined if the client does not use nonces. */
  readonly nextNonce: string | undefined;
}

/**
 * Accepts proofs of possession (RFC 9449 §4.3), both for this server's OAuth endpoints and for its APIs.
 *
 * Each proof is accepted only once. Used proofs are kept in memory until they are too old to be accepted. A proof needs
 * a nonce from this run of this node if an earlier run or another node may have accepted the proof.
 */
export interface DpopProofs {
  /**
   * Accepts a proof. Call it only once per request, even if the request is processed again (`ctx.state.once`).
   * @throws OAuthError `invalid_dpop_proof`; `use_dpop_nonce`, in which case the response must contain `nonce(now)` in
   * the `DPoP-Nonce` header; or `temporarily_unavailable` if too many used proofs are remembered. The `refusal` of the
   * error explains it to the owner of the client
   */
  accept(request: ProofRequest): Promise<AcceptedProof>;
  /** Returns the nonce for the client's next proof, to be sent in the `DPoP-Nonce` header. */
  nonce(now: number): string;
}

/**
 * @param startedAt in seconds since the epoch
 * @param requiresNonces whether other nodes may accept the same proofs
 */
export function createDpopProofs(deps: {
  readonly entropy: Entropy;
  readonly startedAt: number;
  readonly requiresNonces: boolean;
}): DpopProofs {
  const { entropy, startedAt, requiresNonces } = deps;
  const keys = createProofKeys();
  const usedProofs = createUsedProofs(PROOF_LIFETIME_SECONDS, entropy.bytes(SALT_BYTES).toString('hex'));
  const nonces = createNonces(createSecretKey(entropy.bytes(32)));
  /** Proofs created up to this time may have been accepted in an earlier run. */
  const possiblyUsedUntil = startedAt + PROOF_TOLERANCE_SECONDS;

  function requireNonce(nonce: unknown, issuedAt: number, now: number): void {
    const isNonceRequired = requiresNonces || issuedAt <= possiblyUsedUntil;
    if (nonce === undefined && !isNonceRequired) return;
    if (typeof nonce !== 'string' || !nonces.isValid(nonce, now))
      throw oauthError({ rule: 'dpop-nonce-needed', seen: nonce === undefined ? 'none' : 'another' });
  }

  function useOnce({ thumbprint }: ProofKey, jti: string, issuedAt: number, { sender, now }: ProofRequest): void {
    const outcome = usedProofs.use({ thumbprint, jti, issuedAt }, sender, now);
    if (outcome === 'used-before') throw oauthError({ rule: 'dpop-proof-replayed' });
    if (outcome === 'too-old') throw timeError('old', now - issuedAt);
    if (outcome !== 'first') throw oauthError({ rule: 'dpop-proofs-full', share: outcome.full });
  }

  return {
    async accept(request) {
      const { proof, method, urls, accessToken, algorithms = SIGNING_ALGORITHMS, now } = request;
      if (proof.includes(',')) throw oauthError({ rule: 'dpop-proof-form', problem: 'repeated' });
      const claims = unverifiedClaims(proof);
      if (claims === undefined) throw oauthError({ rule: 'dpop-proof-form', problem: 'malformed' });
      const proofKey = keys.read(proof);
      const { algorithm, key, thumbprint } = proofKey;
      if (!algorithms.includes(algorithm))
        throw oauthError({ rule: 'dpop-proof-algorithm', seen: algorithm, allowed: algorithms });
      requireMethod(claims, method);
      requireUrl(claims, urls);
      const issuedAt = requireTime(claims, now);
      const jti = requireId(claims);
      requireToken(claims, accessToken);
      requireNonce(claims['nonce'], issuedAt, now);
      if (!(await hasValidSignature(proof, algorithm, key))) throw oauthError({ rule: 'dpop-proof-signature' });
      useOnce(proofKey, jti, issuedAt, request);
      const nextNonce = claims['nonce'] === undefined ? undefined : nonces.current(now);
      return { confirmation: { method: 'jkt', thumbprint }, nextNonce };
    },
    nonce: nonces.current,
  };
}

type Claims = Readonly<Record<string, unknown>>;

function requireMethod({ htm }: Claims, method: string): void {
  if (htm !== method) throw oauthError({ rule: 'dpop-proof-method', expected: method, seen: formatForDisplay(htm) });
}

function requireUrl({ htu }: Claims, urls: readonly [string, ...string[]]): void {
  const actualUrl = typeof htu === 'string' ? normalizeUrl(htu) : undefined;
  if (actualUrl === undefined || !urls.some((url) => normalizeUrl(url) === actualUrl))
    throw oauthError({
      rule: 'dpop-proof-address',
      expected: formatForDisplay(normalizeUrl(urls[0])),
      seen: formatForDisplay(htu),
    });
}

function requireTime({ iat, exp, nbf }: Claims, now: number): number {
  if (typeof iat !== 'number') throw timeError('missing', 0);
  if (iat < now - PROOF_LIFETIME_SECONDS) throw timeError('old', now - iat);
  if (iat > now + PROOF_TOLERANCE_SECONDS) throw timeError('future', iat - now);
  if (typeof exp === 'number' && exp <= now) throw timeError('old', now - exp);
  if (typeof nbf === 'number' && nbf > now + PROOF_TOLERANCE_SECONDS) throw timeError('future', nbf - now);
  return iat;
}

function timeError(problem: 'missing' | 'old' | 'future', seconds: number): Error {
  return oauthError({
    rule: 'dpop-proof-time',
    problem,
    seconds: Math.round(seconds),
    lifetimeSeconds: PROOF_LIFETIME_SECONDS,
    toleranceSeconds: PROOF_TOLERANCE_SECONDS,
  });
}

function requireId({ jti }: Claims): string {
  if (typeof jti === 'string' && jti !== '' && jti.length <= MAX_JTI_LENGTH) return jti;
  throw oauthError({ rule: 'dpop-proof-id', most: MAX_JTI_LENGTH });
}

/** Requires the hash of the access token (RFC 9449 §4.2). */
function requireToken({ ath }: Claims, accessToken: string | undefined): void {
  if (accessToken === undefined || ath === hash('sha256', accessToken, 'base64url')) return;
  throw oauthError({ rule: 'dpop-proof-token', seen: ath === undefined ? 'none' : 'another' });
}

function formatForDisplay(value: unknown): Text {
  return typeof value === 'string' ? sanitize(value.slice(0, MAX_SHOWN_LENGTH)) : message('refusal-value.none');
}

/** The unreserved characters (RFC 3986 §2.3). */
const UNRESERVED = /[\w.~-]/;
const PERCENT_ENCODED = /%[0-9a-f]{2}/gi;

/**
 * Returns the URL of a request in normal form (RFC 3986 §6.2.2, §6.2.3), without the query and fragment (RFC 9449
 * §4.3), or undefined if it is not an http or https URL or contains a user name or password. Equivalent URLs have the
 * same normal form: the case of the scheme and host, the default port, dot segments and unnecessary percent-encoding
 * make no difference.
 */
function normalizeUrl(url: string): string | undefined {
  if (!isUrl(url)) return undefined;
  const { protocol, host, pathname, username, password } = new URL(url);
  if ((protocol !== 'https:' && protocol !== 'http:') || username !== '' || password !== '') return undefined;
  return `${protocol}//${host}${pathname.includes('%') ? normalizePath(pathname) : pathname}`;
}

function normalizePath(path: string): string {
  return path.replaceAll(PERCENT_ENCODED, (encoded) => {
    const character = String.fromCodePoint(Number.parseInt(encoded.slice(1), 16));
    return UNRESERVED.test(character) ? character : encoded.toUpperCase();
  });
}
