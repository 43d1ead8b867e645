import { isPlainObject, PolicyDeclarationError, parseScopeList, describeValue } from './declaration.ts';
import { SESSION_COOKIE } from './open-api-security.ts';
import type { Policy } from './policy.ts';
import { policyFromRequirements } from './policy-from-requirements.ts';
import { both, either, NO_CREDENTIAL, SESSION, tokenRequirement, type Requirement } from './requirements.ts';

/** What a security scheme of the document asks a request to carry; of one that is not understood, what it is. */
type Scheme = 'scoped-token' | 'token' | 'session' | { readonly unknown: string };

/** OpenAPI 3.1 §4.8.9: all that a path can have an operation for. */
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
const OTHER_FIELDS = ['summary', 'description', 'servers', 'parameters'];

/**
 * The policies of the paths of an OpenAPI document (3.0 or 3.1), by what their operations say under `security`: any one
 * entry is enough, all schemes of one entry are needed, an operation's own list replaces the document's, and `[]` or
 * `{}` admits everybody. `oauth2`, `openIdConnect` and `http` `bearer` are an access token; `apiKey` in a cookie with
 * the name of the server's session cookie is a web session.
 *
 * The function that it returns takes a path as the document or as the router has it (`/widgets/{id}`, `/widgets/:id`),
 * and is called while routes are built. A method without an operation is denied to everybody, except that HEAD falls
 * under GET. Where neither the operation nor the document says anything of security, OpenAPI would let everybody in;
 * here that is a mistake, as is whatever else could be misunderstood.
 * @throws PolicyDeclarationError the document cannot be read, or a path of it cannot, or is not there; it says where
 */
export function policyFromOpenApi(document: object): (path: string) => Policy {
  const { openapi, components, paths, security } = requireObject('the document', document);
  if (typeof openapi !== 'string' || !/^3\.[01]\.\d+/.test(openapi))
    throw malformed('openapi', `must be 3.0 or 3.1, and is ${describeValue(openapi)}`);
  const schemes = readSchemes(components);
  const ofEverything = security === undefined ? undefined : readSecurity('security', security, schemes);
  const items = readPaths(paths);

  return (path) => {
    const [template, item] = findPath(path, items);
    const byMethod = new Map(
      Object.entries(item).flatMap(([key, operation]): readonly (readonly [string, readonly Requirement[]])[] => {
        const where = `paths.${template}.${key}`;
        if (!METHODS.includes(key)) return requireIgnorable(where, key);
        const own = requireObject(where, operation)['security'];
        const ways = own === undefined ? ofEverything : readSecurity(`${where}.security`, own, schemes);
        if (ways === undefined)
          throw malformed(where, 'has no security, nor has the document; write [] where everybody may');
        return [[key.toUpperCase(), ways]];
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

function parseScheme({ type, scheme, in: place, name }: Fields): Scheme {
  if (type === 'oauth2' || type === 'openIdConnect') return 'scoped-token';
  if (type === 'http' && typeof scheme === 'string' && scheme.toLowerCase() === 'bearer') return 'token';
  const isSession =
    type === 'apiKey' && place === 'cookie' && Object.values(SESSION_COOKIE).some((cookie) => cookie === name);
  return isSession
    ? 'session'
    : { unknown: [type, scheme, place, name].filter((part) => typeof part === 'string').join(' ') };
}

/** The ways in; at least one. */
function readSecurity(where: string, value: unknown, schemes: ReadonlyMap<string, Scheme>): readonly Requirement[] {
  if (!Array.isArray(value)) throw malformed(where, 'must be a list');
  if (value.length === 0) return [NO_CREDENTIAL];
  return either(
    [],
    value.flatMap((entry: unknown, index) => readEntry(`${where}[${index}]`, entry, schemes)),
  );
}

function readEntry(where: string, value: unknown, schemes: ReadonlyMap<string, Scheme>): readonly Requirement[] {
  const parts = Object.entries(requireObject(where, value)).map(([name, scopes]) =>
    readPart(`${where}.${name}`, schemes.get(name), scopes),
  );
  const ways = parts.reduce<readonly Requirement[]>((all, part) => both(all, [part]), [NO_CREDENTIAL]);
  if (ways.length === 0) throw malformed(where, 'needs a token and a session at once, and a request has one of them');
  return ways;
}

function readPart(where: string, scheme: Scheme | undefined, value: unknown): Requirement {
  if (scheme === undefined) throw malformed(where, 'is none of components.securitySchemes');
  if (typeof scheme === 'object')
    throw malformed(where, `is a scheme that no policy knows: ${scheme.unknown || 'without a type'}`);
  const scopes = parseScopeList(POLICY, where, value);
  if (scheme !== 'scoped-token' && scopes.length > 0)
    throw malformed(where, 'must be an empty list: only OAuth has scopes');
  return scheme === 'session' ? SESSION : tokenRequirement(scopes);
}

type PathItems = ReadonlyMap<string, readonly [template: string, item: Fields]>;

function readPaths(value: unknown): PathItems {
  const items = new Map<string, readonly [string, Fields]>();
  for (const [template, item] of Object.entries(requireObject('paths', value))) {
    if (template.startsWith('x-')) continue;
    const shape = pathShape(template);
    if (shape === undefined) throw malformed(`paths.${template}`, 'is not a path');
    const twin = items.get(shape)?.[0];
    if (twin !== undefined) throw malformed(`paths.${template}`, `is the same path as ${twin}`);
    items.set(shape, [template, requireObject(`paths.${template}`, item)]);
  }
  return items;
}

function findPath(path: string, items: PathItems): readonly [string, Fields] {
  const asRouted = path.includes('{') ? path : path.replaceAll(/:[A-Za-z_]\w*/g, '{_}');
  const found = items.get(pathShape(path) ?? '') ?? items.get(pathShape(asRouted) ?? '');
  if (found === undefined) throw malformed('paths', `has no ${describeValue(path)}`);
  return found;
}

/** A path but for the names of its parameters and its last slash; undefined for what is none. */
function pathShape(path: string): string | undefined {
  const shape = path.replaceAll(/\{[^{}/:*]+\}/g, '{}');
  if (!shape.startsWith('/') || /[{}]/.test(shape.replaceAll('{}', ''))) return undefined;
  return shape.length > 1 ? shape.replace(/\/$/, '') : shape;
}

/** What stands beside the operations and says nothing of who may. */
function requireIgnorable(where: string, key: string): readonly never[] {
  if (OTHER_FIELDS.includes(key) || key.startsWith('x-')) return [];
  throw malformed(where, 'is no operation that can be read here');
}

type Fields = Readonly<Record<string, unknown>>;

function requireObject(where: string, value: unknown): Fields {
  if (!isPlainObject(value)) throw malformed(where, 'must be an object');
  if (Object.hasOwn(value, '$ref')) throw malformed(where, 'is a $ref, which is not followed here');
  return value as Fields;
}

const POLICY = 'open-api';

function malformed(where: string, problem: string): PolicyDeclarationError {
  return new PolicyDeclarationError(POLICY, `${where} ${problem}`);
}
