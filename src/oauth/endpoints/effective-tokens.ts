import { withoutUnknown } from '../../domain/scope.ts';
import type { AccessTokens } from '../../projections/access-tokens.ts';

/**
 * Access tokens as far as the settings still provide for what was issued: a scope that was taken out of them is not
 * among a token's scopes, nor a resource server among its resource servers. A token for such resource servers alone is
 * dead, for an empty list would mean all of them.
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
