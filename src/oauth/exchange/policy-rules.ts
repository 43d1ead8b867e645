import type { ExchangePolicySettings } from '../../domain/exchange-settings.ts';
import { MAX_LENGTH } from '../../domain/lengths.ts';
import { isResourceUri } from '../../domain/resource.ts';
import { isOpenIdScope, isRestricted, isScopeToken } from '../../domain/scope.ts';
import { EXCHANGE_MODES, type ClientType } from '../../domain/values.ts';

/** The entered settings of a policy, not yet validated. */
export interface ExchangePolicyFields {
  readonly modes: readonly string[];
  /** Null for the scope of the subject token. */
  readonly scope: readonly string[] | null;
  /** Null for the resource servers of the subject token. */
  readonly resources: readonly string[] | null;
}

/** The problem of each invalid field, as a sentence. */
export type ExchangePolicyErrors = {
  readonly [Field in keyof ExchangePolicyFields | 'clientId' | 'subjectClientId']?: string;
};

/** Every event of a policy contains them. */
const MAX_NAMES = 50;

export const UNKNOWN_SUBJECT = 'No application has this client id, so nobody has its tokens.';

/** The problem with the client that exchanges tokens; undefined if there is none. */
export function exchangingClientProblem(client: { readonly clientType: ClientType } | undefined): string | undefined {
  if (client === undefined) return 'No application has this client id.';
  return client.clientType === 'confidential' ? undefined : 'Only a confidential application can exchange tokens.';
}

/** What keeps a policy from having an effect, as a sentence; undefined if nothing does. */
export function exchangePolicyWarning(
  client: { readonly name: string; readonly grantTypes: readonly string[] } | undefined,
): string | undefined {
  if (client === undefined || client.grantTypes.includes('token-exchange')) return undefined;
  return `${client.name} is not registered for token exchange, so the policy has no effect yet.`;
}

/**
 * @param known the scopes and the resource servers at present
 * @returns the settings to record, or what is wrong
 */
export function checkExchangePolicy(
  fields: ExchangePolicyFields,
  known: { readonly scopes: Readonly<Record<string, string>>; readonly resources: readonly string[] },
): { readonly settings: ExchangePolicySettings } | { readonly errors: ExchangePolicyErrors } {
  const modes = EXCHANGE_MODES.filter((mode) => fields.modes.includes(mode));
  const scope = fields.scope && [...new Set(fields.scope)];
  const resources = fields.resources && [...new Set(fields.resources)];
  const problems = {
    modes: modesProblem(fields.modes),
    scope: scope === null ? undefined : scopeProblem(scope, known.scopes),
    resources: resources === null ? undefined : resourcesProblem(resources, known.resources),
  };
  const errors = Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem !== undefined));
  return Object.keys(errors).length > 0 ? { errors } : { settings: { modes, scope, resources } };
}

function modesProblem(modes: readonly string[]): string | undefined {
  const isKnown = modes.every((mode) => (EXCHANGE_MODES as readonly string[]).includes(mode));
  return isKnown && modes.length > 0 ? undefined : `Choose ${EXCHANGE_MODES.join(', ')} or both.`;
}

/** Restricted scopes and those of OpenID Connect are for the client that a token was issued to. */
function scopeProblem(scope: readonly string[], known: Readonly<Record<string, string>>): string | undefined {
  if (scope.length === 0) return 'Name at least one scope, or allow all scopes of the subject token.';
  if (scope.length > MAX_NAMES) return `A policy can name at most ${MAX_NAMES} scopes.`;
  const own = scope.find((name) => isRestricted(name) || isOpenIdScope(name));
  if (own !== undefined) return `The scope ${own} cannot be exchanged.`;
  const unknown = scope.find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return undefined;
  return isScopeToken(unknown) && unknown.length <= MAX_LENGTH.scopeName
    ? `The scope ${unknown} is neither in the settings nor defined by a resource server.`
    : `A scope has at most ${MAX_LENGTH.scopeName} characters of ASCII without space, quote and backslash.`;
}

function resourcesProblem(resources: readonly string[], known: readonly string[]): string | undefined {
  if (resources.length === 0) return 'Name at least one resource server, or allow those of the subject token.';
  if (resources.length > MAX_NAMES) return `A policy can name at most ${MAX_NAMES} resource servers.`;
  const unknown = resources.find((uri) => !known.includes(uri));
  if (unknown === undefined) return undefined;
  return isResourceUri(unknown) && unknown.length <= MAX_LENGTH.resourceUri
    ? `The resource server ${unknown} is not known: register it, or name it in the setting resources.`
    : `A resource server is an absolute URI of at most ${MAX_LENGTH.resourceUri} characters.`;
}
