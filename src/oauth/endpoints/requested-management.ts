import { MANAGEMENT_ACTIONS, type ManagementAction, type UserId } from '../../domain/values.ts';
import { canonicalJson, type AuthorizationDetail } from '../../domain/authorization-details.ts';
import { formatScope } from '../../domain/scope.ts';
import type { ParameterName } from '../../config/input-limits.ts';
import type { Client } from '../../projections/clients.ts';
import type { ManagedGrant } from '../../projections/live-grant.ts';
import { exceededLimit } from '../details/requested-details.ts';
import type { TokenDetails } from '../details/token-details.ts';
import { unknownValueRefusal } from '../refusals/unknown-value.ts';
import type { RequestedAccess } from '../resources/requested-access.ts';
import type { AuthenticationRequest } from '../openid/authentication-request.ts';
import type { RequestedClaim } from '../openid/claims-parameter.ts';
import { oauthError } from './errors.ts';
import { requireParameter, type Parameters } from './parameters.ts';

/** Finds current managed grants. */
export interface ManagedGrants {
  /** Returns the current grant with this id, which stays the same when the grant is updated. */
  findManaged(managedId: string): ManagedGrant | undefined;
  /** Returns the decrypted authorization details of the grant. */
  decryptDetails(grant: ManagedGrant): readonly AuthorizationDetail[];
}

export function createManagedGrants(
  grants: Pick<ManagedGrants, 'findManaged'>,
  tokenDetails: Pick<TokenDetails, 'open'>,
): ManagedGrants {
  return {
    findManaged: grants.findManaged,
    decryptDetails: (grant) => tokenDetails.open(grant, grant.details ?? []),
  };
}

/** The action of a request on a managed grant (FAPI Grant Management §5.2). */
export interface RequestedManagement {
  readonly action: ManagementAction;
  /** The grant to update; undefined for `create`. */
  readonly grantToUpdate: ManagedGrant | undefined;
}

/** The id of a grant: 128 bits in base64url. */
const GRANT_ID = /^[\w-]{22}$/;

/**
 * Reads the parameters for grant management.
 * @returns the requested action; undefined if the request does not ask for grant management
 * @throws OAuthError if the client may not manage grants, the parameters contradict each other, or there is no such
 * grant
 */
export function requestedManagement(
  parameters: Parameters,
  client: Client,
  grants: ManagedGrants,
): RequestedManagement | undefined {
  const [action, id] = [parameters.get('grant_management_action'), parameters.get('grant_id')];
  if (action === undefined && id === undefined) return undefined;
  requireManagementAllowed(client);
  if (action === undefined) throw oauthError({ rule: 'grant-id-misplaced', beside: 'no action' });
  if (!isAction(action)) throw oauthError(unknownValueRefusal('grant_management_action', action, MANAGEMENT_ACTIONS));
  if (action !== 'create') return { action, grantToUpdate: requireGrantToUpdate(parameters, client, grants) };
  if (id !== undefined) throw oauthError({ rule: 'grant-id-misplaced', beside: 'create' });
  return { action, grantToUpdate: undefined };
}

/**
 * Returns the scope, resource servers and authorization details for the consent page: those of the request and, for a
 * merge, also those of the grant. A merged grant has every scope at every resource server. The merged access is checked
 * against the current rules as if all of it had been requested at once.
 * @throws OAuthError `invalid_target` if either the request or the grant, but not both, is for all resource servers;
 * `invalid_authorization_details` if the request and the grant together have too many details
 */
export function managedAccess(
  requested: RequestedAccess,
  { action, grantToUpdate }: RequestedManagement,
  grants: ManagedGrants,
  readAccess: (parameters: Parameters) => RequestedAccess,
): RequestedAccess {
  if (action !== 'merge' || grantToUpdate === undefined) return requested;
  const { scope, resource = [] } = grantToUpdate;
  const [isGrantRestricted, isRequestRestricted] = [resource.length > 0, requested.resource.length > 0];
  if (isGrantRestricted !== isRequestRestricted)
    throw oauthError({ rule: 'merge-of-all-resources', restricted: isGrantRestricted ? 'grant' : 'request' });
  const mergedParameters = new Map<ParameterName, string>([
    ['scope', formatScope(unique([...scope, ...requested.scope]))],
  ]);
  if (isGrantRestricted) mergedParameters.set('resource', unique([...resource, ...requested.resource]).join(' '));
  const details = unique([...grants.decryptDetails(grantToUpdate), ...requested.details].map(canonicalJson));
  if (details.length > 0) mergedParameters.set('authorization_details', detailsParameter(details));
  return readAccess(mergedParameters);
}

/**
 * Returns the recorded details that a merge keeps, so that they have the same hashes in the merged grant. Returns
 * undefined if the request is not a merge, or the grant has no details.
 */
export function mergedDetails(management: RequestedManagement | undefined): ManagedGrant['details'] {
  return management?.action === 'merge' ? management.grantToUpdate?.details : undefined;
}

/** Returns the authentication request. For a merge, the claims of the grant are added. */
export function withGrantedClaims(
  openid: AuthenticationRequest,
  management: RequestedManagement | undefined,
): AuthenticationRequest {
  const grantedClaims = management?.action === 'merge' ? management.grantToUpdate?.claims : undefined;
  if (grantedClaims === undefined) return openid;
  const { idToken, userinfo } = openid.claims;
  return {
    ...openid,
    claims: {
      idToken: withNames(idToken, grantedClaims.idToken),
      userinfo: withNames(userinfo, grantedClaims.userinfo),
    },
  };
}

function withNames(claims: readonly RequestedClaim[], names: readonly string[]): readonly RequestedClaim[] {
  return [...claims.filter(({ name }) => !names.includes(name)), ...names.map(claimWithAnyValue)];
}

const claimWithAnyValue = (name: string): RequestedClaim => ({ name, isEssential: false, values: null });

/** Reports whether the user may make the request: only the user who gave a grant may update it. */
export function mayManage(management: RequestedManagement | undefined, userId: UserId): boolean {
  return management?.grantToUpdate === undefined || management.grantToUpdate.userId === userId;
}

/**
 * Returns the merged details as the value of one parameter.
 * @throws OAuthError if the details exceed the limits for one request
 */
function detailsParameter(details: readonly string[]): string {
  const json = `[${details.join(',')}]`;
  const excess = exceededLimit(json, details.length);
  if (excess === undefined) return json;
  throw oauthError({ rule: 'merge-too-large', limit: excess });
}

function unique(values: readonly string[]): readonly string[] {
  return [...new Set(values)];
}

/**
 * Refuses clients that may not manage grants. Public clients may not, because anyone who knew the id of a grant could
 * update the grant (FAPI Grant Management §5.1).
 */
function requireManagementAllowed({ clientType, restrictedScopes }: Client): void {
  if (clientType === 'public') throw oauthError({ rule: 'grant-management-not-allowed', because: 'public' });
  if (restrictedScopes.some((name) => name.startsWith('grant_management_'))) return;
  throw oauthError({ rule: 'grant-management-not-allowed', because: 'scope' });
}

/** Returns the grant to update. Refuses another client's grant in the same way as an unknown grant. */
function requireGrantToUpdate(parameters: Parameters, { clientId }: Client, grants: ManagedGrants): ManagedGrant {
  const id = requireParameter(parameters, 'grant_id');
  if (!GRANT_ID.test(id)) throw oauthError({ rule: 'grant-id-unknown', problem: 'malformed' });
  const grant = grants.findManaged(id);
  if (grant?.clientId !== clientId) throw oauthError({ rule: 'grant-id-unknown', problem: 'not-current' });
  return grant;
}

function isAction(text: string): text is ManagementAction {
  return (MANAGEMENT_ACTIONS as readonly string[]).includes(text);
}
