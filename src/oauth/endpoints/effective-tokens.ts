import { narrowScope, withoutUnknown } from '../../domain/scope.ts';
import type { AccessTokens } from '../../projections/access-tokens.ts';
import { definedScopes, type KnownResources } from '../resources/known-resources.ts';

/**
 * Creates a lookup that returns access tokens without the scopes and resource servers that have been removed since the
 * tokens were issued. A token whose resource servers have all been removed is invalid, because an empty list would mean
 * all resource servers.
 */
export function createEffectiveTokens(
  tokens: Pick<AccessTokens, 'find'>,
  settings: { readonly scopes: Readonly<Record<string, string>> },
  resources: Pick<KnownResources, 'find'>,
): Pick<AccessTokens, 'find'> {
  return {
    find(tokenHash, now) {
      const token = tokens.find(tokenHash, now);
      if (token === undefined) return undefined;
      const { scopes } = settings;
      const settingsScopes = { has: (name: string) => Object.hasOwn(scopes, name) };
      if (token.resource.length === 0) {
        const scope = withoutUnknown(token.scope, settingsScopes);
        return scope === token.scope ? token : { ...token, scope };
      }
      const resource = token.resource.filter((uri) => resources.find(uri) !== undefined);
      if (resource.length === 0) return undefined;
      const isDefined = (name: string): boolean =>
        resource.some((uri) => Object.hasOwn(resources.find(uri)?.scopes ?? {}, name));
      const knownScope = withoutUnknown(token.scope, { has: (name) => settingsScopes.has(name) || isDefined(name) });
      return { ...token, scope: narrowScope(knownScope, definedScopes(resource, resources)), resource };
    },
  };
}
