import type { Grant } from '../../domain/authorization-grant.ts';
import type { Resources } from '../../domain/resource.ts';
import type { Scope } from '../../domain/scope.ts';
import type { RegisteredGrant } from '../../domain/values.ts';
import type { Client } from '../../projections/clients.ts';
import { sanitizeNames } from '../refusals/sanitize.ts';
import type { PresentedCredential } from '../credentials/credentials.ts';
import { oauthError } from '../endpoints/errors.ts';
import { noResourceLeftError, remainingResources } from '../endpoints/requested-resources.ts';

interface RefreshRequest {
  readonly presentedToken: PresentedCredential;
  readonly client: Client;
  readonly scope: Scope;
  readonly resource: Resources;
}

interface CurrentRules {
  readonly scopes: Readonly<Record<string, string>>;
  readonly knownResources: readonly string[];
}

/**
 * Applies the refresh rules that depend on the current settings and on the client's registration, which may have
 * changed since the consent. The rules apply only to the grant's current refresh token. For any other token, the
 * decider repeats an earlier response or detects reuse.
 * @returns the resource servers to request from the grant
 * @throws OAuthError if a current rule does not allow the request
 */
export function applyRefreshRules(
  grant: Grant,
  request: RefreshRequest,
  { scopes, knownResources }: CurrentRules,
): Resources {
  const { presentedToken, client, scope, resource: requestedUris } = request;
  const remainingUris = remainingResources(requestedUris, grant.refresh?.resource ?? [], knownResources);
  const family = currentFamily(grant, presentedToken, client);
  if (family === undefined || grant.status === 'revoked') return remainingUris ?? requestedUris;
  requireGrantType(grant, client);
  const grantedScope = scope.filter((name) => family.scope.includes(name));
  requireDefinedScopes(grantedScope, Object.keys(scopes));
  if (remainingUris === undefined) throw noResourceLeftError(family.resource, knownResources);
  return remainingUris;
}

/** Returns the grant's family of refresh tokens if the client presents the current one, or undefined otherwise. */
export function currentFamily(
  { refresh }: Pick<Grant, 'refresh'>,
  { hash }: PresentedCredential,
  { clientId }: Pick<Client, 'clientId'>,
): NonNullable<Grant['refresh']> | undefined {
  return refresh?.currentHash === hash && refresh.clientId === clientId ? refresh : undefined;
}

function requireGrantType(grant: Grant, { grantTypes }: Client): void {
  const grantType = grantTypeOf(grant);
  if (grantTypes.includes(grantType)) return;
  throw oauthError({ rule: 'client-not-registered-for', grantType, registered: grantTypes });
}

function grantTypeOf({ redeemedCodeHash, isDeviceGrant }: Grant): RegisteredGrant {
  if (isDeviceGrant) return 'device-code';
  return redeemedCodeHash === null ? 'password' : 'authorization-code';
}

function requireDefinedScopes(scope: Scope, definedScopes: readonly string[]): void {
  const unknownScopes = scope.filter((name) => !definedScopes.includes(name));
  if (unknownScopes.length === 0) return;
  throw oauthError({
    rule: 'scope-unknown',
    unknown: sanitizeNames(unknownScopes),
    known: sanitizeNames(definedScopes),
  });
}
