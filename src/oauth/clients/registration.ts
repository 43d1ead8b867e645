import {
  isSameSecret,
  type ClientCommand,
  type ClientEvent,
  type ClientRefusal,
  type ClientSettings,
  type ClientState,
} from '../../domain/client.ts';
import type { RecordableSecret } from '../../domain/events.ts';
import { MAX_LENGTH } from '../../domain/lengths.ts';
import { clientStream } from '../../domain/streams.ts';
import {
  ACCESS_TOKEN_FORMATS,
  CLIENT_TYPES,
  REGISTERED_GRANTS,
  RESTRICTED_SCOPES,
  type ClientId,
  type EpochSeconds,
  type UserId,
} from '../../domain/values.ts';
import type { CommandContext, CommandHandler } from '../../event-store/command-handler.ts';
import { callerFromActor } from '../../platform/hashing/hash-caller.ts';
import { KeyStillStored } from '../../platform/keys/key-removal.ts';
import type { PasswordHashing } from '../../platform/hashing/password-hashing.ts';
import type { Clock, Entropy } from '../../platform/ports.ts';
import { applicationNameProblem } from './application-name.ts';
import { mintClientSecret } from '../credentials/credentials.ts';
import {
  importCredentials,
  mintCredentials,
  type CredentialSource,
  type NewCredentials,
  type RegisteredCredentials,
} from './new-credentials.ts';
import { isOrigin } from '../endpoints/origin.ts';
import {
  forbiddenRedirectUris,
  unchangedRedirectUris,
  redirectUriProblem,
  type ForbiddenRedirectUri,
  type RedirectUriSettings,
} from './redirect-uris.ts';
import type { SecretVault } from './secret-vault.ts';

/** What a registrant fills in, before anybody looked at it. */
export interface RegistrationFields {
  readonly name: string;
  readonly clientType: string;
  readonly grantTypes: readonly string[];
  readonly redirectUris: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly skipAuthorization: boolean;
  /** The operator's to give, not the registrant's; none when it is missing. */
  readonly restrictedScopes?: readonly string[] | undefined;
  /** Opaque when it is missing. */
  readonly accessTokenFormat?: string | undefined;
}

export type RegistrationErrors = Partial<Record<keyof RegistrationFields, string>>;

export type RegistrationRefusal = { readonly errors: RegistrationErrors } | { readonly refusal: ClientRefusal };

/** Registers and manages client applications (RFC 6749 §2). Whose they are is the caller's check. */
export interface Registration {
  register(
    fields: RegistrationFields,
    owner: UserId | null,
    context: CommandContext,
    credentials?: CredentialSource,
  ): Promise<RegisteredCredentials | RegistrationRefusal>;
  /** What `register` would find wrong with `fields`. */
  problems(fields: RegistrationFields): RegistrationErrors | undefined;
  /** The redirect URIs of the client that the settings in force do not allow. */
  forbiddenRedirectUris(client: Pick<ClientSettings, 'clientType' | 'redirectUris'>): readonly ForbiddenRedirectUri[];
  /** Whether a client has or had the id. */
  isTaken(clientId: ClientId): Promise<boolean>;
  /**
   * Redirect URIs that the client already has are not checked again unless the client type changes. One that the
   * settings forbid by now cannot be used anyway, and must not block other changes, such as taking a scope away.
   */
  update(
    clientId: ClientId,
    fields: RegistrationFields,
    context: CommandContext,
  ): Promise<RegistrationRefusal | undefined>;
  /**
   * The new secret; undefined when there is no such client. When this resolves every older one is dead, except the
   * one before it for `overlapSeconds` more: so that whoever uses it can change over meanwhile.
   * @param overlapSeconds 0 to `MAX_OVERLAP_SECONDS`
   * @param from draws the secret. The same bytes as for the present secret rotate nothing and return that secret again
   * @throws RangeError it is not
   */
  rotateSecret(
    clientId: ClientId,
    context: CommandContext,
    overlapSeconds?: number,
    from?: Entropy,
  ): Promise<string | undefined>;
  /**
   * Ends the client and with the same event all its tokens; then destroys the key of its secret's hash.
   * @throws KeyStillStored the client is removed, and its key will be destroyed once the disk can be written
   */
  remove(clientId: ClientId, context: CommandContext): Promise<void>;
}

/** Thirty days: an old secret that lives longer is not being replaced. */
export const MAX_OVERLAP_SECONDS = 2_592_000;

const MAX_ENTRIES = 50;

export function createRegistration(parts: {
  readonly clients: CommandHandler<ClientCommand, ClientState, ClientEvent, ClientRefusal>;
  readonly entropy: Entropy;
  readonly hashing: PasswordHashing;
  readonly vault: Pick<SecretVault, 'seal' | 'destroy'>;
  readonly clock: Clock;
  readonly registered: { find(clientId: ClientId): Pick<ClientSettings, 'clientType' | 'redirectUris'> | undefined };
  readonly settings: RedirectUriSettings;
}): Registration {
  const { clients, entropy, hashing, vault, clock, registered, settings } = parts;

  async function isTaken(clientId: ClientId): Promise<boolean> {
    return (await clients.state(clientStream(clientId))).status !== 'absent';
  }

  /** The hash of a secret from elsewhere goes under a seal: the secret may be weak enough to be guessed. */
  function recordable({ clientId, minted, imported }: NewCredentials): RecordableSecret | null {
    return imported === null ? minted : vault.seal(clientId, 'ClientRegistered', imported);
  }

  return {
    async register(fields, ownerId, context, source = { drawnFrom: entropy }) {
      const checked = validateRegistration(fields, settings);
      if ('errors' in checked) return checked;
      const isDrawn = 'drawnFrom' in source;
      const credentials = isDrawn
        ? mintCredentials(checked, source.drawnFrom)
        : await importCredentials(source, hashing.hasherFor(callerFromActor(context.actor)));
      const { clientId, clientSecret, minted } = credentials;
      if (!isDrawn && (await isTaken(clientId))) return { refusal: 'client-id-taken' }; // needs no key
      const secret = recordable(credentials);
      const registration = { clientId, ownerId, secret, ...checked };
      const command = { type: 'RegisterClient', registration } as const;
      const { refusal, state } = await clients.execute(clientStream(clientId), command, context);
      if (refusal === undefined) return { clientId, clientSecret };
      if (!isDrawn || state.status !== 'registered') return { refusal };
      return { clientId, clientSecret: isSameSecret(state.secret, minted) ? clientSecret : null };
    },

    problems(fields) {
      const checked = validateRegistration(fields, settings);
      return 'errors' in checked ? checked.errors : undefined;
    },

    forbiddenRedirectUris: (client) => forbiddenRedirectUris(client, settings),

    isTaken,

    async update(clientId, fields, context) {
      const checked = validateRegistration(fields, settings, unchangedRedirectUris(registered.find(clientId), fields));
      if ('errors' in checked) return checked;
      const { refusal } = await clients.execute(
        clientStream(clientId),
        { type: 'UpdateClient', settings: checked },
        context,
      );
      return refusal === undefined ? undefined : { refusal };
    },

    async rotateSecret(clientId, context, overlapSeconds = 0, from = entropy) {
      const now = Math.floor(clock.now() / 1000) as EpochSeconds;
      const previousUntil = previousSecretExpiry(overlapSeconds, now);
      const { value, hash } = mintClientSecret(from);
      const secret = { algorithm: 'sha256', hash } as const;
      const command = { type: 'RotateClientSecret', secret, now, previousUntil } as const;
      const { refusal } = await clients.execute(clientStream(clientId), command, context);
      return refusal === undefined ? value : undefined;
    },

    async remove(clientId, context) {
      const { refusal } = await clients.execute(clientStream(clientId), { type: 'RemoveClient' }, context);
      if (refusal !== undefined) return; // it may be about to be registered
      if (!vault.destroy(clientId)) throw new KeyStillStored('application');
    },
  };
}

function previousSecretExpiry(overlapSeconds: number, now: EpochSeconds): EpochSeconds | null {
  if (overlapSeconds < 0 || overlapSeconds > MAX_OVERLAP_SECONDS) {
    throw new RangeError(`an overlap of ${overlapSeconds} seconds`);
  }
  return overlapSeconds === 0 ? null : ((now + overlapSeconds) as EpochSeconds);
}

/** What `fields` come to, or for each wrong field what to do about it. @param kept redirect URIs that it has */
export function validateRegistration(
  fields: RegistrationFields,
  settings: RedirectUriSettings,
  kept: readonly string[] = [],
): ClientSettings | { readonly errors: RegistrationErrors } {
  const name = fields.name.trim();
  const clientType = CLIENT_TYPES.find((type) => type === fields.clientType);
  const grantTypes = REGISTERED_GRANTS.filter((grant) => fields.grantTypes.includes(grant));
  const redirectUris = [...new Set(fields.redirectUris)];
  const allowedOrigins = [...new Set(fields.allowedOrigins)];
  const restrictedScopes = RESTRICTED_SCOPES.filter((restricted) => fields.restrictedScopes?.includes(restricted));
  const accessTokenFormat = ACCESS_TOKEN_FORMATS.find((format) => format === (fields.accessTokenFormat ?? 'opaque'));
  const problems: { readonly [Field in keyof RegistrationFields]?: string | undefined } = {
    name: applicationNameProblem(fields.name),
    clientType: clientType === undefined ? `Choose one of: ${CLIENT_TYPES.join(', ')}.` : undefined,
    grantTypes: grantTypesProblem(fields, grantTypes.length),
    redirectUris: redirectUrisProblem(redirectUris, fields, settings, kept),
    allowedOrigins: allowedOriginsProblem(allowedOrigins),
    accessTokenFormat:
      accessTokenFormat === undefined ? `Choose one of: ${ACCESS_TOKEN_FORMATS.join(', ')}.` : undefined,
  };
  const errors = Object.fromEntries(
    Object.entries(problems).filter(([, problem]) => problem !== undefined),
  ) as RegistrationErrors;
  if (clientType === undefined || accessTokenFormat === undefined || Object.keys(errors).length > 0) return { errors };
  return {
    name,
    clientType,
    grantTypes,
    redirectUris,
    allowedOrigins,
    skipAuthorization: fields.skipAuthorization,
    restrictedScopes,
    accessTokenFormat,
  };
}

function grantTypesProblem({ grantTypes, clientType }: RegistrationFields, known: number): string | undefined {
  if (known === 0 || known !== new Set(grantTypes).size)
    return `Choose one or more of: ${REGISTERED_GRANTS.join(', ')}.`;
  return clientType === 'public' && grantTypes.includes('client-credentials')
    ? 'Client credentials need a confidential client: a public one has no secret to prove itself with.'
    : undefined;
}

function redirectUrisProblem(
  uris: readonly string[],
  fields: RegistrationFields,
  settings: RedirectUriSettings,
  kept: readonly string[],
): string | undefined {
  if (uris.length === 0) {
    return fields.grantTypes.includes('authorization-code')
      ? 'The authorization code grant needs at least one redirect URI.'
      : undefined;
  }
  if (uris.length > MAX_ENTRIES) return `Register at most ${MAX_ENTRIES} redirect URIs.`;
  if (uris.join('').length > MAX_LENGTH.uris) {
    return `Use at most ${MAX_LENGTH.uris} characters for all redirect URIs together.`;
  }
  const clientType = fields.clientType === 'public' ? 'public' : 'confidential';
  for (const uri of uris.filter((each) => !kept.includes(each))) {
    const problem = redirectUriProblem(uri, clientType, settings);
    if (problem !== undefined) return `${uri} ${problem}.`;
  }
  return undefined;
}

function allowedOriginsProblem(origins: readonly string[]): string | undefined {
  if (origins.length > MAX_ENTRIES) return `Register at most ${MAX_ENTRIES} origins.`;
  if (origins.join('').length > MAX_LENGTH.uris) {
    return `Use at most ${MAX_LENGTH.uris} characters for all origins together.`;
  }
  const wrong = origins.find((origin) => !isOrigin(origin));
  return wrong === undefined ? undefined : `${wrong} is not an origin such as https://app.example.com.`;
}
