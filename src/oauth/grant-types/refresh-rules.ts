import type { Grant } from '../../domain/authorization-grant.ts';
import type { Resources } from '../../domain/resource.ts';
import type { Scope } from '../../domain/scope.ts';
import type { RegisteredGrant } from '../../domain/values.ts';
import type { Client } from '../../projections/clients.ts';
import { sanitizeNames } from '../refusals/sanitize.ts';
import type { PresentedCredential } from '../credentials/credentials.ts';
import { oauthError } from '../endpoints/errors.ts';
import { noResourceLeft, remainingResources } from '../endpoints/requested-resources.ts';

interface RefreshRequest {
  readonly presented: PresentedCredential;
  readonly client: Client;
  readonly scope: Scope;
  readonly resource: Resources;
}

interface CurrentRules {
  readonly scopes: Readonly<Record<string, string>>;
  readonly knownResources: readonly string[];
}

/**
 * Rules about refreshing that depend on the current settings and on the client's registration. The grant complied with
 * the rules of its time. A token other than the grant's current one is left to the grant's stream, which repeats a
 * response or detects reuse.
 * @returns the resource servers to request from the grant
 * @throws OAuthError
 */
export function applyRefreshRules(
  grant: Grant,
  request: RefreshRequest,
  { scopes, knownResources }: CurrentRules,
): Resources {
  const { presented, client, scope, resource: named } = request;
  const { status, refresh } = grant;
  const left = remainingResources(named, refresh?.resource ?? [], knownResources);
  const isCurrent = refresh?.currentHash === presented.hash && refresh.clientId === client.clientId;
  if (!isCurrent || status === 'revoked') return left ?? named;
  requireGrantType(grant, client);
  const granted = scope.filter((name) => refresh.scope.includes(name));
  requireKnown(granted, Object.keys(scopes));
  if (left === undefined) throw noResourceLeft(refresh.resource, knownResources);
  return left;
}

function requireGrantType({ redeemedCodeHash }: Grant, { grantTypes }: Client): void {
  const grantType: RegisteredGrant = redeemedCodeHash === null ? 'password' : 'authorization-code';
  if (grantTypes.includes(grantType)) return;
  throw oauthError({ rule: 'client-not-registered-for', grantType, registered: grantTypes });
}

function requireKnown(scope: Scope, known: readonly string[]): void {
  const unknown = scope.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw oauthError({ rule: 'scope-unknown', unknown: sanitizeNames(unknown), known: sanitizeNames(known) });
}
