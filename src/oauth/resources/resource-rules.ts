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
import { readDetailTypes } from '../details/entered-types.ts';

/** The entered settings of a resource server, not yet validated. */
export interface ResourceFields {
  readonly name: string;
  readonly ownerId: UserId | null;
  readonly scopes: readonly DefinedScope[];
  readonly accessTokenFormat: string | null;
  readonly accessTokenAlgorithm: string | null;
  readonly accessTokenLifetimeSeconds: number | null;
  readonly publishesMetadata: boolean;
  /** A JSON list: see `readDetailTypes`. Empty for none. */
  readonly detailTypes: string;
  /** The id of the client with which it introspects. Empty or absent for none. */
  readonly introspectionClient?: string | undefined;
}

/** The problem of each invalid field, as a sentence. */
export type ResourceErrors = { readonly [Field in keyof ResourceFields | 'uri']?: string };

/** Tokens, events and the consent page contain them. */
const MAX_SCOPES = 50;

const TEN_YEARS_IN_SECONDS = 315_360_000;

/** What is wrong with the URI; undefined if nothing. Tokens for the issuer are for this server. */
export function resourceUriProblem(uri: string, issuer: string): string | undefined {
  if (uri.length > MAX_LENGTH.resourceUri) return `A URI can have at most ${MAX_LENGTH.resourceUri} characters.`;
  if (!isResourceUri(uri)) return 'Enter an absolute URI without a fragment, such as https://api.example/.';
  const { protocol, username, password } = new URL(uri);
  if (/^https?:(?!\/\/[^/])/i.test(uri)) return 'The URI must have // and a host after the scheme.';
  if (username !== '' || password !== '') return 'The URI must not have a user name or password.';
  if (['javascript:', 'data:', 'file:'].includes(protocol)) return `The scheme ${protocol} names no resource server.`;
  return withoutEmptyPath(uri) === withoutEmptyPath(issuer) ? 'This is the URI of this server itself.' : undefined;
}

/**
 * @param ofSettings the scopes of the server by name, whose descriptions the operator decides
 * @param takenTypes the types of authorization details that other resource servers declare
 * @param clientTypeOf the type of a registered client; undefined if there is none
 * @returns the settings to record, or what is wrong
 */
export function checkResource(
  fields: ResourceFields,
  uri: string,
  ofSettings: Readonly<Record<string, string>>,
  takenTypes: readonly string[],
  clientTypeOf: (clientId: string) => ClientType | undefined,
): { readonly settings: ResourceServerSettings } | { readonly errors: ResourceErrors } {
  const name = fields.name.trim();
  const format = fields.accessTokenFormat;
  const algorithm = fields.accessTokenAlgorithm;
  const lifetime = fields.accessTokenLifetimeSeconds;
  const scopes = fields.scopes.map((scope) => ({
    name: scope.name,
    description: Object.hasOwn(ofSettings, scope.name) ? (ofSettings[scope.name] ?? '') : scope.description.trim(),
  }));
  const introspectionClient = fields.introspectionClient ?? '';
  const details = readDetailTypes(fields.detailTypes, takenTypes);
  const problems: Record<string, string | undefined> = {
    name: nameProblem(name),
    scopes: scopesProblem(scopes),
    accessTokenFormat: choiceProblem(format, ACCESS_TOKEN_FORMATS),
    accessTokenAlgorithm: choiceProblem(algorithm, SIGNING_ALGORITHMS),
    accessTokenLifetimeSeconds: lifetimeProblem(lifetime),
    publishesMetadata:
      fields.publishesMetadata && !/^https?:/i.test(uri)
        ? 'Metadata is only for a resource server with an http or https URI.'
        : undefined,
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

function introspectionProblem(type: ClientType | undefined): string | undefined {
  if (type === undefined) return 'No application is registered with this client id.';
  return type === 'public' ? 'A public application cannot introspect tokens: name a confidential one.' : undefined;
}

function nameProblem(name: string): string | undefined {
  if (name !== '' && name.length <= MAX_LENGTH.resourceName && isPrintable(name)) return undefined;
  return `Enter a name of 1 to ${MAX_LENGTH.resourceName} characters without control characters.`;
}

function scopesProblem(scopes: readonly DefinedScope[]): string | undefined {
  if (scopes.length > MAX_SCOPES) return `A resource server can define at most ${MAX_SCOPES} scopes.`;
  const names = scopes.map(({ name }) => name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) return `The scope ${repeated} is named twice.`;
  for (const scope of scopes) {
    const problem = scopeProblem(scope);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/**
 * A scope of the server can be listed, so that tokens have it, but keeps its description. Restricted scopes and those
 * of OpenID Connect are for this server.
 */
function scopeProblem({ name, description }: DefinedScope): string | undefined {
  if (name.length > MAX_LENGTH.scopeName) return `A scope can have at most ${MAX_LENGTH.scopeName} characters.`;
  if (!isScopeToken(name)) return 'A scope consists of printable ASCII without space, quote and backslash.';
  if (isRestricted(name) || isOpenIdScope(name)) return `The scope ${name} is for this server only.`;
  if (description !== '' && description.length <= MAX_LENGTH.scopeDescription && isPrintable(description))
    return undefined;
  return `Describe the scope ${name} for users, in at most ${MAX_LENGTH.scopeDescription} characters.`;
}

function choiceProblem(value: string | null, allowed: readonly string[]): string | undefined {
  return value === null || allowed.includes(value) ? undefined : `Choose one of ${allowed.join(', ')}.`;
}

function lifetimeProblem(seconds: number | null): string | undefined {
  if (seconds === null || (Number.isInteger(seconds) && seconds >= 1 && seconds <= TEN_YEARS_IN_SECONDS))
    return undefined;
  return `Enter a whole number of seconds from 1 to ${TEN_YEARS_IN_SECONDS}.`;
}
