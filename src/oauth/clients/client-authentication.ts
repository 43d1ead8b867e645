import { timingSafeEqual } from 'node:crypto';
import type { Attempt, Guess, GuessLimiter } from '../../platform/limits/guess-limiter.ts';
import { validPreviousSecret } from '../../domain/previous-secret.ts';
import type { ClientId, EpochSeconds } from '../../domain/values.ts';
import { callerFromAddress, type HashCaller } from '../../platform/hashing/hash-caller.ts';
import type { KnownSecret } from '../../projections/client-secrets.ts';
import type { Client } from '../../projections/clients.ts';
import { hashCredential, isClientSecret } from '../credentials/credentials.ts';
import { credentialForm } from '../refusals/credential-form.ts';
import type { Refusal } from '../refusals/refusal.ts';
import { OAuthError, oauthError } from '../endpoints/errors.ts';
import type { Parameters } from '../endpoints/parameters.ts';
import {
  credentialsAgree,
  basicCredentials,
  bodyCredentials,
  type PresentedCredentials,
} from './presented-credentials.ts';

/** RFC 8414's names of the two ways in which a confidential client authenticates. */
export const CLIENT_AUTHENTICATION_METHODS = ['client_secret_basic', 'client_secret_post'] as const;

/** What this part needs to know of registered clients. */
export interface ClientLookup {
  find(clientId: string): Client | undefined;
  /** Whether there is any client at all with a secret that a person may have chosen. */
  haveUserChosenSecrets(): boolean;
}

/** Secrets that people may have chosen. */
export interface UserChosenSecrets {
  /**
   * Whether `secret` is the one behind `hash`; slow on purpose, and as slow for a hash that is undefined.
   * @param onTurn runs when a slow hash is about to begin; what it throws ends the verification
   */
  verify(hash: string | undefined, secret: string, caller: HashCaller, onTurn: () => void): Promise<boolean>;
  /** Keeps the secret that the client was registered with under a hash of our own, if there is time for one. */
  rehash(clientId: ClientId, secret: string): Promise<void>;
}

/** Who sent a request. */
export interface AuthenticatedClient {
  readonly client: Client;
  /** Whether it was with the secret before the newest, which lives on for a while after a rotation. */
  readonly previousSecretUsed: boolean;
}

export interface ClientAuthentication {
  /**
   * The client behind a request to the token, revocation or introspection endpoint: HTTP Basic, or
   * `client_id` and `client_secret` in the body (RFC 6749 §2.3.1); a public client by its id alone.
   * @throws OAuthError `invalid_client`, the same and after the same work for an unknown client and a wrong secret;
   *   `invalid_request` for two ways at once that do not agree
   * @throws TooManyAttempts instead of `invalid_client`, after too many of those. A right secret that was
   *   made here goes through even then: guessing does not find it, and refusing it would be the guesser's success.
   *   What has another form is not even hashed.
   */
  authenticate(
    authorization: string | undefined,
    parameters: Parameters,
    now: EpochSeconds,
    address: string,
  ): Promise<AuthenticatedClient>;
}

interface ClientGuess {
  readonly guess: Guess;
  readonly attempt: Attempt;
}

const FAILED = 'client authentication failed: unknown client, or a wrong or missing client secret';

export function createClientAuthentication(
  clients: ClientLookup,
  chosenSecrets: UserChosenSecrets,
  guesses: GuessLimiter,
): ClientAuthentication {
  /**
   * Whether a slow hash runs for `secret`. How long it takes must not tell which client ids exist, nor which of them
   * brought a secret along, so this depends on what was sent alone: never for what has the form of our own secrets,
   * which nobody chose, and once for whatever else, known client or not (of each kind that some client has:
   * `even-verifier.ts`). While no client at all has a chosen secret it never runs: then there is nothing to hide, and
   * strangers cannot keep the processor busy.
   */
  function mayBeChosen(secret: string): boolean {
    return clients.haveUserChosenSecrets() && !isClientSecret(secret);
  }

  /** The slow hash of the client's that `secret` is the secret of. */
  async function provenHashOf(
    secret: string,
    { guess, attempt }: ClientGuess,
    now: EpochSeconds,
  ): Promise<string | undefined> {
    const hash = userChosenHash(liveSecrets(clients.find(guess.subject), now));
    const caller = callerFromAddress(guess.source, `client ${guess.subject}`);
    if (!(await chosenSecrets.verify(hash, secret, caller, attempt.begin))) return undefined;
    attempt.succeed();
    return hash;
  }

  async function verify(
    { clientId, secret }: PresentedCredentials,
    now: EpochSeconds,
    guessAt: (clientId: string) => ClientGuess,
  ): Promise<AuthenticatedClient | undefined> {
    if (secret === null) return authenticatePublic(clients.find(clientId));
    const provenHash = mayBeChosen(secret) ? await provenHashOf(secret, guessAt(clientId), now) : undefined;
    const presented = { hash: Buffer.from(hashCredential(secret)), provenHash };
    // Only now: during the slow hash it may have been removed, or been given another secret.
    const client = clients.find(clientId);
    const { current, previous } = liveSecrets(client, now);
    // Both, whatever the first says.
    const [isCurrent, isPrevious] = [matches(current, presented), matches(previous, presented)];
    if (client?.secret?.algorithm === 'pbkdf2-sha256' && isCurrent) {
      await chosenSecrets.rehash(client.clientId, secret);
      const later = clients.find(clientId); // the better hash took its time, or there was no time for one
      if (later?.secret === client.secret) return { client: later, previousSecretUsed: false };
      return verify({ clientId, secret }, now, guessAt);
    }
    if (client !== undefined && (isCurrent || isPrevious)) return { client, previousSecretUsed: !isCurrent };
    // Another request may meanwhile have replaced the imported hash, which the secret was right for, by one of our own.
    const isReplaced = provenHash?.startsWith('pbkdf2_') && client?.secret?.algorithm === 'argon2id';
    return isReplaced ? verify({ clientId, secret }, now, guessAt) : undefined;
  }

  /** The form-decoded reading is the RFC's; the raw one lets a pasted curl with `+` or `%` work. */
  async function verifyFirst(
    readings: readonly PresentedCredentials[],
    now: EpochSeconds,
    address: string,
  ): Promise<AuthenticatedClient> {
    const guessesByClient = new Map<string, ClientGuess>();

    /** One guess at each client, however many readings name it. */
    function guessAt(clientId: string): ClientGuess {
      const guess = { subject: clientId, source: address };
      const one = guessesByClient.get(clientId) ?? { guess, attempt: guesses.attempt(guess) };
      guessesByClient.set(clientId, one);
      return one;
    }

    try {
      for (const reading of readings) {
        // One after the other: the second is tried only where the first fails.
        const authenticated = await verify(reading, now, guessAt);
        if (authenticated === undefined) continue;
        for (const { attempt } of guessesByClient.values()) attempt.cancel();
        return authenticated;
      }
      for (const { clientId } of readings) guessAt(clientId).attempt.begin();
      throw new OAuthError('invalid_client', FAILED, failureReason(clients, readings, now));
    } finally {
      for (const { attempt } of guessesByClient.values()) attempt.fail();
    }
  }

  return {
    async authenticate(authorization, parameters, now, address) {
      const inBody = bodyCredentials(parameters);
      if (authorization === undefined) {
        if (inBody === undefined) throw oauthError({ rule: 'client-credentials-missing' });
        return verifyFirst([inBody], now, address);
      }
      const inHeader = basicCredentials(authorization);
      const readings =
        inBody === undefined ? inHeader : inHeader.filter((reading) => credentialsAgree(reading, inBody));
      if (readings.length === 0) {
        throw oauthError({
          rule: 'client-credentials-disagree',
          differs: inHeader.some(({ clientId }) => clientId === inBody?.clientId) ? 'client_secret' : 'client_id',
        });
      }
      return verifyFirst(readings, now, address);
    },
  };
}

/**
 * Found out after the same answer was settled for all of them. What is compared here is what was compared before, so that the
 * time of an answer goes on telling nothing.
 */
function failureReason(clients: ClientLookup, readings: readonly PresentedCredentials[], now: EpochSeconds): Refusal {
  const { clientId, secret } = readings.find((reading) => clients.find(reading.clientId) !== undefined) ??
    readings[0] ?? { clientId: '', secret: null };
  const client = clients.find(clientId);
  const previous = client?.previousSecret ?? null;
  const isPrevious = matches(previous?.secret ?? null, {
    hash: Buffer.from(hashCredential(secret ?? '')),
    provenHash: undefined,
  });
  if (client === undefined) {
    const isSwapped = secret !== null && clients.find(secret) !== undefined;
    return { rule: 'client-unknown', form: credentialForm(clientId), length: clientId.length, isSwapped };
  }
  if (secret === null) return { rule: 'client-secret-missing' };
  if (client.secret === null) return { rule: 'client-secret-unexpected' };
  if (client.secret.algorithm === 'unreadable') return { rule: 'client-key-missing' };
  if (previous !== null && isPrevious) {
    return { rule: 'client-secret-ended', secondsAgo: now < previous.until ? null : now - previous.until };
  }
  return { rule: 'client-secret-wrong', form: credentialForm(secret), hasOuterSpace: secret.trim() !== secret };
}

function authenticatePublic(client: Client | undefined): AuthenticatedClient | undefined {
  return client?.clientType === 'public' ? { client, previousSecretUsed: false } : undefined;
}

interface LiveSecrets {
  readonly current: KnownSecret | null;
  readonly previous: KnownSecret | null;
}

function liveSecrets(client: Client | undefined, now: EpochSeconds): LiveSecrets {
  if (client === undefined) return { current: null, previous: null };
  return { current: client.secret, previous: validPreviousSecret(client, now)?.secret ?? null };
}

/** At most one of the two is such a one: a client brings a secret along when it is registered, and every later one was made here. */
function userChosenHash({ current, previous }: LiveSecrets): string | undefined {
  return slowHash(current) ?? slowHash(previous);
}

function slowHash(secret: KnownSecret | null): string | undefined {
  if (secret === null || secret.algorithm === 'sha256' || secret.algorithm === 'unreadable') return undefined;
  return secret.algorithm === 'argon2id' ? secret.phc : secret.verifier;
}

/** As long as a hash and no hash of anything: stands in where there is none, so that the same work is done. */
const DUMMY_HASH = Buffer.from('!'.repeat(43));

function matches(
  secret: KnownSecret | null,
  presented: { readonly hash: Buffer; readonly provenHash: string | undefined },
): boolean {
  const isOurs = timingSafeEqual(
    secret?.algorithm === 'sha256' ? Buffer.from(secret.hash) : DUMMY_HASH,
    presented.hash,
  );
  return isOurs || (presented.provenHash !== undefined && slowHash(secret) === presented.provenHash);
}
