import type { IssuerLimit } from '../../domain/assertion-grant.ts';
import { parseScope } from '../../domain/scope.ts';
import { withoutEmptyPath } from '../../domain/resource.ts';
import type { KnownResources } from '../resources/known-resources.ts';
import type { Claims, ForeignToken } from './foreign-tokens.ts';

/**
 * Returns the limits on the access that a JWT from another issuer can grant: those in the issuer's registration, and
 * those in the `scope` and `resource` claims. Unknown resources, and unknown scopes in the registration, are left out.
 */
export function accessLimits(
  { trustedIssuer, claims }: ForeignToken,
  knownResources: Pick<KnownResources, 'scopes' | 'uris'>,
): readonly [issuerLimit: IssuerLimit, tokenLimit: IssuerLimit] {
  const [scopes, uris] = [knownResources.scopes(), knownResources.uris()];
  const isKnownScope = (name: string): boolean => Object.hasOwn(scopes, name);
  const claimedUris = claimedResources(claims);
  return [
    {
      by: 'issuer',
      scope: trustedIssuer.scope.filter(isKnownScope),
      resources: trustedIssuer.resources && trustedIssuer.resources.filter((uri) => uris.includes(uri)),
    },
    {
      by: 'assertion',
      scope: claimedScope(claims),
      resources: claimedUris && uris.filter((uri) => claimedUris.includes(withoutEmptyPath(uri))),
    },
  ];
}

/** Returns the scopes in the claim, an empty list if the claim is malformed, or null if it is missing. */
function claimedScope({ scope }: Claims): readonly string[] | null {
  if (scope === undefined) return null;
  return typeof scope === 'string' ? (parseScope(scope) ?? []) : [];
}

/** Returns the resources in the claim, without malformed ones, or null if it is missing. */
function claimedResources({ resource }: Claims): readonly string[] | null {
  if (resource === undefined) return null;
  const values: readonly unknown[] = Array.isArray(resource) ? resource : [resource];
  return values.flatMap((uri) => (typeof uri === 'string' ? withoutEmptyPath(uri) : []));
}
