import type { AuthorizationDetail } from '../../domain/authorization-details.ts';
import { formatScope } from '../../domain/scope.ts';
import type { EpochSeconds } from '../../domain/values.ts';
import type { RequestMetadata } from '../../event-store/command-handler.ts';
import type { Client } from '../../projections/clients.ts';
import type { ManagedGrant } from '../../projections/live-grant.ts';
import type { GrantCommands } from '../grant-types/grant-type.ts';
import type { KnownResources } from '../resources/known-resources.ts';
import type { ManagedGrants } from './requested-management.ts';
import type { EffectiveScope } from './restricted-scopes.ts';
import { revokeGrant } from './revoke-grant.ts';

/** The current contents of a grant (FAPI Grant Management §6.4). */
export interface GrantDescription {
  readonly scopes: readonly { readonly scope: string; readonly resource?: readonly string[] }[];
  /** The names of claims that the client gets in addition to the claims of the scope. */
  readonly claims?: readonly string[];
  /** The authorization details (RFC 9396) of types that are still declared. */
  readonly authorization_details?: readonly AuthorizationDetail[];
}

/** The grant management API (FAPI Grant Management §6). A client learns nothing about other clients' grants. */
export interface GrantManagement {
  /** Returns the contents of the grant, or undefined if the client has no current grant with this id. */
  query(managedId: string, clientId: string, now: EpochSeconds): GrantDescription | undefined;
  /** Revokes the grant. Resolves to false if the client has no current grant with this id. */
  revoke(managedId: string, clientId: string, now: EpochSeconds, metadata: RequestMetadata): Promise<boolean>;
}

export function createGrantManagement(deps: {
  readonly grants: ManagedGrants;
  readonly grantCommands: Pick<GrantCommands, 'execute'>;
  readonly clients: { find(clientId: string): Client | undefined };
  readonly effectiveScope: EffectiveScope;
  readonly resources: Pick<KnownResources, 'detailTypes'>;
}): GrantManagement {
  const { grants, grantCommands, clients, effectiveScope, resources } = deps;

  function find(managedId: string, clientId: string, now: EpochSeconds): ManagedGrant | undefined {
    const grant = grants.findManaged(managedId);
    if (grant?.clientId !== clientId) return undefined;
    return grant.expiresAt === null || now < grant.expiresAt ? grant : undefined;
  }

  return {
    query(managedId, clientId, now) {
      const [grant, client] = [find(managedId, clientId, now), clients.find(clientId)];
      if (grant === undefined || client === undefined) return undefined;
      const { userId, scope, resource = [], claims } = grant;
      const declaredTypes = resources.detailTypes();
      const details = grants.decryptDetails(grant).filter(({ type }) => declaredTypes.has(type));
      const claimNames = [...new Set([...(claims?.idToken ?? []), ...(claims?.userinfo ?? [])])];
      return {
        scopes: [
          {
            scope: formatScope(effectiveScope(scope, client, userId)),
            ...(resource.length === 0 ? {} : { resource }),
          },
        ],
        ...(claimNames.length === 0 ? {} : { claims: claimNames }),
        ...(details.length === 0 ? {} : { authorization_details: details }),
      };
    },

    async revoke(managedId, clientId, now, metadata) {
      const grant = find(managedId, clientId, now);
      if (grant === undefined) return false;
      const context = { actor: { kind: 'client', id: clientId }, ...metadata } as const;
      await revokeGrant(grantCommands, grant.grantId, 'revoked-by-client', context);
      return true;
    },
  };
}
