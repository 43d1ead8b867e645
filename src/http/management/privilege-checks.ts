import { ownersOf } from '../../domain/members.ts';
import { normalizeUserName } from '../../domain/user-name.ts';
import { parseClientLine } from '../../oauth/issuers/issuer-texts.ts';
import type { OperationDeps } from '../../operations/operation-context.ts';
import type { Client } from '../../projections/clients.ts';
import type { Input, PrivilegeCheck } from './row.ts';

// The management API can remove privileges, but cannot grant any. Otherwise, a client could extend its own privileges,
// or keep access through an account or another client after its own removal. These rules are checked again when the
// events are appended.

const ONLY_HUMANS_CAN = 'only administrators on the pages and the operator on the command line can';

/** Refuses roles for new and invited accounts. */
export const forbidRoles: PrivilegeCheck = ({ roles }) =>
  Array.isArray(roles) && roles.length > 0 ? `${ONLY_HUMANS_CAN} give a role` : undefined;

/**
 * Refuses to resend an invitation with roles while the server sends no mail, because the response would contain the
 * link. The link may go only to the address that an administrator or the operator chose.
 */
export const forbidLinkWithRole: PrivilegeCheck = ({ invitation }, { invitations, emails }) => {
  if (emails.isOn || typeof invitation !== 'string') return undefined;
  const { roles = [] } = invitations.findByNumber(invitation) ?? {};
  return roles.length > 0
    ? `while this server sends no mail, ${ONLY_HUMANS_CAN} resend an invitation with a role`
    : undefined;
};

/** Refuses to add roles. Removing roles is allowed. */
export const forbidAddedRoles: PrivilegeCheck = ({ username, roles }, { projections }) => {
  const currentRoles: readonly string[] = findUser(username, projections)?.roles ?? [];
  const addsRole = Array.isArray(roles) && roles.some((role) => !currentRoles.includes(String(role)));
  return addsRole ? `${ONLY_HUMANS_CAN} give a role` : undefined;
};

/**
 * Refuses changes to the login of users who have a role or own a client with a restricted scope. The API can disable
 * and erase the accounts of these users, but cannot enable them.
 */
export const forbidPrivilegedUser: PrivilegeCheck = ({ username }, { projections }) => {
  const user = findUser(username, projections);
  if (user === undefined) return undefined;
  if (user.roles.length > 0) return `${ONLY_HUMANS_CAN} change how a user with a role logs in`;
  const ownsPrivilegedClient = [...projections.clients.all()].some(
    (client) => isPrivileged(client) && ownersOf(client).some(({ userId }) => userId === user.userId),
  );
  return ownsPrivilegedClient
    ? `${ONLY_HUMANS_CAN} change how an owner of an application with a restricted scope logs in`
    : undefined;
};

/**
 * Refuses changes to the calling client and to clients with a restricted scope. A caller that controls such a client
 * could get the scope.
 */
export const forbidPrivilegedClient: PrivilegeCheck = (input, deps, caller) => {
  const { clientId } = input;
  const client = typeof clientId === 'string' ? deps.projections.clients.find(clientId) : undefined;
  if (client === undefined) return undefined;
  if (client.clientId === caller) return `${ONLY_HUMANS_CAN} change the calling client`;
  return isPrivileged(client) ? `${ONLY_HUMANS_CAN} change a client with a restricted scope` : undefined;
};

/** Like `forbidPrivilegedClient`, but lets a client replace its own secret. */
export const forbidOtherPrivilegedClient: PrivilegeCheck = (input, deps, caller) =>
  input['clientId'] === caller ? undefined : forbidPrivilegedClient(input, deps, caller);

export const forbidCallingClient: PrivilegeCheck = ({ clientId }, _deps, caller) =>
  clientId === caller ? `${ONLY_HUMANS_CAN} change the calling client` : undefined;

export const forbidRestrictedScopes: PrivilegeCheck = (input) => {
  const { restrictedScopes } = (input['changes'] ?? input) as Input;
  return Array.isArray(restrictedScopes) && restrictedScopes.length > 0
    ? `${ONLY_HUMANS_CAN} give a restricted scope`
    : undefined;
};

/**
 * Refuses providers whose groups give roles or that link accounts by e-mail address, and a new issuer for a provider
 * with linked accounts. The operator of such a provider could log in as another user, or with a role.
 */
export const forbidPrivilegedProvider: PrivilegeCheck = (input, { projections }) => {
  const { providerId, roles, linking, issuer, tenants, preset } = input;
  const provider = typeof providerId === 'string' ? projections.upstreamProviders.find(providerId) : undefined;
  const mapsRoles = (Array.isArray(roles) && roles.length > 0) || (provider !== undefined && provider.roles.length > 0);
  if (mapsRoles) return `${ONLY_HUMANS_CAN} add or change a provider whose groups give roles`;
  if ((linking !== undefined && linking !== 'explicit') || (provider !== undefined && provider.linking !== 'explicit'))
    return `${ONLY_HUMANS_CAN} add or change a provider that links accounts by e-mail address`;
  const changesIssuer = provider !== undefined && [issuer, tenants, preset].some((value) => value !== undefined);
  return changesIssuer && projections.upstreamAccounts.countByProvider(provider.providerId) > 0
    ? `${ONLY_HUMANS_CAN} change the issuer of a provider with linked accounts`
    : undefined;
};

/**
 * Refuses issuers whose tokens stand for users or for a client with a restricted scope. The party that controls such an
 * issuer could act as these users or as this client.
 */
export const forbidPrivilegedIssuer: PrivilegeCheck = ({ mapping, clients }, { projections }) => {
  if (mapping !== 'client') return `${ONLY_HUMANS_CAN} trust an issuer whose tokens stand for users`;
  const ids = Array.isArray(clients) ? clients.map((line) => parseClientLine(String(line)).id) : [];
  const namedClients = ids.flatMap((id) => projections.clients.find(id) ?? []);
  return namedClients.some(isPrivileged)
    ? `${ONLY_HUMANS_CAN} trust an issuer whose tokens stand for a client with a restricted scope`
    : undefined;
};

/**
 * Refuses to end everything that came from a client that `forbidPrivilegedClient` protects. The operation replaces the
 * client's secret, and the response contains the new secret.
 */
export const forbidPrivilegedSource: PrivilegeCheck = ({ client }, deps, caller) =>
  forbidPrivilegedClient({ clientId: client }, deps, caller);

function findUser(username: unknown, { users }: OperationDeps['projections']) {
  return typeof username === 'string' ? users.findByName(normalizeUserName(username)) : undefined;
}

function isPrivileged({ restrictedScopes }: Client): boolean {
  return restrictedScopes.length > 0;
}
