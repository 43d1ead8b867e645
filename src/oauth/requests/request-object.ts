import { message, type Text } from '../../language/message.ts';
import { hash } from 'node:crypto';
import type { CredentialHash, EpochSeconds, SigningAlgorithm } from '../../domain/values.ts';
import type { Client } from '../../projections/clients.ts';
import { findSigner, type SignatureHeader } from '../clients/client-signatures.ts';
import type { FindClientKeys } from '../clients/client-key-finder.ts';
import { oauthError, type OAuthError } from '../endpoints/errors.ts';
import type { Parameters } from '../endpoints/parameters.ts';
import type { RefusalOf } from '../refusals/refusal.ts';
import { sanitize, sanitizeMember } from '../refusals/sanitize.ts';
import { unverifiedClaims, unverifiedHeader } from '../signing/jws.ts';
import { toParameters, type RequestClaims } from './request-parameters.ts';

/** A request object with a valid signature and valid claims. */
export interface OpenedRequestObject {
  /** All parameters of the request, because parameters outside the object are ignored (RFC 9101 §6.3). */
  readonly parameters: Parameters;
  /** The SHA-256 hash of the object as sent. It lets the holder of the object prove that the object led to a grant. */
  readonly hash: CredentialHash;
}

/** The requirements for a request object. */
export interface RequestObjectRules {
  readonly findClientKeys: FindClientKeys;
  readonly issuer: string;
  readonly algorithms: readonly SigningAlgorithm[];
  /**
   * Whether a request object must have `nbf` and `exp`, at most an hour apart (FAPI 2.0 Message Signing §5.3.1).
   */
  readonly requiresValidityPeriod: boolean;
}

/** Client clocks may be ahead by this much, as for client assertions. */
const CLOCK_TOLERANCE_SECONDS = 30;
/** The maximum age of `nbf`, and the maximum time between `nbf` and `exp` (FAPI 2.0 Message Signing §5.3.1). */
const MAX_LIFETIME_SECONDS = 3_600;

/** The accepted types (RFC 9101 §10.8). OpenID Connect libraries send `JWT` or no type. */
const ACCEPTED_TYPES = ['oauth-authz-req+jwt', 'jwt'];

/**
 * Returns the parameters of a request object that the client signed (RFC 9101 §6, OpenID Connect Core §6.1).
 * @throws OAuthError `invalid_request_object` if the object is invalid
 */
export async function openRequestObject(
  jws: string,
  client: Client,
  rules: RequestObjectRules,
  now: EpochSeconds,
): Promise<OpenedRequestObject> {
  const claims = readClaims(jws);
  const header = readHeader(jws, client, rules);
  await requireSignature(jws, header, client, rules.findClientKeys);
  requireExpectedParties(claims, client, rules.issuer);
  requireValidTimes(claims, rules, now);
  return { parameters: toParameters(claims), hash: hash('sha256', jws, 'base64url') as CredentialHash };
}

function malformedObject(problem: RefusalOf<'request-object-malformed'>['problem']): OAuthError {
  return oauthError({ rule: 'request-object-malformed', problem });
}

const JWE_PART_COUNT = 5;

const NONE = message('refusal-value.none');
const NOT_A_STRING = message('refusal-value.not-a-string');
const NOT_ONE_STRING = message('refusal-value.not-one-string');

function readClaims(jws: string): RequestClaims {
  if (jws.split('.').length === JWE_PART_COUNT) throw malformedObject('encrypted');
  const claims = unverifiedClaims(jws);
  if (claims === undefined) throw malformedObject('not-a-jwt');
  if ('request' in claims || 'request_uri' in claims) throw malformedObject('nested');
  return claims;
}

function readHeader(jws: string, { security }: Client, { algorithms }: RequestObjectRules): SignatureHeader {
  const { alg, typ, cty, kid = null, crit } = unverifiedHeader(jws) ?? {};
  if (cty !== undefined) throw malformedObject('nested');
  if (crit !== undefined) throw malformedObject('critical');
  if (kid !== null && typeof kid !== 'string') throw malformedObject('not-a-jwt');
  const type = typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : '';
  if (typ !== undefined && !ACCEPTED_TYPES.includes(type))
    throw oauthError({ rule: 'request-object-type', seen: typeof typ === 'string' ? sanitize(typ) : NOT_A_STRING });
  const allowed = algorithms.filter((candidate) => (security.requestObjectAlgorithm ?? candidate) === candidate);
  const algorithm = allowed.find((candidate) => candidate === alg);
  if (algorithm === undefined)
    throw oauthError({ rule: 'request-object-algorithm', seen: sanitizeMember(alg), allowed });
  return { algorithm, kid };
}

async function requireSignature(
  jws: string,
  header: SignatureHeader,
  client: Client,
  findClientKeys: FindClientKeys,
): Promise<void> {
  const { kid, algorithm } = header;
  const { key, triedCount, knownKids, problem } = await findSigner(jws, header, client, findClientKeys);
  if (key !== undefined) return;
  if (triedCount > 0) throw oauthError({ rule: 'request-object-signature-wrong', tried: triedCount });
  if (problem !== null) throw oauthError({ rule: 'request-object-keys-unreadable', problem });
  const seen = kid === null ? null : sanitize(kid);
  throw oauthError({ rule: 'request-object-key-unknown', seen, algorithm, known: knownKids });
}

/**
 * Checks the issuer, the client and the audience. A client assertion cannot be used as a request object, because its
 * `sub` is the client id (RFC 9101 §10.8).
 */
function requireExpectedParties(
  { iss, aud, sub, client_id: claimedClientId }: RequestClaims,
  client: Client,
  issuer: string,
): void {
  const { clientId } = client;
  if (iss !== clientId) throw claimError('iss', clientId, iss);
  if (claimedClientId !== undefined && claimedClientId !== clientId)
    throw claimError('client_id', clientId, claimedClientId);
  if (sub === clientId) throw claimError('sub', NONE, sub);
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!audiences.includes(issuer)) throw claimError('aud', issuer, audiences.length === 1 ? audiences[0] : aud);
}

function claimError(claim: RefusalOf<'request-object-claim'>['claim'], expected: Text, value: unknown): OAuthError {
  const seen = value === undefined ? NONE : typeof value === 'string' ? sanitize(value) : NOT_ONE_STRING;
  return oauthError({ rule: 'request-object-claim', claim, expected, seen });
}

function requireValidTimes(
  { exp, nbf, iat }: RequestClaims,
  { requiresValidityPeriod }: RequestObjectRules,
  now: number,
): void {
  const latest = now + CLOCK_TOLERANCE_SECONDS;
  for (const time of [exp, nbf, iat])
    if (time !== undefined && typeof time !== 'number') throw malformedObject('not-a-jwt');
  const [end, start, issuedAt] = [exp, nbf, iat] as readonly (number | undefined)[];
  if (end !== undefined && end <= now) throw timeError('expired', now - end);
  for (const time of [start, issuedAt]) if (time !== undefined && time > latest) throw timeError('not-yet', time - now);
  if (!requiresValidityPeriod) return;
  if (end === undefined) throw timeError('no-expiry', 0);
  if (start === undefined) throw timeError('no-start', 0);
  if (start < now - MAX_LIFETIME_SECONDS) throw timeError('too-old', now - start);
  if (end > start + MAX_LIFETIME_SECONDS) throw timeError('too-long', end - start);
}

function timeError(problem: RefusalOf<'request-object-time'>['problem'], seconds: number): OAuthError {
  const roundedSeconds = Math.round(seconds);
  return oauthError({
    rule: 'request-object-time',
    problem,
    seconds: roundedSeconds,
    mostSeconds: MAX_LIFETIME_SECONDS,
  });
}
