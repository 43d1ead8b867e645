import { withoutUnknown } from '../../domain/scope.ts';
import type { AccessTokens } from '../../projections/access-tokens.ts';

/**
 * Access tokens as the current settings allow them, without scopes and resource servers that were removed from the
 * settings. A token whose resource servers were all removed is invalid, because an empty list would mean all of them.
 */
export function effectiveTokens(
  tokens: Pick<AccessTokens, 'find'>,
  { scopes }: { readonly scopes: Readonly<Record<string, string>> },
  knownResources: () => readonly string[],
): Pick<AccessTokens, 'find'> {
  const known = new Set(Object.keys(scopes));
  return {
    find(tokenHash, now) {
      const token = tokens.find(tokenHash, now);
      if (token === undefined) return undefined;
      const scope = withoutUnknown(token.scope, known);
      if (token.resource.length === 0) return scope === token.scope ? token : { ...token, scope };
      const resource = token.resource.filter((uri) => knownResources().includes(uri));
      return resource.length === 0 ? undefined : { ...token, scope, resource };
    },
  };
}
