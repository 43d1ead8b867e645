import type { UserId } from '../../domain/values.ts';
import type { Client } from '../../projections/clients.ts';
import {
  listAuthorizedApplications,
  type AuthorizationLookups,
  type AuthorizedApplication,
} from './authorized-applications.ts';

/**
 * Returns the authorized applications that act as agents for a user, the most recently authorized first: clients that
 * nobody registered here, and clients that the user authorized for a resource server, such as an MCP server.
 */
export function connectedAgents(userId: UserId, lookups: AuthorizationLookups): readonly AuthorizedApplication[] {
  return listAuthorizedApplications(userId, lookups).filter(({ clientId, grants }) => {
    const client = lookups.clients.find(clientId);
    const isRegisteredHere = client?.document === undefined && client?.selfRegistered === undefined;
    return !isRegisteredHere || grants.some(({ resource = [] }) => resource.length > 0);
  });
}

/** Reports whether the id is the URL of a metadata document. */
const isDocumentUrl = (clientId: string): boolean => clientId.startsWith('https://');

/** Where an agent runs: the host of its document, the hosts of its redirect URIs, or a device of the user. */
export type AgentPlace = { readonly kind: 'web'; readonly host: string } | { readonly kind: 'device' };

/**
 * Returns the places where an agent runs, without duplicates. All loopback addresses and private-use URI schemes count
 * as one device.
 */
export function listPlaces(clientId: string, client: Pick<Client, 'redirectUris'> | undefined): readonly AgentPlace[] {
  if (isDocumentUrl(clientId)) return [{ kind: 'web', host: new URL(clientId).host }];
  const hosts = new Set((client?.redirectUris ?? []).map((uri) => webHost(uri)));
  const webHosts = [...hosts].filter((host) => host !== undefined);
  const runsOnDevice = hosts.size === 0 || hosts.has(undefined);
  return [
    ...webHosts.map((host) => ({ kind: 'web', host }) as const),
    ...(runsOnDevice ? [{ kind: 'device' } as const] : []),
  ];
}

/** Returns the host, or undefined for loopback addresses and private-use URI schemes (RFC 8252 §7). */
function webHost(uri: string): string | undefined {
  if (!/^https?:/i.test(uri)) return undefined;
  const { host, hostname } = new URL(uri);
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname) ? undefined : host;
}
