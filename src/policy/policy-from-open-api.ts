import { isPlainObject, PolicyDeclarationError, parseScopeList, describeValue } from './declaration.ts';
import { SESSION_COOKIE } from './open-api-security.ts';
import type { Policy } from './policy.ts';
import { policyFromRequirements } from './policy-from-requirements.ts';
import {
  conjunction,
  disjunction,
  NO_CREDENTIAL,
  SESSION,
  tokenRequirement,
  type Requirement,
} from './requirements.ts';

/** The credential that a security scheme requires, or the description of a scheme that is not supported. */
type Scheme = 'scoped-token' | 'token' | 'session' | { readonly unsupported: string };

/** The methods for which a path item may have operations (OpenAPI 3.1 §4.8.9). */
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
const IGNORED_FIELDS = ['summary', 'description', 'servers', 'parameters'];

/**
 * Derives policies from the `security` of the operations in an OpenAPI document (3.0 or 3.1). A request must satisfy
 * at least one entry, and an entry requires all of its schemes. An operation's list replaces the document's list, and
 * `[]` or `{}` allows everybody. `oauth2`, `openIdConnect`, `http` `bearer` and `http` `dpop` mean an access token;
 * `apiKey` in a cookie with the name of the server's session cookie means a web session.
 *
 * Call the returned function while routes are built, with a path as it is written in the document (`/widgets/{id}`) or
 * in the router (`/widgets/:id`). Methods without an operation are denied to everybody, except that HEAD uses the
 * policy of GET. An operation without `security` in a document without `security` is an error, although OpenAPI would
 * allow everybody. Anything else that is ambiguous is also an error. Error messages give the location of the problem.
 * @throws PolicyDeclarationError if the document is invalid, or does not contain the path
 */
export function policyFromOpenApi(document: object): (path: string) => Policy {
  const { openapi, components, paths, security } = requireObject('the document', document);
  if (typeof openapi !== 'string' || !/^3\.[01]\.\d+/.test(openapi))
    throw documentError('openapi', `must be 3.0 or 3.1, not ${describeValue(openapi)}`);
  const schemes = readSchemes(components);
  const documentSecurity = security === undefined ? undefined : readSecurity('security', security, schemes);
  const items = readPaths(paths);

  return (path) => {
    const [template, item] = findPath(path, items);
    const byMethod = new Map(
      Object.entries(item).flatMap(([key, operation]): readonly (readonly [string, readonly Requirement[]])[] => {
        const location = `paths.${template}.${key}`;
        if (!METHODS.includes(key)) return rejectUnknownField(location, key);
        const ownSecurity = requireObject(location, operation)['security'];
        const alternatives =
          ownSecurity === undefined ? documentSecurity : readSecurity(`${location}.security`, ownSecurity, schemes);
        if (alternatives === undefined)
          throw documentError(location, 'has no security, and neither does the document; use [] to allow everybody');
        return [[key.toUpperCase(), alternatives]];
      }),
    );
    return policyFromRequirements(
      (method) => byMethod.get(method) ?? (method === 'HEAD' ? byMethod.get('GET') : undefined) ?? [],
    );
  };
}

function readSchemes(components: unknown): ReadonlyMap<string, Scheme> {
  const schemes = components === undefined ? undefined : requireObject('components', components)['securitySchemes'];
  if (schemes === undefined) return new Map();
  return new Map(
    Object.entries(requireObject('components.securitySchemes', schemes)).map(([name, scheme]) => [
      name,
      parseScheme(requireObject(`components.securitySchemes.${name}`, scheme)),
    ]),
  );
}

function parseScheme({ type, scheme, in: location, name }: Fields): Scheme {
  if (type === 'oauth2' || type === 'openIdConnect') return 'scoped-token';
  if (type === 'http' && typeof scheme === 'string' && ['bearer', 'dpop'].includes(scheme.toLowerCase()))
    return 'token';
  const isSession =
    type === 'apiKey' && location === 'cookie' && Object.values(SESSION_COOKIE).some((cookie) => cookie === name);
  return isSession
    ? 'session'
    : { unsupported: [type, scheme, location, name].filter((part) => typeof part === 'string').join(' ') };
}

/** Returns the alternatives in the list. There is at least one. */
function readSecurity(location: string, value: unknown, schemes: ReadonlyMap<string, Scheme>): readonly Requirement[] {
  if (!Array.isArray(value)) throw documentError(location, 'must be a list');
  if (value.length === 0) return [NO_CREDENTIAL];
  return disjunction(
    [],
    value.flatMap((entry: unknown, index) => readEntry(`${location}[${index}]`, entry, schemes)),
  );
}

function readEntry(location: string, value: unknown, schemes: ReadonlyMap<string, Scheme>): readonly Requirement[] {
  const schemeRequirements = Object.entries(requireObject(location, value)).map(([name, scopes]) =>
    readSchemeRequirement(`${location}.${name}`, schemes.get(name), scopes),
  );
  const alternatives = schemeRequirements.reduce<readonly Requirement[]>(
    (combination, requirement) => conjunction(combination, [requirement]),
    [NO_CREDENTIAL],
  );
  if (alternatives.length === 0)
    throw documentError(location, 'requires a token and a session, but a request can have only one of them');
  return alternatives;
}

function readSchemeRequirement(location: string, scheme: Scheme | undefined, value: unknown): Requirement {
  if (scheme === undefined) throw documentError(location, 'is not in components.securitySchemes');
  if (typeof scheme === 'object')
    throw documentError(location, `is an unsupported scheme: ${scheme.unsupported || 'it has no type'}`);
  const scopes = parseScopeList(POLICY, location, value);
  if (scheme !== 'scoped-token' && scopes.length > 0)
    throw documentError(location, 'must be an empty list: only oauth2 and openIdConnect have scopes');
  return scheme === 'session' ? SESSION : tokenRequirement(scopes);
}

type PathItems = ReadonlyMap<string, readonly [template: string, item: Fields]>;

function readPaths(value: unknown): PathItems {
  const items = new Map<string, readonly [string, Fields]>();
  for (const [template, item] of Object.entries(requireObject('paths', value))) {
    if (template.startsWith('x-')) continue;
    const shape = pathShape(template);
    if (shape === undefined) throw documentError(`paths.${template}`, 'is not a path');
    const duplicate = items.get(shape)?.[0];
    if (duplicate !== undefined) throw documentError(`paths.${template}`, `is the same path as ${duplicate}`);
    items.set(shape, [template, requireObject(`paths.${template}`, item)]);
  }
  return items;
}

function findPath(path: string, items: PathItems): readonly [string, Fields] {
  const template = path.includes('{') ? path : path.replaceAll(/:[A-Za-z_]\w*/g, '{_}');
  const match = items.get(pathShape(path) ?? '') ?? items.get(pathShape(template) ?? '');
  if (match === undefined) throw documentError('paths', `has no ${describeValue(path)}`);
  return match;
}

/**
 * Returns `path` without the names of its parameters and without a trailing slash, or undefined if it is not a valid
 * path.
 */
function pathShape(path: string): string | undefined {
  const shape = path.replaceAll(/\{[^{}/:*]+\}/g, '{}');
  if (!shape.startsWith('/') || /[{}]/.test(shape.replaceAll('{}', ''))) return undefined;
  return shape.length > 1 ? shape.replace(/\/$/, '') : shape;
}

/** Rejects fields of a path item that are neither operations nor known to be irrelevant to security. */
function rejectUnknownField(location: string, key: string): readonly never[] {
  if (IGNORED_FIELDS.includes(key) || key.startsWith('x-')) return [];
  throw documentError(location, 'is not a supported operation');
}

type Fields = Readonly<Record<string, unknown>>;

function requireObject(location: string, value: unknown): Fields {
  if (!isPlainObject(value)) throw documentError(location, 'must be an object');
  if (Object.hasOwn(value, '$ref')) throw documentError(location, 'is a $ref, which is not supported');
  return value as Fields;
}

const POLICY = 'open-api';

function documentError(location: string, problem: string): PolicyDeclarationError {
  return new PolicyDeclarationError(POLICY, `${location} ${problem}`);
}
