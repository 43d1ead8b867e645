import { BUILT_IN_SCOPES, SAMPLE_SCOPES } from '../../../config/built-in-scopes.ts';
import { effectiveDisplay, type ScopeDisplay } from '../../../config/scope-display.ts';
import type { Resources } from '../../../domain/resource.ts';
import { GROUPS_SCOPE, isRestricted } from '../../../domain/scope.ts';
import type { MessageKey } from '../../../language/catalog.ts';
import { english } from '../../../language/english.ts';
import { message, type Text } from '../../../language/message.ts';
import { allOf } from '../../../policy/combinators.ts';
import type { Policy } from '../../../policy/policy.ts';
import { tokenScopes } from '../../../policy/requirements.ts';
import { policiesOf } from '../../pipeline/require-policy.ts';
import { claimsOfScope, type ScopeClaims } from '../../../oauth/openid/user-claims.ts';
import type { KnownResource, KnownResources } from '../../../oauth/resources/known-resources.ts';
import { describeClaims } from './claim-names.ts';
import type { ScopeDescription } from './locals.ts';
import type { Route } from '../../route.ts';

/**
 * Describes a scope to users.
 * @param resource the resource servers that the authorization is limited to; empty, the default, means no limit
 */
export type DescribeScope = (name: string, resource?: Resources) => ScopeDescription;

/**
 * Returns a function that describes scopes. The function combines the configured description of a scope with the
 * effects that `routes` declare for the scope, and with the claims that the scope gives access to. No configured
 * description can hide effects. Effects replace a vague default description.
 */
export function createScopeDescriber(
  settings: {
    readonly scopes: Readonly<Record<string, string>>;
    readonly scopeClaims: ScopeClaims;
    readonly scopeDisplay: Readonly<Record<string, ScopeDisplay>>;
  },
  routes: readonly Route[],
  resources: Pick<KnownResources, 'findByScope'>,
): DescribeScope {
  const effects = effectsByScope(routes);
  return (name, resource = []) => {
    const { scopes } = settings;
    const configuredDescription =
      (Object.hasOwn(scopes, name) ? scopes[name] : undefined) ??
      definedDescription(name, resources.findByScope(name), resource);
    const declaredEffects = [...(effects.get(name) ?? [])].map((key) => message(key));
    // Tokens contain the groups even without the openid scope, so this effect is always shown.
    const allEffects = name === GROUPS_SCOPE ? [describeClaims(['groups']), ...declaredEffects] : declaredEffects;
    const sentences =
      isVagueDefault(name, configuredDescription) && allEffects.length > 0
        ? allEffects
        : removeDuplicates([toCatalogText(name, configuredDescription), ...allEffects]);
    const [description = configuredDescription, ...otherSentences] = sentences;
    const shares = describeClaims(claimsOfScope([name], settings.scopeClaims));
    // Every effect that a route declares reaches beyond the user's own data.
    const isServerWide = declaredEffects.length > 0 || isRestricted(name);
    const { icon, sensitivity } = effectiveDisplay(settings.scopeDisplay, name);
    const isSensitive = sensitivity === 'sensitive';
    const display = {
      effects: isSensitive ? [...otherSentences, message('scope.sensitive')] : otherSentences,
      icon,
      isSensitive,
      isServerWide,
    };
    return {
      name,
      description,
      ...display,
      shares: removeDuplicates([...sentences, shares]).length === sentences.length ? '' : shares,
    };
  };
}

/**
 * Returns the sentences without duplicates. Sentences are compared in English, because the operator may have configured
 * a sentence that the server also adds.
 */
function removeDuplicates(sentences: readonly Text[]): readonly Text[] {
  const englishSentences = sentences.map(english.text);
  return sentences.filter((_, index) => englishSentences.indexOf(englishSentences[index] ?? '') === index);
}

/** The catalog entries for the default scope descriptions. */
const DEFAULT_DESCRIPTIONS: Readonly<Record<keyof typeof BUILT_IN_SCOPES | keyof typeof SAMPLE_SCOPES, MessageKey>> = {
  read: 'scope.read',
  write: 'scope.write',
  admin: 'scope.admin',
  audit: 'scope.audit',
  introspection: 'scope.introspection',
  'clients:register': 'scope.clients-register',
  grant_management_query: 'scope.grant-management-query',
  grant_management_revoke: 'scope.grant-management-revoke',
  openid: 'scope.openid',
  profile: 'scope.profile',
  email: 'scope.email',
  address: 'scope.address',
  phone: 'scope.phone',
  groups: 'scope.groups',
  offline_access: 'scope.offline-access',
};

/** Returns the translatable message for a default description. Returns any other description unchanged. */
export function toCatalogText(name: string, description: string): Text {
  if (name === GROUPS_SCOPE && description === SAMPLE_SCOPES.groups) return message('scope.groups-of-user');
  const keys: Readonly<Record<string, MessageKey | undefined>> = DEFAULT_DESCRIPTIONS;
  const key = Object.hasOwn(keys, name) ? keys[name] : undefined;
  return key !== undefined && english.t(key) === description ? message(key) : description;
}

/**
 * Returns the descriptions of a scope from the resource servers that define it. If `resource` is not empty, only those
 * resource servers count. Returns the name of the scope if no resource server defines the scope, or if `resource` is
 * empty and several resource servers define the scope.
 */
function definedDescription(name: string, definingResources: readonly KnownResource[], resource: Resources): string {
  const candidates =
    resource.length === 0 ? definingResources : definingResources.filter(({ uri }) => resource.includes(uri));
  const [firstDescription, ...otherDescriptions] = candidates.map(({ scopes }) => scopes?.[name] ?? name);
  if (resource.length === 0 && otherDescriptions.length > 0) return name;
  return firstDescription === undefined ? name : [firstDescription, ...otherDescriptions].join('; ');
}

function isVagueDefault(name: string, description: string): boolean {
  const defaults: Readonly<Record<string, string>> = SAMPLE_SCOPES;
  return defaults[name] === description || (name === GROUPS_SCOPE && BUILT_IN_SCOPES[name] === description);
}

function effectsByScope(routes: readonly Route[]): ReadonlyMap<string, ReadonlySet<MessageKey>> {
  const effects = new Map<string, Set<MessageKey>>();
  for (const { pipeline, openApi = [] } of routes) {
    const policies = pipeline.flatMap(policiesOf);
    for (const { method, effect } of openApi) {
      if (effect === undefined) continue;
      for (const scope of requiredScopes(policies, method)) {
        effects.set(scope, (effects.get(scope) ?? new Set()).add(effect));
      }
    }
  }
  return effects;
}

/** Returns the scopes that the policies require, across all alternatives. */
function requiredScopes(policies: readonly Policy[], method: string): ReadonlySet<string> {
  return new Set(tokenScopes(allOf(...policies).requirements(method)).flat());
}
