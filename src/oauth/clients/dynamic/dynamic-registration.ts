import type { ClientCommand, ClientEvent, ClientRefusal, ClientSettings, ClientState } from '../../../domain/client.ts';
import type { SelfRegistered } from '../../../domain/events.ts';
import { observedClient, clientStream } from '../../../domain/streams.ts';
import type { ClientId, EpochSeconds, RegisteredGrant } from '../../../domain/values.ts';
import type { CommandContext, CommandHandler, RequestMetadata } from '../../../event-store/command-handler.ts';
import type { Entropy } from '../../../platform/ports.ts';
import type { Client, Clients } from '../../../projections/clients.ts';
import { mintClientId } from '../../credentials/credentials.ts';
import { oauthError, type OAuthError } from '../../endpoints/errors.ts';
import type { ClientUris, RedirectUriSettings } from '../redirect-uris.ts';
import type { Registration } from '../registration.ts';
import { validateRegistration, type RegistrationErrors, type RegistrationFields } from '../registration-rules.ts';
import { clientMetadata, readClientMetadata, type ClientMetadata } from './client-metadata.ts';
import type { DerivedCredentials } from './derived-credentials.ts';
import { MAX_SEALED_ID_LENGTH, type SealedRegistrations } from './sealed-registrations.ts';
import { unrecordedClient, type UnrecordedClient } from './self-registered-client.ts';
import type { SoftwareStatements } from './software-statements.ts';
import type { Text } from '../../../language/message.ts';
import { sanitizeText } from '../../refusals/sanitize.ts';

/** A response from the registration endpoints (RFC 7591 §3.2.1, RFC 7592 §3). */
export type RegistrationResponse = Readonly<Record<string, unknown>>;

/** Lets clients register themselves (RFC 7591) and manage their registrations (RFC 7592). */
export interface DynamicRegistration {
  /**
   * Registers a client. Its id contains the registration; nothing is stored.
   * @throws OAuthError if the metadata or the software statement is refused, or the registration is too long for an id
   */
  register(metadata: ClientMetadata, now: EpochSeconds): Promise<RegistrationResponse>;
  /**
   * Registers a client and records the registration immediately, for a caller with an initial access token.
   * @throws OAuthError if the metadata or the software statement is refused
   */
  registerRecorded(metadata: ClientMetadata, context: CommandContext, now: EpochSeconds): Promise<RegistrationResponse>;
  /**
   * Returns the client whose registration is in the id, or undefined if the id contains no registration that is still
   * valid, the client has been removed, or the settings do not allow such clients.
   */
  find(clientId: string, now: number): UnrecordedClient | undefined;
  /**
   * Returns the client's registration.
   * @throws OAuthError if the token is not the registration access token of this client
   */
  read(clientId: string, token: string | undefined, now: number): RegistrationResponse;
  /**
   * Replaces the metadata and returns the new registration.
   * @throws OAuthError if the token is not the registration access token of this client, the client is not recorded
   * yet, or the metadata or the software statement is refused
   */
  update(
    clientId: string,
    token: string | undefined,
    metadata: ClientMetadata,
    request: RequestMetadata,
    now: EpochSeconds,
  ): Promise<RegistrationResponse>;
  /**
   * Removes the client and all its tokens.
   * @throws OAuthError if the token is not the registration access token of this client, or the client is not recorded
   * yet
   */
  remove(clientId: string, token: string | undefined, request: RequestMetadata, now: number): Promise<void>;
}

/** The grant types that anyone can register for. Codes are safe, because they require a user's consent. */
const OPEN_GRANTS: readonly RegisteredGrant[] = ['authorization-code'];
/** The grant types that a caller with an initial access token can register for. */
const RECORDED_GRANTS: readonly RegisteredGrant[] = ['authorization-code', 'client-credentials', 'device-code'];

export function createDynamicRegistration(deps: {
  readonly clients: Pick<Clients, 'find' | 'wasRemoved'>;
  readonly commands: Pick<CommandHandler<ClientCommand, ClientState, ClientEvent, ClientRefusal>, 'execute'>;
  readonly registration: Pick<Registration, 'update' | 'remove'>;
  readonly sealedRegistrations: SealedRegistrations;
  readonly derivedCredentials: DerivedCredentials;
  readonly softwareStatements: SoftwareStatements;
  readonly entropy: Entropy;
  readonly issuer: () => string;
  readonly settings: RedirectUriSettings & { readonly dynamicRegistration: 'off' | 'token' | 'open' };
}): DynamicRegistration {
  const {
    clients,
    commands,
    registration,
    sealedRegistrations,
    derivedCredentials,
    softwareStatements,
    entropy,
    issuer,
    settings,
  } = deps;

  /**
   * Returns the validated registration that a client requests.
   * @throws OAuthError if the registration is refused
   */
  async function readRegistration(
    originalMetadata: ClientMetadata,
    allowedGrants: readonly RegisteredGrant[],
    now: EpochSeconds,
  ) {
    const { metadata, statementIssuer } = await softwareStatements.apply(originalMetadata, now);
    const { fields, software } = await readClientMetadata(metadata, allowedGrants);
    const clientSettings = validateRegistration(fields, settings);
    if ('errors' in clientSettings) throw refusedMetadata(clientSettings.errors);
    const selfRegistered: SelfRegistered = {
      registeredAt: now,
      ...software,
      ...(statementIssuer !== undefined && { statementIssuer }),
    };
    return { fields, clientSettings, selfRegistered };
  }

  const toUnrecordedClient = (
    clientId: ClientId,
    clientSettings: ClientSettings,
    selfRegistered: SelfRegistered,
  ): UnrecordedClient =>
    unrecordedClient(clientId, clientSettings, selfRegistered, derivedCredentials.deriveSecret(clientId).hash);

  function toResponse(client: Client): RegistrationResponse {
    const { clientId, secret } = client;
    const isDerived = secret?.algorithm === 'sha256' && secret.hash === derivedCredentials.deriveSecret(clientId).hash;
    return {
      client_id: clientId,
      client_id_issued_at: client.selfRegistered?.registeredAt ?? client.registeredAt,
      ...(isDerived && { client_secret: derivedCredentials.deriveSecret(clientId).value, client_secret_expires_at: 0 }),
      registration_access_token: derivedCredentials.deriveRegistrationToken(clientId),
      registration_client_uri: `${issuer()}/o/register/${clientId}/`,
      ...clientMetadata(client),
    };
  }

  function find(clientId: string, now: number): UnrecordedClient | undefined {
    if (settings.dynamicRegistration !== 'open' || clients.wasRemoved(clientId)) return undefined;
    const sealedRegistration = sealedRegistrations.open(clientId, now);
    if (sealedRegistration === undefined) return undefined;
    const { fields, selfRegistered } = sealedRegistration;
    const clientSettings = validateRegistration(fields, settings, exemptUris(fields));
    return 'errors' in clientSettings
      ? undefined
      : toUnrecordedClient(clientId as ClientId, clientSettings, selfRegistered);
  }

  /** Returns the client that authenticates with its registration access token. */
  function requireClient(clientId: string, token: string | undefined, now: number): Client | UnrecordedClient {
    if (token === undefined) throw oauthError({ rule: 'registration-token-missing' });
    const recordedClient = clients.find(clientId);
    const client = recordedClient ?? find(clientId, now);
    const isValidToken = derivedCredentials.isRegistrationToken(token, clientId);
    if (!isValidToken || client?.selfRegistered === undefined) throw oauthError({ rule: 'registration-token-wrong' });
    return client;
  }

  return {
    async register(metadata, now) {
      const { fields, clientSettings, selfRegistered } = await readRegistration(metadata, OPEN_GRANTS, now);
      const clientId = sealedRegistrations.seal({ fields, selfRegistered });
      if (clientId === undefined) throw oauthError({ rule: 'registration-too-long', most: MAX_SEALED_ID_LENGTH });
      return toResponse(toUnrecordedClient(clientId, clientSettings, selfRegistered));
    },

    async registerRecorded(metadata, context, now) {
      const { clientSettings, selfRegistered } = await readRegistration(metadata, RECORDED_GRANTS, now);
      const client = toUnrecordedClient(mintClientId(entropy) as ClientId, clientSettings, selfRegistered);
      await commands.execute(clientStream(client.clientId), client.recordingCommand, context);
      return toResponse(client);
    },

    find,

    read: (clientId, token, now) => toResponse(requireClient(clientId, token, now)),

    async update(clientId, token, metadata, request, now) {
      const client = requireClient(clientId, token, now);
      requireRecorded(client);
      requireSameCredentials(metadata, client, derivedCredentials);
      const { metadata: mergedMetadata, statementIssuer } = await softwareStatements.apply(metadata, now);
      // Otherwise, a client could omit the statement and replace metadata that the issuer has signed.
      if (statementIssuer !== client.selfRegistered?.statementIssuer)
        throw refusedMember(
          'software_statement',
          'software_statement must be from the same issuer as at registration, or be left out if it was left out then',
        );
      const { fields } = await readClientMetadata(mergedMetadata, allowedGrantTypes(client));
      if (fields.authentication?.methods[0] !== client.authentication.methods[0])
        throw refusedMember('token_endpoint_auth_method', 'token_endpoint_auth_method cannot be changed');
      const refusal = await registration.update(
        client.clientId,
        { ...fields, ...keptSettings(client, fields) },
        commandContext(client, request),
      );
      if (refusal !== undefined && 'errors' in refusal) throw refusedMetadata(refusal.errors);
      const updatedClient = clients.find(clientId);
      if (refusal !== undefined || updatedClient === undefined) throw oauthError({ rule: 'registration-token-wrong' });
      return toResponse(updatedClient);
    },

    async remove(clientId, token, request, now) {
      const client = requireClient(clientId, token, now);
      requireRecorded(client);
      await registration.remove(client.clientId, commandContext(client, request));
    },
  };
}

function requireRecorded(client: Client | UnrecordedClient): void {
  if ('recordingCommand' in client) throw oauthError({ rule: 'registration-not-recorded' });
}

function commandContext(client: Client, request: RequestMetadata): CommandContext {
  return { actor: { kind: 'client', id: client.clientId }, ...request, basedOn: [observedClient(client)] };
}

/**
 * Returns the URIs that need no check. They were checked when the registration was sealed, and are checked again when
 * they are used.
 */
function exemptUris({ redirectUris, openid }: RegistrationFields): ClientUris {
  const postLogoutRedirectUris = openid?.postLogoutRedirectUris ?? [];
  return { redirectUris, openid: { postLogoutRedirectUris, backchannelLogoutUri: null } };
}

/** Returns the settings that an update keeps, because the operator may have changed them since registration. */
function keptSettings(
  { mode, secondFactorRequired, restrictedScopes, accessTokenFormat, accessTokenAlgorithm, security }: Client,
  { security: requestedSecurity }: RegistrationFields,
) {
  return {
    mode,
    secondFactorRequired,
    restrictedScopes,
    accessTokenFormat,
    accessTokenAlgorithm,
    // The client can add a requirement but not remove one, because the operator may have added it.
    security: {
      ...security,
      dpopBoundAccessTokens: security.dpopBoundAccessTokens || requestedSecurity?.dpopBoundAccessTokens === true,
      requirePushedAuthorizationRequests:
        security.requirePushedAuthorizationRequests || requestedSecurity?.requirePushedAuthorizationRequests === true,
    },
  };
}

/**
 * Returns the grant types that an update may request. A client can keep its grant types, and can always add the
 * authorization code grant, because codes require a user's consent.
 */
function allowedGrantTypes({ grantTypes }: Client): readonly RegisteredGrant[] {
  return RECORDED_GRANTS.filter((grant) => grantTypes.includes(grant) || grant === 'authorization-code');
}

/**
 * Requires the metadata to leave the client's credentials unchanged (RFC 7592 §2.2).
 * @throws OAuthError if `client_id` or `client_secret` differs from the client's
 */
function requireSameCredentials(metadata: ClientMetadata, { clientId }: Client, credentials: DerivedCredentials): void {
  if (metadata['client_id'] !== clientId) throw refusedMember('client_id', 'client_id must be the id of this client');
  const secret = metadata['client_secret'];
  if (secret !== undefined && secret !== credentials.deriveSecret(clientId).value)
    throw refusedMember('client_secret', 'client_secret must be the secret of this client or be left out');
}

/** The metadata member for each field of a registration. */
const MEMBERS: Partial<Record<keyof RegistrationErrors, string>> = {
  name: 'client_name',
  redirectUris: 'redirect_uris',
  grantTypes: 'grant_types',
  applicationType: 'application_type',
  detailTypes: 'authorization_details_types',
  authentication: 'token_endpoint_auth_method',
  allowedOrigins: 'redirect_uris',
  homepageUri: 'client_uri',
  policyUri: 'policy_uri',
  tosUri: 'tos_uri',
  idTokenAlgorithm: 'id_token_signed_response_alg',
  userinfoAlgorithm: 'userinfo_signed_response_alg',
  subjectType: 'subject_type',
  sectorIdentifierUri: 'subject_type',
  postLogoutRedirectUris: 'post_logout_redirect_uris',
  defaultMaxAgeSeconds: 'default_max_age',
};

function refusedMetadata(errors: RegistrationErrors): OAuthError {
  const [[field, problem] = ['', '']] = Object.entries(errors);
  return refusedMember(MEMBERS[field as keyof RegistrationErrors] ?? field, problem);
}

function refusedMember(member: string, problem: Text): OAuthError {
  return oauthError({ rule: 'registration-metadata', member, problem: sanitizeText(problem) });
}
