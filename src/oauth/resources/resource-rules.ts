import { MAX_LENGTH } from '../../domain/lengths.ts';
import { isPrintable } from '../../domain/printable.ts';
import { isResourceUri, withoutEmptyPath } from '../../domain/resource.ts';
import type { DefinedScope, ResourceServerSettings } from '../../domain/resource-settings.ts';
import { isOpenIdScope, isRestricted, isScopeToken } from '../../domain/scope.ts';
import {
  ACCESS_TOKEN_FORMATS,
  SIGNING_ALGORITHMS,
  type AccessTokenFormat,
  type ClientId,
  type ClientType,
  type SigningAlgorithm,
  type UserId,
} from '../../domain/values.ts';
import { message, type Message, type Text } from '../../language/message.ts';
import { readDetailTypes } from '../details/entered-types.ts';

/** A resource server's settings as entered, not yet validated. */
export interface ResourceFields {
  readonly name: string;
  readonly ownerId: UserId | null;
  readonly scopes: readonly DefinedScope[];
  readonly accessTokenFormat: string | null;
  readonly accessTokenAlgorithm: string | null;
  readonly accessTokenLifetimeSeconds: number | null;
  readonly publishesMetadata: boolean;
  /** A JSON array (see `readDetailTypes`), or an empty string. */
  readonly detailTypes: string;
  /** The id of the client that the resource server uses for introspection; empty or absent if it uses none. */
  readonly introspectionClient?: string | undefined;
}

/** The problem with each invalid field. */
export type ResourceErrors = { readonly [Field in keyof ResourceFields | 'uri']?: Text };

/** The maximum number of scopes. It is small because tokens, events and the consent page can contain all of them. */
const MAX_SCOPES = 50;

const TEN_YEARS_IN_SECONDS = 315_360_000;

/** Returns the problem with the URI, or undefined if the URI is valid. The issuer's URI is reserved for this server. */
export function resourceUriProblem(uri: string, issuer: string): Message | undefined {
  if (uri.length > MAX_LENGTH.resourceUri)
    return message('resource-problem.long-uri', { limit: MAX_LENGTH.resourceUri });
  if (!isResourceUri(uri)) return message('resource-problem.uri');
  const { protocol, username, password } = new URL(uri);
  if (/^https?:(?!\/\/[^/])/i.test(uri)) return message('resource-problem.host');
  if (username !== '' || password !== '') return message('resource-problem.user');
  if (['javascript:', 'data:', 'file:'].includes(protocol))
    return message('resource-problem.scheme', { scheme: protocol });
  return withoutEmptyPath(uri) === withoutEmptyPath(issuer) ? message('resource-problem.own-uri') : undefined;
}

/**
 * Validates the entered settings of a resource server.
 * @param settingsScopes the descriptions of this server's scopes, by name, which a resource server cannot change
 * @param takenTypes the types of authorization details that other resource servers declare
 * @param clientTypeOf returns the type of a client, or undefined if no such client is registered
 * @returns the settings to record, or the problems
 */
export function checkResource(
  fields: ResourceFields,
  uri: string,
  settingsScopes: Readonly<Record<string, string>>,
  takenTypes: readonly string[],
  clientTypeOf: (clientId: string) => ClientType | undefined,
): { readonly settings: ResourceServerSettings } | { readonly errors: ResourceErrors } {
  const name = fields.name.trim();
  const format = fields.accessTokenFormat;
  const algorithm = fields.accessTokenAlgorithm;
  const lifetime = fields.accessTokenLifetimeSeconds;
  const scopes = fields.scopes.map((scope) => ({
    name: scope.name,
    description: Object.hasOwn(settingsScopes, scope.name)
      ? (settingsScopes[scope.name] ?? '')
      : scope.description.trim(),
  }));
  const introspectionClient = fields.introspectionClient ?? '';
  const details = readDetailTypes(fields.detailTypes, takenTypes);
  const problems: Record<string, Message | undefined> = {
    name: nameProblem(name),
    scopes: scopesProblem(scopes),
    accessTokenFormat: choiceProblem(format, ACCESS_TOKEN_FORMATS),
    accessTokenAlgorithm: choiceProblem(algorithm, SIGNING_ALGORITHMS),
    accessTokenLifetimeSeconds: lifetimeProblem(lifetime),
    publishesMetadata:
      fields.publishesMetadata && !/^https?:/i.test(uri) ? message('resource-problem.metadata') : undefined,
    detailTypes: 'problem' in details ? details.problem : undefined,
    introspectionClient:
      introspectionClient === '' ? undefined : introspectionProblem(clientTypeOf(introspectionClient)),
  };
  const errors = Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem !== undefined));
  if (Object.keys(errors).length > 0 || 'problem' in details) return { errors };
  return {
    settings: {
      name,
      ownerId: fields.ownerId,
      scopes,
      accessTokenFormat: format as AccessTokenFormat | null,
      accessTokenAlgorithm: algorithm as SigningAlgorithm | null,
      accessTokenLifetimeSeconds: lifetime,
      publishesMetadata: fields.publishesMetadata,
      ...(details.types.length === 0 ? {} : { detailTypes: details.types }),
      ...(introspectionClient === '' ? {} : { introspectionClient: introspectionClient as ClientId }),
    },
  };
}

function introspectionProblem(type: ClientType | undefined): Message | undefined {
  if (type === undefined) return message('resource-problem.unknown-client');
  return type === 'public' ? message('resource-problem.public-client') : undefined;
}

function nameProblem(name: string): Message | undefined {
  if (name !== '' && name.length <= MAX_LENGTH.resourceName && isPrintable(name)) return undefined;
  return message('resource-problem.name', { limit: MAX_LENGTH.resourceName });
}

function scopesProblem(scopes: readonly DefinedScope[]): Message | undefined {
  if (scopes.length > MAX_SCOPES) return message('resource-problem.many-scopes', { limit: MAX_SCOPES });
  const names = scopes.map(({ name }) => name);
  const repeatedName = names.find((name, index) => names.indexOf(name) !== index);
  if (repeatedName !== undefined) return message('resource-problem.repeated-scope', { scope: repeatedName });
  for (const scope of scopes) {
    const problem = scopeProblem(scope);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/**
 * Returns the problem with a scope, or undefined if the scope is valid. A resource server can list a scope of this
 * server, so that tokens for the resource server can have it, but cannot change its description. Restricted scopes and
 * OpenID Connect scopes cannot be listed, because they are only for this server.
 */
function scopeProblem({ name, description }: DefinedScope): Message | undefined {
  if (name.length > MAX_LENGTH.scopeName)
    return message('resource-problem.long-scope', { limit: MAX_LENGTH.scopeName });
  if (!isScopeToken(name)) return message('resource-problem.scope-characters');
  if (isRestricted(name) || isOpenIdScope(name)) return message('resource-problem.own-scope', { scope: name });
  if (description !== '' && description.length <= MAX_LENGTH.scopeDescription && isPrintable(description))
    return undefined;
  return message('resource-problem.scope-description', { scope: name, limit: MAX_LENGTH.scopeDescription });
}

function choiceProblem(value: string | null, allowed: readonly string[]): Message | undefined {
  return value === null || allowed.includes(value)
    ? undefined
    : message('resource-problem.choice', { choices: allowed.join(', ') });
}

function lifetimeProblem(seconds: number | null): Message | undefined {
  if (seconds === null || (Number.isInteger(seconds) && seconds >= 1 && seconds <= TEN_YEARS_IN_SECONDS))
    return undefined;
  return message('resource-problem.lifetime', { limit: TEN_YEARS_IN_SECONDS });
}
