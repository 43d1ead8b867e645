import { openIdJson } from '../domain/openid-settings.ts';
import type { EpochSeconds } from '../domain/values.ts';
import type { Client, Clients } from '../projections/clients.ts';
import type { Grants } from '../projections/grants.ts';
import type { Groups } from '../projections/groups.ts';
import type { LiveGrant } from '../projections/live-grant.ts';
import type { Passkey, Passkeys } from '../projections/passkeys.ts';
import type { SealedData, Unseal } from '../projections/sealed-data.ts';
import type { RecoveryCodes, SecondFactors, Totp } from '../projections/second-factors.ts';
import type { OpenSession, Sessions } from '../projections/sessions.ts';
import type { UpstreamAccount, UpstreamAccounts } from '../projections/upstream-accounts.ts';
import type { User } from '../projections/users.ts';

/**
 * Yields a user's current data as one JSON document for the user to download. Leaves out hashes and keys, which would
 * help only an attacker. Yields the document in pieces, because a user may own a hundred thousand applications.
 */
export type ExportAccount = (user: User, now: EpochSeconds) => Iterable<string>;

export function createAccountExporter(
  deps: {
    readonly clients: Pick<Clients, 'find' | 'ownedBy'>;
    readonly grants: Pick<Grants, 'listByUser'>;
    readonly groups: Pick<Groups, 'namesOf'>;
    readonly passkeys: Pick<Passkeys, 'listByUser'>;
    readonly secondFactors: Pick<SecondFactors, 'totpOf' | 'recoveryCodesOf'>;
    readonly sessions: Pick<Sessions, 'listByUser'>;
    readonly upstreamAccounts: Pick<UpstreamAccounts, 'listByUser'>;
  },
  unseal: Unseal,
): ExportAccount {
  const { clients, grants, groups, passkeys, secondFactors, sessions, upstreamAccounts } = deps;

  return function* (user, now) {
    const { userId } = user;
    yield `{\n  "exported_at": ${toIndentedJson(isoTime(now))},\n  "account": ${toIndentedJson(accountJson(user))}`;
    yield `,\n  "groups": ${toIndentedJson(groups.namesOf(userId))}`;
    yield* listJson('sessions', sessions.listByUser(userId, now), (session) => sessionJson(session, unseal));
    yield* listJson('passkeys', passkeys.listByUser(userId), passkeyJson);
    yield* listJson('authenticator_apps', [secondFactors.totpOf(userId)].filter(isDefined), authenticatorAppJson);
    yield* listJson('recovery_codes', [secondFactors.recoveryCodesOf(userId)].filter(isDefined), recoveryCodesJson);
    yield* listJson('linked_accounts', upstreamAccounts.listByUser(userId), (account) =>
      linkedAccountJson(account, unseal),
    );
    yield* listJson('access_given', grants.listByUser(userId, now), (grant) =>
      grantJson(grant, clients.find(grant.clientId), unseal),
    );
    yield* listJson('applications', clients.ownedBy(userId), applicationJson);
    yield '\n}\n';
  };
}

function* listJson<Item>(
  name: string,
  items: Iterable<Item>,
  toJson: (item: Item) => object,
): Generator<string, void, void> {
  let isEmpty = true;
  yield `,\n  ${JSON.stringify(name)}: [`;
  for (const item of items) {
    yield `${isEmpty ? '' : ','}\n    ${toIndentedJson(toJson(item)).replaceAll('\n', '\n  ')}`;
    isEmpty = false;
  }
  yield isEmpty ? ']' : '\n  ]';
}

/** Formats a value as indented JSON. Replacing line breaks is safe, because those inside JSON strings are escaped. */
function toIndentedJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', '\n  ');
}

function accountJson(user: User) {
  const { id, userId, username, email, emailVerified, firstName, lastName, profile, roles } = user;
  const { registeredPosition, updatedAt } = user;
  return {
    id,
    user_id: userId,
    username,
    email,
    email_verified: emailVerified,
    first_name: firstName,
    last_name: lastName,
    profile,
    roles,
    registered_position: registeredPosition,
    updated_at: isoTime(updatedAt),
  };
}

function sessionJson({ userId, startedAt, expiresAt, authentication, sealed }: OpenSession, unseal: Unseal) {
  return {
    started_at: isoTime(startedAt),
    expires_at: isoTime(expiresAt),
    method: authentication?.method ?? null,
    browser: sealed === undefined ? null : (unseal(userId, sealed)?.browser ?? null),
  };
}

function passkeyJson({ name, addedAt, transports }: Passkey) {
  return { name, added_at: isoTime(addedAt), transports };
}

function isDefined<Value>(value: Value | undefined): value is Value {
  return value !== undefined;
}

function authenticatorAppJson({ addedAt, lastUsedAt }: Totp) {
  return { added_at: isoTime(addedAt), last_used_at: lastUsedAt === null ? null : isoTime(lastUsedAt) };
}

function recoveryCodesJson({ hashes, used, generatedAt }: RecoveryCodes) {
  return { generated_at: isoTime(generatedAt), left: hashes.length - used.length };
}

function linkedAccountJson({ userId, providerId, sealed, linkedAt }: UpstreamAccount, unseal: Unseal) {
  const { issuer = null, subject = null, email = null } = unseal(userId, sealed)?.upstream ?? {};
  return { provider: providerId, issuer, subject, email, linked_at: isoTime(linkedAt) };
}

function grantJson(grant: LiveGrant, client: Client | undefined, unseal: Unseal) {
  const { clientId, userId, scope, resource = [], details = [], grantedAt, expiresAt } = grant;
  return {
    client_id: clientId,
    application: client?.name ?? clientId,
    scope,
    resource,
    authorization_details: details.map(({ sealed }) => detailJson(sealed && unseal(userId, sealed))),
    granted_at: isoTime(grantedAt),
    expires_at: expiresAt === null ? null : isoTime(expiresAt),
  };
}

/** Returns the contents of an authorization detail, or null if they cannot be decrypted. */
function detailJson(unsealedData: SealedData | undefined | ''): unknown {
  if (!unsealedData || unsealedData.authorizationDetail === undefined) return null;
  return (JSON.parse(unsealedData.authorizationDetail) as { readonly detail: unknown }).detail;
}

function applicationJson(client: Client) {
  return {
    client_id: client.clientId,
    name: client.name,
    client_type: client.clientType,
    application_type: client.applicationType ?? null,
    authorization_details_types: client.detailTypes ?? null,
    grant_types: client.grantTypes,
    redirect_uris: client.redirectUris,
    allowed_origins: client.allowedOrigins,
    skip_authorization: client.skipAuthorization,
    restricted_scopes: client.restrictedScopes,
    access_token_format: client.accessTokenFormat,
    access_token_algorithm: client.accessTokenAlgorithm,
    ...openIdJson(client.openid),
    registered_at: isoTime(client.registeredAt),
  };
}

function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
