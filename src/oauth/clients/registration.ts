import {
  isSameSecret,
  type ClientCommand,
  type ClientEvent,
  type ClientRefusal,
  type ClientSettings,
  type ClientState,
} from '../../domain/client.ts';
import { usesSecret } from '../../domain/client-authentication.ts';
import type { LogoImage } from '../../domain/logo.ts';
import type { RecordableSecret } from '../../domain/events.ts';
import { clientStream } from '../../domain/streams.ts';
import type { ClientId, EpochSeconds, UserId } from '../../domain/values.ts';
import type { CommandContext, CommandHandler } from '../../event-store/command-handler.ts';
import { outgoingUrlProblem, type OutgoingUrlSettings } from '../../platform/egress/outgoing-url.ts';
import { callerFromActor } from '../../platform/hashing/hash-caller.ts';
import { KeyStillStoredError } from '../../platform/keys/key-removal.ts';
import type { PasswordHashing } from '../../platform/hashing/password-hashing.ts';
import type { Clock, Entropy } from '../../platform/ports.ts';
import { mintClientSecret } from '../credentials/credentials.ts';
import { builtinCallbackUri } from './builtin-callback.ts';
import { withoutDefaults } from './fapi2-rules.ts';
import type { SectorDocuments } from '../openid/sector-documents.ts';
import {
  importCredentials,
  mintCredentials,
  type CredentialSource,
  type NewCredentials,
  type RegisteredCredentials,
} from './new-credentials.ts';
import {
  forbiddenRedirectUris,
  alreadyCheckedUris,
  type ForbiddenRedirectUri,
  type RedirectUriSettings,
} from './redirect-uris.ts';
import { validateRegistration, type RegistrationErrors, type RegistrationFields } from './registration-rules.ts';
import type { SecretVault } from './secret-vault.ts';
import { message } from '../../language/message.ts';

export type RegistrationRefusal = { readonly errors: RegistrationErrors } | { readonly refusal: ClientRefusal };

/** Registers and manages clients (RFC 6749 §2). The caller must check who owns the client. */
export interface Registration {
  /**
   * Registers a client.
   * @param ownerId null for a client that no user owns
   */
  register(
    fields: RegistrationFields,
    ownerId: UserId | null,
    context: CommandContext,
    credentials?: CredentialSource,
  ): Promise<RegisteredCredentials | RegistrationRefusal>;
  /**
   * Returns the problems that `register` would report, or undefined if it would report none. Does not check the key
   * set URL or the sector document.
   */
  problems(fields: RegistrationFields): RegistrationErrors | undefined;
  /** Returns the client's redirect and post-logout redirect URIs that the current settings do not allow. */
  forbiddenRedirectUris(
    client: Pick<ClientSettings, 'clientType' | 'redirectUris' | 'openid'>,
  ): readonly ForbiddenRedirectUri[];
  /** Reports whether a client has or had this id. */
  isTaken(clientId: ClientId): Promise<boolean>;
  /**
   * Replaces the client's settings. URIs that the client already has are not checked again unless the client type
   * changes. A URI that the server's settings no longer allow cannot be used anyway, and must not block other changes,
   * such as the withdrawal of a scope.
   * @returns the refusal; undefined if the settings were replaced
   */
  update(
    clientId: ClientId,
    fields: RegistrationFields,
    context: CommandContext,
  ): Promise<RegistrationRefusal | undefined>;
  /**
   * Changes the logo that users see; null removes it.
   * @returns whether the client exists
   */
  changeLogo(clientId: ClientId, image: LogoImage | null, context: CommandContext): Promise<boolean>;
  /**
   * Replaces the client's secret. The previous secret stays valid for `overlapSeconds`; an older one becomes invalid
   * immediately.
   * @param overlapSeconds 0 to `MAX_OVERLAP_SECONDS`
   * @param source the entropy for the secret. If it yields the current secret again, nothing is rotated
   * @returns the new secret; undefined if there is no such client
   * @throws RangeError if the overlap is out of range
   */
  rotateSecret(
    clientId: ClientId,
    context: CommandContext,
    overlapSeconds?: number,
    source?: Entropy,
  ): Promise<string | undefined>;
  /**
   * Disables or enables the client. A disabled client gets no tokens, and its existing tokens are refused.
   * @returns whether the client exists
   */
  setDisabled(clientId: ClientId, isDisabled: boolean, context: CommandContext): Promise<boolean>;
  /**
   * Removes the client and all its tokens with one event, then destroys the key that encrypts its data in the log.
   * @throws KeyStillStoredError if the client is removed, but its key cannot be destroyed until the disk is writable
   */
  remove(clientId: ClientId, context: CommandContext): Promise<void>;
}

/** Thirty days. A longer overlap would defeat the purpose of a rotation. */
export const MAX_OVERLAP_SECONDS = 2_592_000;

export function createRegistration(deps: {
  readonly clients: CommandHandler<ClientCommand, ClientState, ClientEvent, ClientRefusal>;
  readonly entropy: Entropy;
  readonly hashing: PasswordHashing;
  readonly vault: Pick<SecretVault, 'seal' | 'destroy'>;
  readonly clock: Clock;
  readonly registeredClients: {
    find(
      clientId: ClientId,
    ): Pick<ClientSettings, 'clientType' | 'redirectUris' | 'openid' | 'authentication' | 'security'> | undefined;
  };
  readonly sectorDocuments: SectorDocuments;
  readonly issuer: () => string;
  readonly settings: RedirectUriSettings & OutgoingUrlSettings;
}): Registration {
  const { clients, entropy, hashing, vault, clock, registeredClients, sectorDocuments, issuer, settings } = deps;

  /**
   * Returns the problem with the URL of the key set, or undefined if it is valid. The key set is read when the client
   * first uses one of its keys, so it may be published later.
   */
  function keysUriErrors({ authentication: { keysUri } }: ClientSettings): RegistrationErrors | undefined {
    const problem = keysUri === null ? undefined : outgoingUrlProblem(keysUri, settings);
    return problem === undefined ? undefined : { authentication: message('jwk.address', { problem }) };
  }

  /**
   * Returns the problem with the sector document, or undefined if it is valid or has already been checked for these
   * redirect URIs.
   */
  async function sectorErrors(
    { openid, redirectUris }: Pick<ClientSettings, 'openid' | 'redirectUris'>,
    { actor }: CommandContext,
    existingClient?: Pick<ClientSettings, 'openid' | 'redirectUris'>,
  ): Promise<RegistrationErrors | undefined> {
    const uri = openid.sectorIdentifierUri;
    const isSameUri = existingClient?.openid.sectorIdentifierUri === uri;
    if (
      uri === null ||
      (isSameUri && redirectUris.every((redirectUri) => existingClient.redirectUris.includes(redirectUri)))
    )
      return undefined;
    const developer = actor.kind === 'user' ? (actor.id as UserId) : null;
    const problem = await sectorDocuments.problem(uri, redirectUris, developer);
    return problem === undefined ? undefined : { sectorIdentifierUri: problem };
  }

  function withBuiltinCallback(fields: RegistrationFields, clientId: string): RegistrationFields {
    if (fields.builtinCallback !== true) return fields;
    return { ...fields, redirectUris: [...fields.redirectUris, builtinCallbackUri(issuer(), clientId)] };
  }

  async function isTaken(clientId: ClientId): Promise<boolean> {
    return (await clients.state(clientStream(clientId))).status !== 'absent';
  }

  /**
   * Returns the hash to record, or null if there is no secret. The hash of an imported secret is encrypted, because the
   * secret may be weak enough to be guessed.
   */
  async function recordableSecret({
    clientId,
    mintedHash,
    importedHash,
  }: NewCredentials): Promise<RecordableSecret | null> {
    return importedHash === null ? mintedHash : vault.seal(clientId, 'ClientRegistered', importedHash);
  }

  return {
    async register(fields, ownerId, context, source = { entropy }) {
      const initialCredentials = 'entropy' in source ? mintCredentials(hasSecret(fields), source.entropy) : source;
      const result = validateRegistration(withBuiltinCallback(fields, initialCredentials.clientId), settings);
      if ('errors' in result) return result;
      const errors = keysUriErrors(result) ?? (await sectorErrors(result, context));
      if (errors !== undefined) return { errors };
      const isGenerated = 'mintedHash' in initialCredentials;
      const hasher = hashing.hasherFor(callerFromActor(context.actor));
      const credentials = isGenerated ? initialCredentials : await importCredentials(initialCredentials, hasher);
      const { clientId, clientSecret, mintedHash } = credentials;
      if (!isGenerated && (await isTaken(clientId))) return { refusal: 'client-id-taken' }; // before a key is created
      const secret = await recordableSecret(credentials);
      const registration = { clientId, ownerId, secret, ...result };
      const command = { type: 'RegisterClient', registration } as const;
      const { refusal, state } = await clients.execute(clientStream(clientId), command, context);
      if (refusal === undefined) return { clientId, clientSecret };
      if (!isGenerated || state.status !== 'registered') return { refusal };
      return { clientId, clientSecret: isSameSecret(state.secret, mintedHash) ? clientSecret : null };
    },

    problems(fields) {
      const result = validateRegistration(withBuiltinCallback(fields, 'CLIENT_ID'), settings);
      return 'errors' in result ? result.errors : undefined;
    },

    forbiddenRedirectUris({ clientType, redirectUris, openid }) {
      const uris = [...new Set([...redirectUris, ...openid.postLogoutRedirectUris])];
      return forbiddenRedirectUris({ clientType, redirectUris: uris }, settings);
    },

    isTaken,

    async update(clientId, fields, context) {
      const existingClient = registeredClients.find(clientId);
      const authentication = authenticationAfterUpdate(fields, existingClient);
      const addsProfile = existingClient?.security.profile === null && (fields.security?.profile ?? null) !== null;
      const newFields = addsProfile ? withoutDefaults(fields) : fields;
      const newRegistration = { ...withBuiltinCallback(newFields, clientId), authentication };
      const result = validateRegistration(newRegistration, settings, alreadyCheckedUris(existingClient, fields));
      if ('errors' in result) return result;
      const isSameUri = result.authentication.keysUri === existingClient?.authentication.keysUri;
      const errors =
        (isSameUri ? undefined : keysUriErrors(result)) ?? (await sectorErrors(result, context, existingClient));
      if (errors !== undefined) return { errors };
      const { refusal } = await clients.execute(
        clientStream(clientId),
        { type: 'UpdateClient', settings: result },
        context,
      );
      return refusal === undefined ? undefined : { refusal };
    },

    async changeLogo(clientId, image, context) {
      const command = { type: 'ChangeClientLogo', image } as const;
      const { refusal } = await clients.execute(clientStream(clientId), command, context);
      return refusal === undefined;
    },

    async rotateSecret(clientId, context, overlapSeconds = 0, source = entropy) {
      const now = Math.floor(clock.now() / 1000) as EpochSeconds;
      const previousUntil = previousSecretExpiry(overlapSeconds, now);
      const { value, hash } = mintClientSecret(source);
      const secret = { algorithm: 'sha256', hash } as const;
      const command = { type: 'RotateClientSecret', secret, now, previousUntil } as const;
      const { refusal } = await clients.execute(clientStream(clientId), command, context);
      return refusal === undefined ? value : undefined;
    },

    async setDisabled(clientId, isDisabled, context) {
      const command = { type: isDisabled ? 'DisableClient' : 'EnableClient' } as const;
      const { refusal } = await clients.execute(clientStream(clientId), command, context);
      return refusal === undefined;
    },

    async remove(clientId, context) {
      const { refusal } = await clients.execute(clientStream(clientId), { type: 'RemoveClient' }, context);
      if (refusal !== undefined) return; // an ongoing registration may need the key
      if (!(await vault.destroy(clientId))) throw new KeyStillStoredError('application');
    },
  };
}

/**
 * Returns the authentication after an update, or undefined if it is the default. A change to the client type resets the
 * authentication to its default, unless the update changes the authentication as well.
 */
function authenticationAfterUpdate(
  { clientType, authentication }: RegistrationFields,
  existingClient: Pick<ClientSettings, 'clientType' | 'authentication'> | undefined,
): RegistrationFields['authentication'] {
  const isKept = authentication === existingClient?.authentication;
  return isKept && clientType !== existingClient?.clientType ? undefined : authentication;
}

/** Reports whether a client with these fields, which are not validated yet, authenticates with a secret. */
function hasSecret({ clientType, authentication }: RegistrationFields): boolean {
  return authentication === undefined ? clientType !== 'public' : usesSecret(authentication);
}

function previousSecretExpiry(overlapSeconds: number, now: EpochSeconds): EpochSeconds | null {
  if (overlapSeconds < 0 || overlapSeconds > MAX_OVERLAP_SECONDS) {
    throw new RangeError(`expected an overlap of 0 to ${MAX_OVERLAP_SECONDS} seconds, got ${overlapSeconds}`);
  }
  return overlapSeconds === 0 ? null : ((now + overlapSeconds) as EpochSeconds);
}
