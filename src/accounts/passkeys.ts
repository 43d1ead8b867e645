import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Guess } from '../platform/limits/guess-limiter.ts';
import type { RateLimits } from '../platform/limits/rate-limits.ts';
import { MAX_LENGTH } from '../domain/lengths.ts';
import { MAX_DECOMPOSED_LENGTH, normalForm } from '../domain/normal-form.ts';
import { hasInvisibleCharacter } from '../domain/user-name.ts';
import type { UserCommand, UserEvent, UserRefusal, UserState } from '../domain/user.ts';
import type { PasskeyId } from '../domain/values.ts';
import type { CommandContext, CommandHandler } from '../event-store/command-handler.ts';
import type { Position } from '../event-store/event-log.ts';
import type { Once } from '../event-store/once.ts';
import type { Passkeys } from '../projections/passkeys.ts';
import type { User, Users } from '../projections/users.ts';
import type { AuthenticatedUser } from './authenticated-user.ts';
import { CHALLENGE_LIFETIME_SECONDS, type Challenges } from './challenges.ts';
import type { PasswordSender, TrustedBrowser } from './guarded-passwords.ts';
import type { KeepAnAdministrator } from './last-administrator.ts';
import type { Vault } from './personal-data.ts';
import { relyingPartyFor, type RelyingParty } from './relying-party.ts';
import { parseRegistration, parseAuthentication, toPasskeyData } from './webauthn-responses.ts';
import { message, type Message } from '../language/message.ts';

/**
 * Passkeys (WebAuthn level 3): discoverable credentials with user verification. Signature counters (§6.1.1) are not
 * stored. Synced passkeys have none, and each login would write one for little benefit.
 */
export interface PasskeyLogins {
  /**
   * Returns the relying party; undefined if browsers do not support passkeys for the server's host. The functions that
   * return options then throw, and `add`, `logIn` and `verifySecondStep` refuse.
   */
  relyingParty(): RelyingParty | undefined;
  /**
   * Returns the options for adding a passkey. Call this only for a user who has just entered the correct password or,
   * if the account has no password, has just logged in.
   * @param session a value that is unique to the browser's session
   */
  creationOptions(user: User, session: string): Promise<PublicKeyCredentialCreationOptionsJSON>;
  /** Adds a passkey. Returns the problem, as a message for the user, or undefined if it was added. */
  add(user: User, passkey: NewPasskey, context: CommandContext): Promise<Message | undefined>;
  /** Returns the options for a login with a passkey alone. */
  requestOptions(session: string): Promise<PublicKeyCredentialRequestOptionsJSON>;
  /**
   * Returns the active account whose passkey signed the challenge, or undefined if no passkey did. The result can start
   * one session, on any node.
   * @throws TooManyAttemptsError before anything is checked, or if the account has logged in too often
   */
  logIn(attempt: PasskeyAttempt): Promise<AuthenticatedUser | undefined>;
  /** Returns the options for the second step of this user's login. */
  secondStepOptions(user: User, session: string): Promise<PublicKeyCredentialRequestOptionsJSON>;
  /**
   * Returns the user's passkey that signed the challenge, and the id of the only session that it can start, on any
   * node. Returns undefined if none of the user's passkeys signed it.
   */
  verifySecondStep(
    user: User,
    responseJson: string,
    session: string,
    once: Once,
  ): Promise<{ readonly passkeyId: PasskeyId; readonly sessionId: string } | undefined>;
  /** @throws NoAdministratorLeft if no administrator would be able to log in after the passkey is removed */
  remove(user: User, passkeyId: PasskeyId, context: CommandContext): Promise<void>;
}

/** The form that adds a passkey. */
interface NewPasskey {
  readonly name: string;
  readonly responseJson: string;
  readonly session: string;
  /** Remembers results for the request, so that the challenge stays valid until the request ends. */
  readonly once: Once;
}

interface PasskeyAttempt extends PasswordSender {
  readonly responseJson: string;
  readonly session: string;
}

export interface PasskeyLoginDeps {
  readonly commands: CommandHandler<UserCommand, UserState, UserEvent, UserRefusal>;
  readonly users: Pick<Users, 'find'>;
  readonly passkeys: Pick<Passkeys, 'findByCredentialId' | 'listByUser'>;
  readonly vault: Pick<Vault, 'seal'>;
  readonly challenges: Challenges;
  readonly limits: Pick<RateLimits, 'passwords' | 'spend'>;
  /** The last log position that the projections include. */
  readonly position: () => Position;
  readonly issuer: () => string;
  readonly keepAnAdministrator: KeepAnAdministrator;
  /** The name that browsers show beside a passkey. */
  readonly settings: { readonly brandName: string };
}

/** EdDSA, ES256 and RS256 (RFC 9053, RFC 8812). Every common authenticator supports at least one of them. */
const ALGORITHMS = [-8, -7, -257];

const INVALID_NAME = message('passkeys.invalid-name', { limit: MAX_LENGTH.passkeyName });
const NOT_OFFERED = message('passkeys.not-offered');
const ALREADY_ADDED = message('passkeys.already-added');
const INVALID_RESPONSE = message('passkeys.invalid-response');

/** Loaded on first use, because loading it takes longer than the rest of startup. */
const loadWebAuthn = () => import('@simplewebauthn/server');

export function createPasskeyLogins(deps: PasskeyLoginDeps): PasskeyLogins {
  const { commands, users, passkeys, vault, challenges, limits, position, issuer, settings } = deps;
  const relyingParty = (): RelyingParty | undefined => relyingPartyFor(issuer());

  function requireRelyingParty(): RelyingParty {
    const party = relyingParty();
    if (party === undefined) throw new Error('passkeys are not available at this address');
    return party;
  }

  /** Returns the values that a response must match, and a function that derives an id from the response's challenge. */
  function expectationFor({ id, origin }: RelyingParty, binding: string, once: Once) {
    let challenge = '';
    const expectedChallenge = (candidate: string): boolean => {
      challenge = candidate;
      return once(['valid challenge', candidate, binding], () => challenges.isValid(candidate, binding));
    };
    const expected = { expectedChallenge, expectedOrigin: origin, expectedRPID: id, requireUserVerification: true };
    return { expected, deriveId: () => challenges.idFrom(challenge) };
  }

  async function verifyRegistration(
    response: RegistrationResponseJSON,
    party: RelyingParty,
    binding: string,
    once: Once,
  ) {
    const { expected, deriveId } = expectationFor(party, binding, once);
    const { verifyRegistrationResponse } = await loadWebAuthn();
    // An error means that the response is invalid.
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      supportedAlgorithmIDs: ALGORITHMS,
      ...expected,
    }).catch(() => ({ registrationInfo: undefined }));
    return registrationInfo && { ...registrationInfo.credential, passkeyId: deriveId() as PasskeyId };
  }

  /**
   * Returns the passkey that signed a challenge for `binding`, its user, and the id of the session that it can start.
   * Returns undefined if no passkey did, or if it was removed in the meantime.
   */
  async function verifyAssertion(response: AuthenticationResponseJSON, binding: string, once: Once) {
    const [party, passkey] = [relyingParty(), passkeys.findByCredentialId(response.id)];
    if (party === undefined || passkey === undefined) return undefined;
    if (response.response.userHandle !== passkey.userId) return undefined; // discoverable credentials identify users
    const { expected, deriveId } = expectationFor(party, binding, once);
    const publicKey = new Uint8Array(Buffer.from(passkey.publicKey, 'base64url'));
    const { verifyAuthenticationResponse } = await loadWebAuthn();
    const { verified } = await verifyAuthenticationResponse({
      response,
      credential: { id: passkey.credentialId, publicKey, counter: 0 },
      ...expected,
    }).catch(() => ({ verified: false }));
    const { passkeyId } = passkey;
    const isRemoved = passkeys.findByCredentialId(response.id)?.passkeyId !== passkeyId;
    return verified && !isRemoved ? { passkeyId, userId: passkey.userId, sessionId: deriveId() } : undefined;
  }

  async function verifyAuthentication(
    response: AuthenticationResponseJSON,
    session: string,
    once: Once,
  ): Promise<AuthenticatedUser | undefined> {
    const checkedAsOf = position();
    const assertion = await verifyAssertion(response, loginBinding(session), once);
    const user = assertion && users.find(assertion.userId);
    if (assertion === undefined || user?.active !== true) return undefined;
    const { passkeyId, sessionId } = assertion;
    return { user, check: { method: 'passkey', passkeyId, checkedAsOf }, sessionId };
  }

  function guessFor(credentialId: string, address: string, browser: TrustedBrowser | undefined): Guess {
    const subject = `passkey\0${credentialId}`; // user names contain no NUL
    const isProven = browser !== undefined && passkeys.findByCredentialId(credentialId)?.userId === browser.userId;
    return isProven ? { subject, source: `browser ${browser.browserId}`, isProven } : { subject, source: address };
  }

  return {
    relyingParty,

    async creationOptions(user, session) {
      const { generateRegistrationOptions } = await loadWebAuthn();
      return generateRegistrationOptions({
        rpName: settings.brandName,
        rpID: requireRelyingParty().id,
        userID: new Uint8Array(Buffer.from(user.userId, 'base64url')),
        userName: user.username,
        userDisplayName: user.username,
        challenge: challenges.issue(registrationBinding(user, session)),
        timeout: CHALLENGE_LIFETIME_SECONDS * 1000,
        attestationType: 'none',
        excludeCredentials: passkeys
          .listByUser(user.userId)
          .map(({ credentialId, transports }) => ({ id: credentialId, transports: [...transports] })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        supportedAlgorithmIDs: ALGORITHMS,
      });
    },

    async add(user, { name: enteredName, responseJson, session, once }, context) {
      if (enteredName.length > MAX_LENGTH.passkeyName * MAX_DECOMPOSED_LENGTH) return INVALID_NAME;
      const name = normalForm(enteredName, MAX_LENGTH.passkeyName).trim() || 'Passkey';
      if (name.length > MAX_LENGTH.passkeyName || hasInvisibleCharacter(name)) return INVALID_NAME;
      const party = relyingParty();
      if (party === undefined) return NOT_OFFERED;
      const response = await parseRegistration(responseJson);
      const credential =
        response && (await verifyRegistration(response, party, registrationBinding(user, session), once));
      const passkey = credential === undefined ? undefined : toPasskeyData(credential, name);
      if (credential === undefined || passkey === undefined || users.find(user.userId) === undefined)
        return INVALID_RESPONSE;
      if (passkeys.findByCredentialId(passkey.credentialId) !== undefined) return ALREADY_ADDED;
      const { userId, stream } = user;
      const { passkeyId } = credential;
      const command = { type: 'AddPasskey', userId, passkeyId, sealed: vault.seal(userId, { passkey }) } as const;
      const { refusal } = await commands.execute(stream, command, context);
      if (refusal === 'too-many-passkeys') return message('passkeys.too-many');
      if (refusal !== undefined) return INVALID_RESPONSE;
      if (passkeys.findByCredentialId(passkey.credentialId)?.passkeyId === passkeyId) return undefined;
      // Another account registered the same credential first, so this passkey could never log in.
      await commands.execute(stream, { type: 'RemovePasskey', userId, passkeyId }, { ...context, basedOn: [] });
      return ALREADY_ADDED;
    },

    async requestOptions(session) {
      const { generateAuthenticationOptions } = await loadWebAuthn();
      return generateAuthenticationOptions({
        rpID: requireRelyingParty().id,
        challenge: challenges.issue(loginBinding(session)),
        timeout: CHALLENGE_LIFETIME_SECONDS * 1000,
        userVerification: 'required',
      });
    },

    async secondStepOptions(user, session) {
      const { generateAuthenticationOptions } = await loadWebAuthn();
      return generateAuthenticationOptions({
        rpID: requireRelyingParty().id,
        challenge: challenges.issue(secondStepBinding(user, session)),
        timeout: CHALLENGE_LIFETIME_SECONDS * 1000,
        userVerification: 'required',
        allowCredentials: passkeys
          .listByUser(user.userId)
          .map(({ credentialId, transports }) => ({ id: credentialId, transports: [...transports] })),
      });
    },

    async verifySecondStep(user, responseJson, session, once) {
      const response = parseAuthentication(responseJson);
      const assertion = response && (await verifyAssertion(response, secondStepBinding(user, session), once));
      return assertion?.userId === user.userId ? assertion : undefined;
    },

    async logIn({ responseJson, session, address, browser, once }) {
      const response = parseAuthentication(responseJson);
      const attempt = limits.passwords.attempt(guessFor(response?.id ?? '', address, browser));
      attempt.begin();
      try {
        const authenticated = response === undefined ? undefined : await verifyAuthentication(response, session, once);
        if (authenticated === undefined) return undefined;
        attempt.succeed();
        limits.spend('log-in-by-account', authenticated.user.userId, once);
        return authenticated;
      } finally {
        attempt.fail(); // no effect after `succeed()`
      }
    },

    async remove(user, passkeyId, context) {
      const { userId, stream } = user;
      const guardedContext = deps.keepAnAdministrator({ affects: 'passkey', account: user, passkeyId }, context);
      await commands.execute(stream, { type: 'RemovePasskey', userId, passkeyId }, guardedContext);
    },
  };
}

function loginBinding(session: string): string {
  return JSON.stringify(['log in', session]);
}

function secondStepBinding({ userId }: User, session: string): string {
  return JSON.stringify(['second step', userId, session]);
}

function registrationBinding({ userId }: User, session: string): string {
  return JSON.stringify(['add', userId, session]);
}
