import { message } from '../../language/message.ts';
import { timingSafeEqual } from 'node:crypto';
import type { Attempt, Guess, GuessLimiter } from '../../platform/limits/guess-limiter.ts';
import { usesSecret, type ClientAuthenticationMethod } from '../../domain/client-authentication.ts';
import { validPreviousSecret } from '../../domain/previous-secret.ts';
import type { ClientId, EpochSeconds, KeyId } from '../../domain/values.ts';
import { callerFromAddress, type HashCaller } from '../../platform/hashing/hash-caller.ts';
import type { KnownSecret } from '../../projections/client-secrets.ts';
import type { Client } from '../../projections/clients.ts';
import { hashCredential, isGeneratedSecret } from '../credentials/credentials.ts';
import { credentialForm } from '../refusals/credential-form.ts';
import type { ProtocolRefusal } from '../refusals/refusal-messages.ts';
import { oauthError } from '../endpoints/errors.ts';
import type { Parameters } from '../endpoints/parameters.ts';
import {
  credentialsAgree,
  basicCredentials,
  bodyCredentials,
  type PresentedCredentials,
} from './presented-credentials.ts';

/** Looks up registered clients for authentication. */
export interface ClientLookup {
  find(clientId: string): Client | undefined;
  /** Reports whether any client has a secret that may be user-chosen. */
  haveUserChosenSecrets(): boolean;
}

/** Verifies and rehashes client secrets that may be user-chosen. */
export interface UserChosenSecrets {
  /**
   * Reports whether `hash` is the hash of `secret`. Deliberately slow for a wrong secret, even if `hash` is undefined.
   * @param onTurn called right before a slow hash begins; if it throws, the verification fails with that error
   */
  verify(hash: string | undefined, secret: string, caller: HashCaller, onTurn: () => void): Promise<boolean>;
  /** Replaces the hash of an imported secret with one that this server computed, unless the server is overloaded. */
  rehash(clientId: ClientId, secret: string): Promise<void>;
}

/** The client that sent a request. */
export interface AuthenticatedClient {
  readonly client: Client;
  /** `none` for a public client, which sends only its id. */
  readonly method: ClientAuthenticationMethod;
  /** Whether the client used its previous secret, which stays valid for a while after a rotation. */
  readonly previousSecretUsed: boolean;
  /**
   * The id of the client's key in its certificate (`self_signed_tls_client_auth`); undefined if it used a different
   * method.
   */
  readonly clientKeyId?: KeyId | undefined;
  /** Present if the authentication is recorded as an event: see `AcceptedAssertion`. */
  readonly whenRecorded?: Promise<void>;
}

type VerifiedSecret = Pick<AuthenticatedClient, 'client' | 'previousSecretUsed'>;

interface ClientGuess {
  readonly guess: Guess;
  readonly attempt: Attempt;
}

/** The part of a request that secret authentication needs. */
export interface SecretRequest {
  readonly authorization: string | undefined;
  readonly parameters: Parameters;
  readonly now: EpochSeconds;
  readonly address: string;
}

/**
 * Returns the client whose secret the request contains, or the public client whose id it contains.
 * @throws OAuthError if the request has no valid credentials
 * @throws TooManyAttemptsError after too many failures
 */
export type AuthenticateBySecret = (request: SecretRequest) => Promise<AuthenticatedClient>;

/**
 * Creates the function that authenticates clients by secret.
 * @param catchUp brings this node up to date, since another node may have registered the client or changed its secret.
 * Undefined if no other process appends to the log
 */
export function createSecretAuthentication(
  clients: ClientLookup,
  userChosenSecrets: UserChosenSecrets,
  guesses: GuessLimiter,
  catchUp?: () => Promise<void>,
): AuthenticateBySecret {
  /**
   * Reports whether to run a slow hash for `secret`. To avoid a timing oracle, the decision depends only on the
   * presented secret: a secret in this server's format is never slow-hashed; every reading of any other secret is
   * slow-hashed once, whether or not the client exists (once per kind of slow hash in use, see
   * `constant-work-verifier.ts`). While no client has a user-chosen secret, nothing is slow-hashed: there is nothing to
   * hide, and attackers cannot keep the processor busy.
   */
  function needsSlowHash(secret: string): boolean {
    return clients.haveUserChosenSecrets() && !isGeneratedSecret(secret);
  }

  /** Returns the client's slow hash if `secret` matches it, or undefined. */
  async function matchingSlowHash(
    secret: string,
    { guess, attempt }: ClientGuess,
    now: EpochSeconds,
  ): Promise<string | undefined> {
    const hash = userChosenHash(validSecrets(clients.find(guess.subject), now));
    const caller = callerFromAddress(guess.source, `client ${guess.subject}`);
    if (!(await userChosenSecrets.verify(hash, secret, caller, attempt.begin))) return undefined;
    attempt.succeed();
    return hash;
  }

  async function verify(
    { clientId, secret }: PresentedCredentials,
    now: EpochSeconds,
    guessFor: (clientId: string) => ClientGuess,
  ): Promise<VerifiedSecret | undefined> {
    if (secret === null) return authenticatePublic(clients.find(clientId));
    const matchedSlowHash = needsSlowHash(secret) ? await matchingSlowHash(secret, guessFor(clientId), now) : undefined;
    const presentedSecret = { hash: Buffer.from(hashCredential(secret)), matchedSlowHash };
    // Looked up after the slow hash: the client may have been removed, or have a new secret.
    const client = clients.find(clientId);
    const { current, previous } = validSecrets(client, now);
    // Both comparisons always run, so that the time is constant.
    const [isCurrent, isPrevious] = [matchesSecret(current, presentedSecret), matchesSecret(previous, presentedSecret)];
    if (client?.secret?.algorithm === 'pbkdf2-sha256' && isCurrent) {
      await userChosenSecrets.rehash(client.clientId, secret);
      const currentClient = clients.find(clientId); // has the same secret if rehashing was skipped
      if (currentClient?.secret === client.secret) return { client: currentClient, previousSecretUsed: false };
      return verify({ clientId, secret }, now, guessFor);
    }
    if (client !== undefined && (isCurrent || isPrevious)) return { client, previousSecretUsed: !isCurrent };
    // Another request may have replaced the imported hash that the secret matched.
    const isReplaced = matchedSlowHash?.startsWith('pbkdf2_') && client?.secret?.algorithm === 'argon2id';
    return isReplaced ? verify({ clientId, secret }, now, guessFor) : undefined;
  }

  /**
   * Returns the client that the first valid reading authenticates. RFC 6749 requires the form-decoded reading; the raw
   * one supports pasted curl commands with `+` or `%` in the credentials.
   */
  async function verifyReadings(
    readings: readonly PresentedCredentials[],
    now: EpochSeconds,
    address: string,
  ): Promise<VerifiedSecret> {
    const guessesByClient = new Map<string, ClientGuess>();

    /** Returns the guess at the client's secret. All readings with the same client id share an attempt. */
    function guessFor(clientId: string): ClientGuess {
      const guess = { subject: clientId, source: address };
      const clientGuess = guessesByClient.get(clientId) ?? { guess, attempt: guesses.attempt(guess) };
      guessesByClient.set(clientId, clientGuess);
      return clientGuess;
    }

    /** Catches up, and reports whether this changed a client. Otherwise, hashing again would be pointless. */
    async function wasOutdated(): Promise<boolean> {
      if (catchUp === undefined) return false;
      for (const { clientId } of readings) guessFor(clientId); // throws if no attempts are left
      const previousClients = readings.map(({ clientId }) => clients.find(clientId));
      await catchUp();
      return readings.some(({ clientId }, index) => clients.find(clientId) !== previousClients[index]);
    }

    try {
      for (let isLastRound = catchUp === undefined; ; isLastRound = true) {
        for (const reading of readings) {
          // Sequential: the second reading is tried only if the first one fails.
          const verifiedSecret = await verify(reading, now, guessFor);
          if (verifiedSecret === undefined) continue;
          for (const { attempt } of guessesByClient.values()) attempt.cancel();
          return verifiedSecret;
        }
        if (isLastRound || !(await wasOutdated())) break;
      }
      for (const { clientId } of readings) guessFor(clientId).attempt.begin();
      throw oauthError(failureReason(clients, readings, now));
    } finally {
      for (const { attempt } of guessesByClient.values()) attempt.fail();
    }
  }

  return async ({ authorization, parameters, now, address }) => {
    const bodyReading = bodyCredentials(parameters);
    if (authorization === undefined) {
      if (bodyReading === undefined) throw oauthError({ rule: 'client-credentials-missing' });
      return requireMethod(await verifyReadings([bodyReading], now, address), 'client_secret_post');
    }
    const headerReadings = basicCredentials(authorization);
    const readings =
      bodyReading === undefined
        ? headerReadings
        : headerReadings.filter((reading) => credentialsAgree(reading, bodyReading));
    if (readings.length === 0) {
      throw oauthError({
        rule: 'client-credentials-disagree',
        differs: headerReadings.some(({ clientId }) => clientId === bodyReading?.clientId)
          ? 'client_secret'
          : 'client_id',
      });
    }
    return requireMethod(await verifyReadings(readings, now, address), 'client_secret_basic');
  };
}

/**
 * Returns the client and the method that it used. The method of a public client is `none`, wherever it sends its id.
 * @throws OAuthError if the client may not use the method
 */
function requireMethod(
  { client, previousSecretUsed }: VerifiedSecret,
  method: 'client_secret_basic' | 'client_secret_post',
): AuthenticatedClient {
  const { clientType, authentication } = client;
  if (clientType === 'public') return { client, previousSecretUsed, method: 'none' };
  if (authentication.methods.includes(method)) return { client, previousSecretUsed, method };
  throw oauthError({ rule: 'client-method-not-allowed', seen: method, allowed: authentication.methods });
}

/**
 * Returns the refusal after every reading has failed. The hashes are compared in constant time, even if the client does
 * not exist or has no previous secret, so that timing still reveals nothing.
 */
function failureReason(
  clients: ClientLookup,
  readings: readonly PresentedCredentials[],
  now: EpochSeconds,
): ProtocolRefusal {
  const { clientId, secret } = readings.find((reading) => clients.find(reading.clientId) !== undefined) ??
    readings[0] ?? { clientId: '', secret: null };
  const client = clients.find(clientId);
  const previousSecret = client?.previousSecret ?? null;
  const isPrevious = matchesSecret(previousSecret?.secret ?? null, {
    hash: Buffer.from(hashCredential(secret ?? '')),
    matchedSlowHash: undefined,
  });
  if (client === undefined) {
    const isSwapped = secret !== null && clients.find(secret) !== undefined;
    return { rule: 'client-unknown', form: credentialForm(clientId), length: clientId.length, isSwapped };
  }
  const { clientType, authentication } = client;
  if (clientType === 'confidential' && !usesSecret(authentication)) {
    const seen = message(secret === null ? 'refusal-value.client-id' : 'refusal-value.client-secret');
    return { rule: 'client-method-not-allowed', seen, allowed: authentication.methods };
  }
  if (secret === null) return { rule: 'client-secret-missing' };
  if (client.secret === null) return { rule: 'client-secret-unexpected' };
  if (client.secret.algorithm === 'unreadable') return { rule: 'client-key-missing' };
  if (previousSecret !== null && isPrevious) {
    return { rule: 'client-secret-ended', secondsAgo: now < previousSecret.until ? null : now - previousSecret.until };
  }
  return { rule: 'client-secret-wrong', form: credentialForm(secret), hasOuterSpace: secret.trim() !== secret };
}

function authenticatePublic(client: Client | undefined): VerifiedSecret | undefined {
  return client?.clientType === 'public' ? { client, previousSecretUsed: false } : undefined;
}

interface ValidSecrets {
  readonly current: KnownSecret | null;
  readonly previous: KnownSecret | null;
}

function validSecrets(client: Client | undefined, now: EpochSeconds): ValidSecrets {
  if (client === undefined) return { current: null, previous: null };
  return { current: client.secret, previous: validPreviousSecret(client, now)?.secret ?? null };
}

/**
 * Returns the slow hash, or undefined if neither hash is slow. At most one of the two hashes is slow: only a
 * registration can import a secret; a rotation always generates one.
 */
function userChosenHash({ current, previous }: ValidSecrets): string | undefined {
  return slowHash(current) ?? slowHash(previous);
}

function slowHash(secret: KnownSecret | null): string | undefined {
  if (secret === null || secret.algorithm === 'sha256' || secret.algorithm === 'unreadable') return undefined;
  return secret.algorithm === 'argon2id' ? secret.phc : secret.verifier;
}

/**
 * Stands in for a missing hash, so that the same work is done. It has the length of a hash, but no input hashes to it.
 */
const DUMMY_HASH = Buffer.from('!'.repeat(43));

function matchesSecret(
  secret: KnownSecret | null,
  { hash, matchedSlowHash }: { readonly hash: Buffer; readonly matchedSlowHash: string | undefined },
): boolean {
  const matchesFastHash = timingSafeEqual(secret?.algorithm === 'sha256' ? Buffer.from(secret.hash) : DUMMY_HASH, hash);
  return matchesFastHash || (matchedSlowHash !== undefined && slowHash(secret) === matchedSlowHash);
}
