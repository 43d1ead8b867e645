import { allowedClients, isRestricted } from '../../../domain/scope.ts';
import type { ScopeUse } from '../../../oauth/settings/forecast.ts';
import type { Client, Clients } from '../../../projections/clients.ts';
import type { ScopeApplication } from './scope-locals.ts';

/**
 * Returns the applications that use a scope. If it is restricted, the applications that may request it come first,
 * followed by any others that have been issued access tokens with it. An unrestricted scope may be requested by every
 * application.
 */
export function applicationsOfScope(
  scope: string,
  uses: ScopeUse['applications'],
  clients: Pick<Clients, 'all' | 'find'>,
): readonly ScopeApplication[] {
  const eligibleClients: readonly Client[] = isRestricted(scope) ? allowedClients(scope, clients.all()) : [];
  const tokens = new Map(uses.map((use) => [use.clientId, use.tokens]));
  const allowedIds = new Set<string>(eligibleClients.map(({ clientId }) => clientId));
  const pathOf = (clientId: string): string =>
    `/admin/applications/${encodeURIComponent(clientId)}/${isRestricted(scope) ? 'scopes/' : ''}`;
  return [
    ...eligibleClients.map((client) => ({
      name: client.name,
      href: pathOf(client.clientId),
      mayRequest: true,
      tokens: tokens.get(client.clientId) ?? 0,
    })),
    ...uses
      .filter(({ clientId }) => !allowedIds.has(clientId))
      .map((use) => {
        const client = clients.find(use.clientId);
        return {
          name: use.application,
          href: client === undefined ? null : pathOf(client.clientId),
          mayRequest: client !== undefined && !isRestricted(scope),
          tokens: use.tokens,
        };
      }),
  ];
}
