import { z } from 'zod';
import { defaultAuthentication } from '../domain/client-authentication.ts';
import { ownersOf, testUsersOf, type Member } from '../domain/members.ts';
import { MAX_LOGO_BASE64_LENGTH } from '../domain/logo.ts';
import { presentationJson, type PresentationJson } from '../domain/presentation.ts';
import { validPreviousSecret } from '../domain/previous-secret.ts';
import { securityJson, type SecurityJson } from '../domain/security-settings.ts';
import { openIdJson, type OpenIdJson } from '../domain/openid-settings.ts';
import { observedAccount, observedClient } from '../domain/streams.ts';
import { CLIENT_TYPES, type ClientId, type ClientMode } from '../domain/values.ts';
import { OPERATION_TEXTS } from '../config/input-limits.ts';
import { importedCredentialsProblem, type ImportedCredentials } from '../oauth/clients/new-credentials.ts';
import { readLogo } from '../platform/logos/read-logo.ts';
import { MAX_OVERLAP_SECONDS, type RegistrationRefusal } from '../oauth/clients/registration.ts';
import type { Client } from '../projections/clients.ts';
import type { Users } from '../projections/users.ts';
import {
  authenticationForType,
  authenticationInput,
  applyAuthenticationChanges,
  tlsSubjectJson,
  toKeyRow,
  toClientType,
  type ClientKeyRow,
  type TlsSubjectJson,
} from './client-authentication.ts';
import { clientFields, text, omitUndefined } from './client-fields.ts';
import { invalidFields } from './invalid-fields.ts';
import { isoTime } from './iso-time.ts';
import type { OperationContext } from './operation-context.ts';
import { basedOn, operation, streamingOperation, type Operation } from './operation.ts';
import { OperationRefused } from './control/operation-refused.ts';
import { publicClientRefusal, requireClient, unknownClientError } from './require-client.ts';
import { requireUser } from './users.ts';
import { english } from '../language/english.ts';
import { normalizeUserName } from '../domain/user-name.ts';
import { containsText } from '../lists/folded-text.ts';

const clientId = z.string().min(1).max(OPERATION_TEXTS.clientId);
/** Base64 with padding. */
const logo = z.string().max(MAX_LOGO_BASE64_LENGTH + 4);
const ownerName = z.string().max(OPERATION_TEXTS.userName);
const overlapSeconds = z
  .int()
  .min(0)
  .max(MAX_OVERLAP_SECONDS, 'the old secret can stay valid for at most 30 days')
  .default(0);
const importedCredentials = z.strictObject({
  clientId: text.min(1),
  clientSecret: text.min(1).nullable(),
}) satisfies z.ZodType<ImportedCredentials>;

/** A client, as shown to operators. Never includes the secret. */
export interface ClientRow extends OpenIdJson, PresentationJson, SecurityJson, TlsSubjectJson {
  readonly client_id: string;
  readonly name: string;
  readonly client_type: string;
  /** Null if the registration does not specify it. */
  readonly application_type: string | null;
  /** Null if the client may request all types. */
  readonly authorization_details_types: readonly string[] | null;
  readonly grant_types: readonly string[];
  readonly redirect_uris: readonly string[];
  /** Redirect and post-logout redirect URIs that the current settings forbid. */
  readonly forbidden_redirect_uris: readonly {
    readonly redirect_uri: string;
    readonly problem: string;
    /** The setting that would allow the URI, if any. */
    readonly setting: string | null;
  }[];
  readonly allowed_origins: readonly string[];
  readonly skip_authorization: boolean;
  readonly second_factor_required: boolean;
  readonly allowed_scopes: readonly string[];
  readonly access_token_format: string;
  readonly access_token_algorithm: string;
  readonly mode: ClientMode;
  /** If there is only one method, it is the token_endpoint_auth_method of RFC 7591 §2. */
  readonly auth_methods: readonly string[];
  /** The registered keys; empty if the client has none, or publishes them at `jwks_uri`. */
  readonly keys: readonly ClientKeyRow[];
  readonly jwks_uri: string | null;
  /** Whether the client registered itself (RFC 7591). */
  readonly self_registered: boolean;
  /** The first of `owners`; null if only administrators manage it. */
  readonly owner: string | null;
  readonly owners: readonly string[];
  readonly test_users: readonly string[];
  /** Null while the client is enabled. */
  readonly disabled_at: string | null;
  readonly registered_at: string;
  /** The time and log position of the latest access token issued to the client; null if none has been issued. */
  readonly last_used_at: string | null;
  readonly last_used_position: number | null;
  /**
   * This field and the next two describe the secret that the latest rotation replaced. All are null unless that
   * secret is still accepted.
   */
  readonly previous_secret_ends_at: string | null;
  readonly previous_secret_last_used_at: string | null;
  readonly previous_secret_last_used_position: number | null;
  readonly logo_media_type: string | null;
  /** Whether the log contains the unencrypted hash of a valid, possibly weak secret. */
  readonly secret_unsealed: boolean;
}

function toClientRow(client: Client, { projections, clock, registration }: OperationContext): ClientRow {
  const { anySecret, previousSecret } = client.lastUse;
  const overlap = validPreviousSecret(client, clock.now() / 1000);
  const previousUse = overlap === null ? null : previousSecret;
  return {
    client_id: client.clientId,
    name: client.name,
    client_type: client.clientType,
    application_type: client.applicationType ?? null,
    authorization_details_types: client.detailTypes ?? null,
    grant_types: client.grantTypes,
    redirect_uris: client.redirectUris,
    forbidden_redirect_uris: registration
      .forbiddenRedirectUris(client)
      .map(({ uri, problem, setting }) => ({ redirect_uri: uri, problem: english.text(problem), setting })),
    allowed_origins: client.allowedOrigins,
    skip_authorization: client.skipAuthorization,
    second_factor_required: client.secondFactorRequired,
    allowed_scopes: client.restrictedScopes,
    access_token_format: client.accessTokenFormat,
    access_token_algorithm: client.accessTokenAlgorithm,
    mode: client.mode,
    auth_methods: client.authentication.methods,
    keys: client.authentication.keys.map((key) => toKeyRow(key, client)),
    jwks_uri: client.authentication.keysUri,
    ...tlsSubjectJson(client.authentication),
    ...openIdJson(client.openid),
    ...presentationJson(client.presentation),
    ...securityJson(client.security),
    logo_media_type: client.logo?.mediaType ?? null,
    self_registered: client.selfRegistered !== undefined,
    owner: userNames(ownersOf(client), projections.users)[0] ?? null,
    owners: userNames(ownersOf(client), projections.users),
    test_users: userNames(testUsersOf(client), projections.users),
    disabled_at: client.disabledAt === undefined ? null : isoTime(client.disabledAt),
    registered_at: isoTime(client.registeredAt),
    last_used_at: anySecret === null ? null : isoTime(anySecret.at),
    last_used_position: anySecret?.position ?? null,
    previous_secret_ends_at: overlap === null ? null : isoTime(overlap.until),
    previous_secret_last_used_at: previousUse === null ? null : isoTime(previousUse.at),
    previous_secret_last_used_position: previousUse?.position ?? null,
    secret_unsealed: projections.clients.hasUnsealedSecret(client, clock.now() / 1000),
  };
}

function userNames(members: readonly Member[], users: Pick<Users, 'find'>): readonly string[] {
  return members.flatMap(({ userId }) => users.find(userId)?.username ?? []);
}

function toOperationRefused(refusal: RegistrationRefusal, id: string): OperationRefused {
  if ('errors' in refusal) return invalidFields(refusal.errors);
  return refusal.refusal === 'client-unknown'
    ? unknownClientError(id)
    : new OperationRefused(
        `the client id ${JSON.stringify(id)} is in use or has been used before; choose a different id`,
        'conflict',
      );
}

const clientListFilters = z.strictObject({
  search: z.string().max(OPERATION_TEXTS.checkedText).optional(),
  clientType: z.enum(CLIENT_TYPES).optional(),
  status: z.enum(['live', 'test', 'disabled']).optional(),
  /** The user name of an owner. */
  owner: z.string().max(OPERATION_TEXTS.userName).optional(),
});

/** Reports whether the client matches all filters. */
function isListedClient(
  client: Client,
  { search = '', clientType, status, owner }: z.output<typeof clientListFilters>,
  users: Pick<Users, 'find'>,
): boolean {
  if (clientType !== undefined && client.clientType !== clientType) return false;
  if (status !== undefined && clientStatus(client) !== status) return false;
  const owners = ownersOf(client).flatMap(({ userId }) => users.find(userId)?.username ?? []);
  if (owner !== undefined && !owners.includes(normalizeUserName(owner))) return false;
  return containsText([client.name, client.clientId, ...owners], search);
}

/** Returns the status to filter by. A disabled client keeps its mode, but counts as disabled. */
function clientStatus({ disabledAt, mode }: Client): 'live' | 'test' | 'disabled' {
  return disabledAt === undefined ? mode : 'disabled';
}

export const clientOperations: Readonly<Record<string, Operation>> = {
  'client add': operation(
    z.strictObject({
      ...clientFields,
      ...authenticationInput,
      owner: ownerName.nullable(),
      credentials: importedCredentials.nullable(),
    }),
    async ({ owner, credentials, methods, jwks, jwksUri, tls, ...metadata }, context) => {
      const authentication = await applyAuthenticationChanges(
        { methods, jwks, jwksUri, tls },
        defaultAuthentication(toClientType(metadata.clientType)),
      );
      const registration = { ...metadata, authentication };
      const problem = credentials === null ? undefined : importedCredentialsProblem(credentials);
      if (problem !== undefined) throw new OperationRefused(problem);
      const ownerAccount = owner === null ? null : requireUser(owner, context);
      const cause = basedOn(context, ...(ownerAccount === null ? [] : [observedAccount(ownerAccount)]));
      const ownerId = ownerAccount?.userId ?? null;
      const result = await context.registration.register(registration, ownerId, cause, credentials ?? undefined);
      if (!('clientId' in result)) throw toOperationRefused(result, credentials?.clientId ?? '');
      // The caller already knows an imported secret.
      return { client_id: result.clientId, client_secret: credentials === null ? result.clientSecret : null };
    },
  ),

  'client list': streamingOperation(clientListFilters, async function* (input, context) {
    if (input.owner !== undefined) requireUser(input.owner, context);
    for (const client of context.projections.clients.all())
      if (isListedClient(client, input, context.projections.users)) yield toClientRow(client, context);
  }),

  'client show': operation(z.strictObject({ clientId }), (input, context) =>
    toClientRow(requireClient(input.clientId, context), context),
  ),

  'client update': operation(
    z.strictObject({ clientId, changes: z.strictObject({ ...clientFields, ...authenticationInput }).partial() }),
    async ({ clientId: id, changes: { methods, jwks, jwksUri, tls, ...changes } }, context) => {
      const existing = requireClient(id, context);
      const changedFields = omitUndefined(changes);
      const openid = { ...existing.openid, ...changes.openid };
      const presentation = { ...existing.presentation, ...changes.presentation };
      const security = { ...existing.security, ...changes.security };
      const cause = basedOn(context, observedClient(existing));
      const authentication = await applyAuthenticationChanges(
        { methods, jwks, jwksUri, tls },
        authenticationForType(existing, changes.clientType),
      );
      const refusal = await context.registration.update(
        existing.clientId,
        { ...existing, ...changedFields, openid, presentation, security, authentication },
        cause,
      );
      if (refusal !== undefined) throw toOperationRefused(refusal, id);
      return toClientRow(requireClient(id, context), context);
    },
  ),

  'client logo': operation(z.strictObject({ clientId, image: logo.nullable() }), async (input, context) => {
    const client = requireClient(input.clientId, context);
    const result = input.image === null ? { image: null } : readLogo(Buffer.from(input.image, 'base64'));
    if ('problem' in result) throw new OperationRefused(english.text(result.problem));
    const cause = basedOn(context, observedClient(client));
    if (!(await context.registration.changeLogo(client.clientId, result.image, cause)))
      throw unknownClientError(input.clientId);
    return toClientRow(requireClient(input.clientId, context), context);
  }),

  'client rotate-secret': operation(z.strictObject({ clientId, overlapSeconds }), async (input, context) => {
    const client = requireClient(input.clientId, context);
    if (client.clientType === 'public') throw publicClientRefusal(client.clientId);
    const cause = basedOn(context, observedClient(client));
    const secret = await context.registration.rotateSecret(client.clientId, cause, input.overlapSeconds);
    if (secret === undefined) throw unknownClientError(input.clientId);
    const { previous_secret_ends_at } = toClientRow(requireClient(input.clientId, context), context);
    return { client_id: client.clientId, client_secret: secret, previous_secret_ends_at };
  }),

  'client remove': operation(z.strictObject({ clientId }), async (input, context) => {
    const id: ClientId = requireClient(input.clientId, context).clientId;
    await context.registration.remove(id, context.cause);
    return { client_id: id };
  }),
};
