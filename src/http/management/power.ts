import { ownersOf } from '../../domain/members.ts';
import { normalizeUserName } from '../../domain/user-name.ts';
import { parseClientLine } from '../../oauth/issuers/issuer-texts.ts';
import type { OperationDeps } from '../../operations/operation-context.ts';
import type { Client } from '../../projections/clients.ts';
import type { Input, PowerCheck } from './row.ts';

// The management API can take power away, but not give it: otherwise a client could gain power, or keep access through
// an account or another client after its own removal. These rules are checked again when the events are appended.

const ONLY_HUMANS_CAN = 'only administrators on the pages and the operator on the command line can';

/** The management API gives no role to a new or invited account. */
export const forbidRoles: PowerCheck = ({ roles }) =>
  Array.isArray(roles) && roles.length > 0 ? `${ONLY_HUMANS_CAN} give a role` : undefined;

/**
 * The link of an invitation with roles may go only to the address that an administrator or the operator chose. While
 * the server sends no mail, the response would contain the link.
 */
export const forbidLinkWithRole: PowerCheck = ({ invitation }, { invitations, emails }) => {
  if (emails.isOn || typeof invitation !== 'string') return undefined;
  const { roles = [] } = invitations.findByNumber(invitation) ?? {};
  return roles.length > 0
    ? `while this server sends no mail, ${ONLY_HUMANS_CAN} send an invitation with a role again`
    : undefined;
};

/** Roles can be removed, but not added. */
export const forbidAddedRoles: PowerCheck = ({ username, roles }, { projections }) => {
  const currentRoles: readonly string[] = findUser(username, projections)?.roles ?? [];
  const addsRole = Array.isArray(roles) && roles.some((role) => !currentRoles.includes(String(role)));
  return addsRole ? `${ONLY_HUMANS_CAN} give a role` : undefined;
};

/** The API cannot change how users with power log in. It can disable their accounts, but not enable them. */
export const forbidUserWithPower: PowerCheck = ({ username }, { projections }) => {
  const user = findUser(username, projections);
  if (user === undefined) return undefined;
  if (user.roles.length > 0) return `${ONLY_HUMANS_CAN} change how a user with a role logs in`;
  const ownsClientWithPower = [...projections.clients.all()].some(
    (client) => hasPower(client) && ownersOf(client).some(({ userId }) => userId === user.userId),
  );
  return ownsClientWithPower
    ? `${ONLY_HUMANS_CAN} change how an owner of an application with a restricted scope logs in`
    : undefined;
};

/** A caller that controls a client with a restricted scope could get that scope. */
export const forbidClientWithPower: PowerCheck = (input, deps, caller) => {
  const { clientId } = input;
  const client = typeof clientId === 'string' ? deps.projections.clients.find(clientId) : undefined;
  if (client === undefined) return undefined;
  if (client.clientId === caller) return `${ONLY_HUMANS_CAN} change the calling client`;
  return hasPower(client) ? `${ONLY_HUMANS_CAN} change a client with a restricted scope` : undefined;
};

/** A client may replace its own secret, for example regularly. */
export const forbidOtherClientWithPower: PowerCheck = (input, deps, caller) =>
  input['clientId'] === caller ? undefined : forbidClientWithPower(input, deps, caller);

export const forbidCallingClient: PowerCheck = ({ clientId }, _deps, caller) =>
  clientId === caller ? `${ONLY_HUMANS_CAN} change the calling client` : undefined;

export const forbidRestrictedScopes: PowerCheck = (input) => {
  const { restrictedScopes } = (input['changes'] ?? input) as Input;
  return Array.isArray(restrictedScopes) && restrictedScopes.length > 0
    ? `${ONLY_HUMANS_CAN} give a restricted scope`
    : undefined;
};

/** The operator of a provider that assigns roles or links accounts could log in as another user, or with a role. */
export const forbidProviderWithPower: PowerCheck = (input, { projections }) => {
  const { providerId, roles, linking, issuer, tenants, preset } = input;
  const provider = typeof providerId === 'string' ? projections.upstreamProviders.find(providerId) : undefined;
  const mapsRoles = (Array.isArray(roles) && roles.length > 0) || (provider !== undefined && provider.roles.length > 0);
  if (mapsRoles) return `${ONLY_HUMANS_CAN} set a provider whose groups give roles`;
  if ((linking !== undefined && linking !== 'explicit') || (provider !== undefined && provider.linking !== 'explicit'))
    return `${ONLY_HUMANS_CAN} set a provider that links accounts by e-mail address`;
  const changesIssuer = provider !== undefined && [issuer, tenants, preset].some((value) => value !== undefined);
  return changesIssuer && projections.upstreamAccounts.countByProvider(provider.providerId) > 0
    ? `${ONLY_HUMANS_CAN} change the issuer of a provider with linked accounts`
    : undefined;
};

/** The party that controls an issuer could act as every user or client that its tokens can stand for. */
export const forbidIssuerWithPower: PowerCheck = ({ mapping, clients }, { projections }) => {
  if (mapping !== 'client') return `${ONLY_HUMANS_CAN} trust an issuer whose tokens stand for users`;
  const ids = Array.isArray(clients) ? clients.map((line) => parseClientLine(String(line)).id) : [];
  const namedClients = ids.flatMap((id) => projections.clients.find(id) ?? []);
  return namedClients.some(hasPower)
    ? `${ONLY_HUMANS_CAN} trust an issuer whose tokens stand for a client with a restricted scope`
    : undefined;
};

/** Ending everything that came from a client replaces its secret, and the response contains the new secret. */
export const forbidSourceWithPower: PowerCheck = ({ client }, deps, caller) =>
  forbidClientWithPower({ clientId: client }, deps, caller);

function findUser(username: unknown, { users }: OperationDeps['projections']) {
  return typeof username === 'string' ? users.findByName(normalizeUserName(username)) : undefined;
}

function hasPower({ restrictedScopes }: Client): boolean {
  return restrictedScopes.length > 0;
}
