import type { ExchangePolicySettings } from '../../domain/exchange-settings.ts';
import { MAX_LENGTH } from '../../domain/lengths.ts';
import { isResourceUri } from '../../domain/resource.ts';
import { isOpenIdScope, isRestricted, isScopeToken } from '../../domain/scope.ts';
import { message, type Message } from '../../language/message.ts';
import { EXCHANGE_MODES, type ClientType } from '../../domain/values.ts';

/** A policy's settings as entered, not yet validated. */
export interface ExchangePolicyFields {
  readonly modes: readonly string[];
  /** Null if it is the subject token's scope. */
  readonly scope: readonly string[] | null;
  /** Null if they are the subject token's. */
  readonly resources: readonly string[] | null;
}

/** The problem with each invalid field. */
export type ExchangePolicyErrors = {
  readonly [Field in keyof ExchangePolicyFields | 'clientId' | 'subjectClientId']?: Message;
};

/** The maximum number of scopes and of resource servers. Each event that sets a policy contains all of them. */
const MAX_ENTRIES = 50;

export const UNKNOWN_SUBJECT = message('policy-problem.unknown-subject');

/** Returns the problem with the client that exchanges tokens, or undefined if the client may do so. */
export function exchangingClientProblem(client: { readonly clientType: ClientType } | undefined): Message | undefined {
  if (client === undefined) return message('policy-problem.unknown-client');
  return client.clientType === 'confidential' ? undefined : message('policy-problem.public-client');
}

/** Returns why a policy has no effect, or undefined if it has an effect. */
export function exchangePolicyWarning(
  client: { readonly name: string; readonly grantTypes: readonly string[] } | undefined,
): Message | undefined {
  if (client === undefined || client.grantTypes.includes('token-exchange')) return undefined;
  return message('policy-problem.no-effect', { client: client.name });
}

/**
 * Validates the entered settings of a policy.
 * @param available the scopes and resource servers that currently exist
 * @returns the settings to record, or the problems
 */
export function checkExchangePolicy(
  fields: ExchangePolicyFields,
  available: { readonly scopes: Readonly<Record<string, string>>; readonly resources: readonly string[] },
): { readonly settings: ExchangePolicySettings } | { readonly errors: ExchangePolicyErrors } {
  const modes = EXCHANGE_MODES.filter((mode) => fields.modes.includes(mode));
  const scope = fields.scope && [...new Set(fields.scope)];
  const resources = fields.resources && [...new Set(fields.resources)];
  const problems = {
    modes: modesProblem(fields.modes),
    scope: scope === null ? undefined : scopeProblem(scope, available.scopes),
    resources: resources === null ? undefined : resourcesProblem(resources, available.resources),
  };
  const errors = Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem !== undefined));
  return Object.keys(errors).length > 0 ? { errors } : { settings: { modes, scope, resources } };
}

function modesProblem(modes: readonly string[]): Message | undefined {
  const areAllKnown = modes.every((mode) => (EXCHANGE_MODES as readonly string[]).includes(mode));
  return areAllKnown && modes.length > 0
    ? undefined
    : message('policy-problem.modes', { choices: EXCHANGE_MODES.join(', ') });
}

/**
 * Returns the problem with the scope, or undefined if it is valid. Restricted scopes and OpenID Connect scopes are
 * reserved for the client to which a token was issued.
 */
function scopeProblem(scope: readonly string[], definedScopes: Readonly<Record<string, string>>): Message | undefined {
  if (scope.length === 0) return message('policy-problem.no-scope');
  if (scope.length > MAX_ENTRIES) return message('policy-problem.many-scopes', { limit: MAX_ENTRIES });
  const reservedScope = scope.find((name) => isRestricted(name) || isOpenIdScope(name));
  if (reservedScope !== undefined) return message('policy-problem.own-scope', { scope: reservedScope });
  const unknownScope = scope.find((name) => !Object.hasOwn(definedScopes, name));
  if (unknownScope === undefined) return undefined;
  return isScopeToken(unknownScope) && unknownScope.length <= MAX_LENGTH.scopeName
    ? message('policy-problem.unknown-scope', { scope: unknownScope })
    : message('policy-problem.scope-form', { limit: MAX_LENGTH.scopeName });
}

function resourcesProblem(resources: readonly string[], knownUris: readonly string[]): Message | undefined {
  if (resources.length === 0) return message('policy-problem.no-resource');
  if (resources.length > MAX_ENTRIES) return message('policy-problem.many-resources', { limit: MAX_ENTRIES });
  const unknownUri = resources.find((uri) => !knownUris.includes(uri));
  if (unknownUri === undefined) return undefined;
  return isResourceUri(unknownUri) && unknownUri.length <= MAX_LENGTH.resourceUri
    ? message('policy-problem.unknown-resource', { uri: unknownUri })
    : message('policy-problem.resource-form', { limit: MAX_LENGTH.resourceUri });
}
