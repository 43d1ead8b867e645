import { message } from '../../language/message.ts';
import type { ClientKey } from '../../domain/client-authentication.ts';
import { effectiveSecurity } from '../../domain/security-profile.ts';
import { SIGNING_ALGORITHMS, type EpochSeconds, type SigningAlgorithm } from '../../domain/values.ts';
import type { EventOf } from '../../domain/events.ts';
import type { Client } from '../../projections/clients.ts';
import { oauthError } from '../endpoints/errors.ts';
import type { Parameters } from '../endpoints/parameters.ts';
import { sanitize, sanitizeMember } from '../refusals/sanitize.ts';
import { unverifiedClaims, unverifiedHeader } from '../signing/jws.ts';
import { findSigner } from './client-signatures.ts';
import { isDocumentUrl } from './client-document.ts';
import type { FindClientKeys } from './client-key-finder.ts';

/** The value of `client_assertion_type` for a JWT (RFC 7523 §2.2). */
export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** An assertion is used for only one request, but some libraries let it expire after five or ten minutes. */
const MAX_LIFETIME_SECONDS = 600;
/** Client clocks may be ahead by this much (FAPI 2.0 Security Profile §5.3.2.1). */
const CLOCK_TOLERANCE_SECONDS = 30;
const MAX_JTI_LENGTH = 256;

/** An assertion with a valid signature and valid claims. */
export interface VerifiedAssertion {
  readonly client: Client;
  readonly jti: string;
  readonly record: EventOf<'ClientAssertionAccepted'>['data'];
}

/** Finds the client that an assertion identifies, and its keys. */
export interface AssertionClients {
  find(clientId: string): Client | undefined;
  readonly findClientKeys: FindClientKeys;
}

type Claims = Readonly<Record<string, unknown>>;

/** Reports whether the request authenticates its client with an assertion. */
export function hasAssertion(parameters: Parameters): boolean {
  return parameters.has('client_assertion') || parameters.has('client_assertion_type');
}

/** Returns the unverified `iss` claim of a request's assertion, which is a client id if the assertion is genuine. */
export function claimedIssuer(parameters: Parameters): string | undefined {
  const assertion = parameters.get('client_assertion');
  const issuer = assertion === undefined ? undefined : unverifiedClaims(assertion)?.['iss'];
  return typeof issuer === 'string' ? issuer : undefined;
}

/**
 * Returns the verified assertion of a request, with the client that signed it (RFC 7523 §3). Does not detect replays;
 * `AcceptAssertion` does.
 * @throws OAuthError `invalid_client` if the assertion is invalid
 */
export async function verifyAssertion(
  parameters: Parameters,
  clients: AssertionClients,
  issuer: string,
  now: EpochSeconds,
): Promise<VerifiedAssertion> {
  const assertion = parameters.get('client_assertion');
  if (assertion === undefined || parameters.get('client_assertion_type') !== ASSERTION_TYPE)
    throw oauthError({ rule: 'assertion-type', seen: assertion === undefined ? 'no assertion' : 'another type' });
  const [header, claims] = [readHeader(assertion), unverifiedClaims(assertion)];
  if (header === undefined || claims === undefined) throw oauthError({ rule: 'assertion-malformed' });
  const client = requireClient(claims, parameters.get('client_id'), clients);
  const { key, algorithm } = await requireSignature(assertion, header, client, clients.findClientKeys);
  requireAudience(claims, issuer);
  const expiresAt = requireTime(claims, now);
  const { jti } = claims;
  if (typeof jti !== 'string' || jti === '' || jti.length > MAX_JTI_LENGTH)
    throw oauthError({ rule: 'assertion-without-id', most: MAX_JTI_LENGTH });
  return { client, jti, record: { clientId: client.clientId, keyId: key.keyId, algorithm, expiresAt } };
}

interface Header {
  readonly alg: unknown;
  readonly kid: string | null;
}

/**
 * The accepted values of `typ`. Other values mark JWTs for other purposes. `application/` is optional (RFC 7515
 * §4.1.9).
 */
const ASSERTION_TYPES = [
  'jwt',
  'application/jwt',
  'client-authentication+jwt',
  'application/client-authentication+jwt',
];

/**
 * Returns the header, or undefined if it is malformed, has the wrong type or requires an extension (RFC 7515 §4.1.11).
 */
function readHeader(assertion: string): Header | undefined {
  const header = unverifiedHeader(assertion);
  if (header === undefined) return undefined;
  const { alg, typ, kid = null, crit } = header;
  const isAssertion = typ === undefined || (typeof typ === 'string' && ASSERTION_TYPES.includes(typ.toLowerCase()));
  return !isAssertion || crit !== undefined || (kid !== null && typeof kid !== 'string') ? undefined : { alg, kid };
}

function requireClient({ iss, sub }: Claims, clientId: string | undefined, clients: AssertionClients): Client {
  if (typeof iss !== 'string' || iss !== sub || (clientId !== undefined && clientId !== iss))
    throw oauthError({
      rule: 'assertion-issuer',
      differs: typeof iss === 'string' && iss === sub ? 'client_id' : 'sub',
    });
  const client = clients.find(iss);
  if (client === undefined)
    throw oauthError({ rule: 'assertion-client-unknown', length: iss.length, isAddress: isDocumentUrl(iss) });
  const { methods } = client.authentication;
  if (!methods.includes('private_key_jwt'))
    throw oauthError({ rule: 'client-method-not-allowed', seen: 'private_key_jwt', allowed: methods });
  return client;
}

/** Requires a signature by one of the client's keys. Without a `kid`, tries all keys that match the algorithm. */
async function requireSignature(
  assertion: string,
  { alg, kid }: Header,
  client: Client,
  findClientKeys: FindClientKeys,
): Promise<{ readonly key: ClientKey; readonly algorithm: SigningAlgorithm }> {
  const algorithm = SIGNING_ALGORITHMS.find((candidate) => candidate === alg);
  if (algorithm === undefined)
    throw oauthError({ rule: 'assertion-algorithm', seen: sanitizeMember(alg), allowed: SIGNING_ALGORITHMS });
  if (!effectiveSecurity(client, {}).algorithms.includes(algorithm))
    throw oauthError({ rule: 'profile-requires', what: 'signature', seen: algorithm });
  const { key, triedCount, knownKids, problem } = await findSigner(
    assertion,
    { algorithm, kid },
    client,
    findClientKeys,
  );
  if (key !== undefined) return { key, algorithm };
  if (triedCount > 0) throw oauthError({ rule: 'assertion-signature-wrong', tried: triedCount });
  if (problem !== null) throw oauthError({ rule: 'client-keys-unreadable', problem });
  const seen = kid === null ? null : sanitize(kid);
  throw oauthError({ rule: 'assertion-key-unknown', seen, algorithm, known: knownKids });
}

/**
 * Accepts only this server's issuer as the audience, so that another server cannot use an assertion that it received
 * (RFC 7523bis, FAPI 2.0 §5.3.2.1).
 */
function requireAudience({ aud }: Claims, issuer: string): void {
  if (aud === issuer) return;
  const seen =
    typeof aud === 'string' ? sanitize(aud) : message(aud === undefined ? 'refusal-value.none' : 'refusal-value.list');
  throw oauthError({ rule: 'assertion-audience', expected: issuer, seen });
}

function requireTime({ exp, nbf, iat }: Claims, now: EpochSeconds): EpochSeconds {
  const latest = now + CLOCK_TOLERANCE_SECONDS;
  if (typeof exp !== 'number') throw timeError('no-expiry', 0);
  if (exp <= now) throw timeError('expired', now - exp);
  if (exp > latest + MAX_LIFETIME_SECONDS) throw timeError('too-long', exp - now);
  for (const start of [nbf, iat]) {
    if (start === undefined) continue;
    if (typeof start !== 'number') throw oauthError({ rule: 'assertion-malformed' });
    if (start > latest) throw timeError('not-yet', start - now);
  }
  return Math.ceil(exp) as EpochSeconds;
}

function timeError(problem: 'no-expiry' | 'expired' | 'too-long' | 'not-yet', seconds: number): Error {
  return oauthError({
    rule: 'assertion-time',
    problem,
    seconds: Math.round(seconds),
    mostSeconds: MAX_LIFETIME_SECONDS,
  });
}
