import type { IssuerLimit } from '../../domain/assertion-grant.ts';
import { parseScope } from '../../domain/scope.ts';
import { withoutEmptyPath } from '../../domain/resource.ts';
import type { KnownResources } from '../resources/known-resources.ts';
import type { Claims, ForeignToken } from './foreign-tokens.ts';

/**
 * Returns the limits of the access that a JWT of another issuer can grant: those of the issuer's registration, and the
 * claims `scope` and `resource` of the JWT. Names that this server does not know are left out.
 */
export function limitsOf(
  { trusted, claims }: ForeignToken,
  known: Pick<KnownResources, 'scopes' | 'uris'>,
): readonly [ofIssuer: IssuerLimit, ofToken: IssuerLimit] {
  const [scopes, uris] = [known.scopes(), known.uris()];
  const isKnownScope = (name: string): boolean => Object.hasOwn(scopes, name);
  const stated = resourcesIn(claims);
  return [
    {
      by: 'issuer',
      scope: trusted.scope.filter(isKnownScope),
      resources: trusted.resources && trusted.resources.filter((uri) => uris.includes(uri)),
    },
    {
      by: 'assertion',
      scope: scopeIn(claims),
      resources: stated && uris.filter((uri) => stated.includes(withoutEmptyPath(uri))),
    },
  ];
}

/** Returns null if the claim is missing. A malformed claim allows no scope. */
function scopeIn({ scope }: Claims): readonly string[] | null {
  if (scope === undefined) return null;
  return typeof scope === 'string' ? (parseScope(scope) ?? []) : [];
}

function resourcesIn({ resource }: Claims): readonly string[] | null {
  if (resource === undefined) return null;
  const listed: readonly unknown[] = Array.isArray(resource) ? resource : [resource];
  return listed.flatMap((uri) => (typeof uri === 'string' ? withoutEmptyPath(uri) : []));
}
