import type { IssuerLimit } from '../../domain/assertion-grant.ts';
import { parseScope } from '../../domain/scope.ts';
import { withoutEmptyPath } from '../../domain/resource.ts';
import type { KnownResources } from '../resources/known-resources.ts';
import type { Claims, ForeignToken } from './foreign-tokens.ts';

/**
 * The limits of what a JWT of another issuer can be redeemed or exchanged for: those of its record, and those that it
 * states itself, in `scope` and `resource`. Names that this server does not know are left out.
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

/** Null if it states none. One that is malformed allows nothing. */
function scopeIn({ scope }: Claims): readonly string[] | null {
  if (scope === undefined) return null;
  return typeof scope === 'string' ? (parseScope(scope) ?? []) : [];
}

function resourcesIn({ resource }: Claims): readonly string[] | null {
  if (resource === undefined) return null;
  const listed: readonly unknown[] = Array.isArray(resource) ? resource : [resource];
  return listed.flatMap((uri) => (typeof uri === 'string' ? withoutEmptyPath(uri) : []));
}
