import type { SelfRegistered } from '../../../domain/events.ts';
import { MAX_LENGTH } from '../../../domain/lengths.ts';
import type { RegisteredGrant } from '../../../domain/values.ts';
import type { Client } from '../../../projections/clients.ts';
import { oauthError } from '../../endpoints/errors.ts';
import { readClientKeys } from '../client-keys.ts';
import type { OpenIdFields } from '../openid-rules.ts';
import { isLoopback, uriFormProblem } from '../redirect-uris.ts';
import type { RegistrationFields } from '../registration-rules.ts';
import type { MessageKey } from '../../../language/catalog.ts';
import { joinTexts, message, type MessageValues } from '../../../language/message.ts';

/** Client metadata as JSON (RFC 7591 §2), not yet validated. */
export type ClientMetadata = Readonly<Record<string, unknown>>;

/** Client metadata as registration fields. The registration rules are checked later. */
export interface RequestedClient {
  readonly fields: RegistrationFields;
  readonly software: Pick<SelfRegistered, 'softwareId' | 'softwareVersion'>;
}

/**
 * The grant types, keyed by their names in the protocol. `refresh_token` is not among them, because every redeemed code
 * yields a refresh token.
 */
const GRANT_TYPES: Readonly<Record<string, RegisteredGrant>> = {
  authorization_code: 'authorization-code',
  client_credentials: 'client-credentials',
  'urn:ietf:params:oauth:grant-type:device_code': 'device-code',
};

type MetadataProblem = MessageKey extends infer Key
  ? Key extends `metadata-problem.${infer Name}`
    ? Name
    : never
  : never;

const METHODS = ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'];
const DEFAULT_NAME = 'Unnamed application';
const SOFTWARE_ID_OR_VERSION = /^[\x20-\x7e]{1,100}$/;

/**
 * Reads client metadata. Members that this server does not use are ignored (RFC 7591 §2), including logos, which are
 * never fetched. Grant types that are not in `allowedGrants` are left out, as the response shows (§3.2.1).
 * @throws OAuthError if a member is malformed, or has no value that is supported and allowed
 */
export async function readClientMetadata(
  metadata: ClientMetadata,
  allowedGrants: readonly RegisteredGrant[],
): Promise<RequestedClient> {
  const method = stringMember(metadata, 'token_endpoint_auth_method') ?? 'client_secret_basic';
  if (!METHODS.includes(method))
    throw metadataError('one-of', 'token_endpoint_auth_method', { values: METHODS.join(', ') });
  const redirectUris = stringListMember(metadata, 'redirect_uris') ?? [];
  const clientType = method === 'none' ? 'public' : 'confidential';
  const applicationType = stringMember(metadata, 'application_type') ?? impliedType(redirectUris);
  return {
    fields: {
      name: stringMember(metadata, 'client_name') ?? DEFAULT_NAME,
      clientType,
      detailTypes: stringListMember(metadata, 'authorization_details_types'),
      grantTypes: readGrantTypes(metadata, allowedGrants),
      redirectUris,
      allowedOrigins: originsOf(redirectUris, clientType),
      skipAuthorization: false,
      applicationType,
      presentation: {
        homepageUri: stringMember(metadata, 'client_uri') ?? null,
        policyUri: stringMember(metadata, 'policy_uri') ?? null,
        tosUri: stringMember(metadata, 'tos_uri') ?? null,
      },
      openid: readOpenId(metadata),
      security: {
        dpopBoundAccessTokens: booleanMember(metadata, 'dpop_bound_access_tokens') ?? false,
        requirePushedAuthorizationRequests: booleanMember(metadata, 'require_pushed_authorization_requests') ?? false,
      },
      authentication: { methods: [method], keys: await readKeys(metadata) },
    },
    software: {
      ...softwareMember('softwareId', metadata, 'software_id'),
      ...softwareMember('softwareVersion', metadata, 'software_version'),
    },
  };
}

/** Returns a registered client's metadata for responses from the registration endpoints (RFC 7591 §3.2.1). */
export function clientMetadata(client: Client): Readonly<Record<string, unknown>> {
  const { presentation, openid, security, authentication, selfRegistered } = client;
  const { homepageUri, policyUri, tosUri } = presentation;
  const grantTypeNames = Object.keys(GRANT_TYPES).filter((name) =>
    client.grantTypes.includes(GRANT_TYPES[name] as never),
  );
  const hasCodeGrant = client.grantTypes.includes('authorization-code');
  return omitUndefined({
    client_name: client.name,
    redirect_uris: client.redirectUris,
    grant_types: [...grantTypeNames, ...(hasCodeGrant ? ['refresh_token'] : [])],
    response_types: hasCodeGrant ? ['code'] : [],
    token_endpoint_auth_method: authentication.methods[0],
    application_type: client.applicationType,
    authorization_details_types: client.detailTypes,
    client_uri: homepageUri ?? undefined,
    policy_uri: policyUri ?? undefined,
    tos_uri: tosUri ?? undefined,
    jwks: authentication.keys.length === 0 ? undefined : { keys: authentication.keys.map(toJwk) },
    id_token_signed_response_alg: openid.idTokenAlgorithm,
    userinfo_signed_response_alg: openid.userinfoAlgorithm ?? undefined,
    subject_type: openid.subjectType,
    post_logout_redirect_uris: openid.postLogoutRedirectUris.length === 0 ? undefined : openid.postLogoutRedirectUris,
    default_max_age: openid.defaultMaxAgeSeconds ?? undefined,
    require_auth_time: openid.requireAuthTime,
    dpop_bound_access_tokens: security.dpopBoundAccessTokens,
    require_pushed_authorization_requests: security.requirePushedAuthorizationRequests,
    software_id: selfRegistered?.softwareId,
    software_version: selfRegistered?.softwareVersion,
  });
}

function toJwk({ publicKey, kid, algorithm }: Client['authentication']['keys'][number]) {
  return { ...publicKey, ...(kid !== null && { kid }), ...(algorithm !== null && { alg: algorithm }), use: 'sig' };
}

/**
 * Returns the application type of a client that does not specify one: `native` if all redirects lead to the user's
 * device, otherwise undefined.
 */
function impliedType(redirectUris: readonly string[]): 'native' | undefined {
  return redirectUris.length > 0 && redirectUris.every(isLocal) ? 'native' : undefined;
}

/** Reports whether the redirect leads to a program on the user's device. */
function isLocal(uri: string): boolean {
  return uriFormProblem(uri) === undefined && (isLoopback(uri) || !/^https?:/i.test(uri));
}

/**
 * Returns the origins of a public client's web pages, because scripts on these pages request tokens (CORS). Some pages,
 * such as those of MCP inspectors, are served on the user's device.
 */
function originsOf(redirectUris: readonly string[], clientType: string): readonly string[] {
  if (clientType !== 'public') return [];
  return [...new Set(redirectUris.filter(canBePage).map((uri) => new URL(uri).origin))];
}

function canBePage(uri: string): boolean {
  return uriFormProblem(uri) === undefined && (/^https:/i.test(uri) || isLoopback(uri));
}

function readGrantTypes(
  metadata: ClientMetadata,
  allowedGrants: readonly RegisteredGrant[],
): readonly RegisteredGrant[] {
  const requestedNames = stringListMember(metadata, 'grant_types') ?? ['authorization_code'];
  const grants = requestedNames.flatMap((name) => (Object.hasOwn(GRANT_TYPES, name) ? (GRANT_TYPES[name] ?? []) : []));
  const usableGrants = [...new Set(grants)].filter((grant) => allowedGrants.includes(grant));
  if (usableGrants.length === 0) {
    const names = Object.keys(GRANT_TYPES).filter((name) => allowedGrants.includes(GRANT_TYPES[name] as never));
    throw metadataError('contains', 'grant_types', { values: joinTexts(names, 'problem.either') ?? '' });
  }
  const responseTypes = stringListMember(metadata, 'response_types');
  if (responseTypes !== undefined && usableGrants.includes('authorization-code') && !responseTypes.includes('code'))
    throw metadataError('contains', 'response_types', { values: 'code' });
  return usableGrants;
}

function readOpenId(metadata: ClientMetadata): OpenIdFields {
  const seconds = metadata['default_max_age'];
  if (seconds !== undefined && typeof seconds !== 'number') throw metadataError('number', 'default_max_age');
  return omitUndefined({
    idTokenAlgorithm: stringMember(metadata, 'id_token_signed_response_alg'),
    userinfoAlgorithm: stringMember(metadata, 'userinfo_signed_response_alg'),
    subjectType: stringMember(metadata, 'subject_type'),
    postLogoutRedirectUris: stringListMember(metadata, 'post_logout_redirect_uris'),
    defaultMaxAgeSeconds: seconds,
    requireAuthTime: booleanMember(metadata, 'require_auth_time'),
  });
}

/** Reads `jwks`. Refuses `jwks_uri`, because anyone could use it to make the server send requests to any host. */
async function readKeys(metadata: ClientMetadata): Promise<NonNullable<RegistrationFields['authentication']>['keys']> {
  if (metadata['jwks_uri'] !== undefined) throw metadataError('keys-address', 'jwks_uri');
  if (metadata['jwks'] === undefined) return [];
  const result = await readClientKeys(metadata['jwks']);
  if ('problem' in result) throw metadataError('keys', 'jwks', { problem: result.problem });
  return result.keys;
}

function softwareMember(member: 'softwareId' | 'softwareVersion', metadata: ClientMetadata, name: string) {
  const value = stringMember(metadata, name);
  if (value === undefined) return {};
  if (!SOFTWARE_ID_OR_VERSION.test(value)) throw metadataError('printable', name);
  return { [member]: value };
}

/** Returns the string, or undefined if the member is missing, null or empty. */
function stringMember(metadata: ClientMetadata, name: string): string | undefined {
  const value = metadata[name] ?? '';
  if (typeof value !== 'string') throw metadataError('string', name);
  if (value.length > MAX_LENGTH.redirectUri) throw metadataError('too-long', name, { limit: MAX_LENGTH.redirectUri });
  return value === '' ? undefined : value;
}

const MAX_STRINGS = 100;

function stringListMember(metadata: ClientMetadata, name: string): readonly string[] | undefined {
  const value = metadata[name] ?? undefined;
  if (value === undefined) return undefined;
  const isList = Array.isArray(value) && value.length <= MAX_STRINGS;
  if (!isList || !value.every((item): item is string => typeof item === 'string'))
    throw metadataError('strings', name, { limit: MAX_STRINGS });
  return value;
}

function booleanMember(metadata: ClientMetadata, name: string): boolean | undefined {
  const value = metadata[name] ?? undefined;
  if (value !== undefined && typeof value !== 'boolean') throw metadataError('boolean', name);
  return value;
}

function metadataError(kind: MetadataProblem, member: string, values: MessageValues = {}) {
  const problem = message(`metadata-problem.${kind}`, { member, ...values });
  return oauthError({ rule: 'registration-metadata', member, problem });
}

function omitUndefined<Members extends object>(
  members: Members,
): { [Name in keyof Members]: NonNullable<Members[Name]> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;
}
