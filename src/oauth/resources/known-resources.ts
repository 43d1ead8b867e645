import type { DetailType } from '../../domain/resource-settings.ts';
import { withoutEmptyPath, type Resources } from '../../domain/resource.ts';
import type { AccessTokenFormat, ClientId, SigningAlgorithm } from '../../domain/values.ts';
import { declaredTypes, type DeclaredType } from '../details/declared-types.ts';
import type { ResourceServer, ResourceServers } from '../../projections/resources.ts';

/**
 * A resource server to which tokens can be restricted. Members are null if they are left to the client or the server.
 */
export interface KnownResource {
  readonly uri: string;
  /** The descriptions of the scopes that it defines, by name; null if it accepts those of the settings. */
  readonly scopes: Readonly<Record<string, string>> | null;
  readonly accessTokenFormat: AccessTokenFormat | null;
  readonly accessTokenAlgorithm: SigningAlgorithm | null;
  readonly accessTokenLifetimeSeconds: number | null;
  readonly detailTypes: readonly DetailType[];
  readonly introspectionClient: ClientId | null;
}

/** The current resource servers: this server, those in the settings, and those in the log. */
export interface KnownResources {
  uris(): readonly string[];
  find(uri: string): KnownResource | undefined;
  /** Returns the resource servers that define a scope of this name. */
  defining(scope: string): readonly KnownResource[];
  /**
   * Returns the descriptions of all scopes, by name: those of the settings, and those that a resource server defines.
   */
  scopes(): Readonly<Record<string, string>>;
  /** Returns the types of authorization details that exactly one resource server declares, by name (RFC 9396). */
  detailTypes(): ReadonlyMap<string, DeclaredType>;
  /** Returns the clients with which resource servers introspect. */
  introspectionClients(): ReadonlySet<ClientId>;
}

/** @param configuredUris returns the URIs of this server and of the settings */
export function createKnownResources(
  recorded: Pick<ResourceServers, 'all'>,
  configuredUris: () => readonly string[],
  settings: { readonly scopes: Readonly<Record<string, string>> },
): KnownResources {
  let newest: ComputedResources | undefined;

  /** Computes the resource servers once after each change, because most requests use them. */
  function current(): ComputedResources {
    const [from, others, settingsScopes] = [recorded.all(), configuredUris(), settings.scopes];
    if (
      newest?.from === from &&
      newest.settingsScopes === settingsScopes &&
      others.every((uri, index) => uri === newest?.others[index])
    )
      return newest;
    const known = from.map(fromRecord);
    const unrecorded = others.filter((uri) => !known.some((each) => isSameUri(each.uri, uri)));
    const own = known.flatMap(({ scopes }) => Object.entries(scopes ?? {}));
    newest = {
      from,
      others,
      settingsScopes,
      known: [...known, ...unrecorded.map(plainResource)],
      uris: [...unrecorded, ...known.map(({ uri }) => uri)],
      scopes: own.length === 0 ? settingsScopes : { ...Object.fromEntries(own), ...settingsScopes },
      detailTypes: declaredTypes(known),
      introspectionClients: new Set(known.flatMap(({ introspectionClient }) => introspectionClient ?? [])),
    };
    return newest;
  }

  return {
    uris: () => current().uris,
    find: (uri) => current().known.find((each) => each.uri === uri),
    defining: (scope) => current().known.filter(({ scopes }) => scopes !== null && Object.hasOwn(scopes, scope)),
    scopes: () => current().scopes,
    detailTypes: () => current().detailTypes,
    introspectionClients: () => current().introspectionClients,
  };
}

interface ComputedResources {
  readonly from: readonly ResourceServer[];
  readonly others: readonly string[];
  readonly settingsScopes: Readonly<Record<string, string>>;
  readonly known: readonly KnownResource[];
  readonly uris: readonly string[];
  readonly scopes: Readonly<Record<string, string>>;
  readonly detailTypes: ReadonlyMap<string, DeclaredType>;
  readonly introspectionClients: ReadonlySet<ClientId>;
}

function isSameUri(one: string, other: string): boolean {
  return withoutEmptyPath(one) === withoutEmptyPath(other);
}

/** Creates resource servers without scopes or other settings. */
export function plainResources(uris: readonly string[], scopes: Readonly<Record<string, string>> = {}): KnownResources {
  return createKnownResources({ all: () => [] }, () => uris, { scopes });
}

/**
 * Returns the scopes that a token for these resource servers can have: the scopes that any of them defines. Returns
 * null if it can have every scope, because one of them defines no scopes or the token is for all resource servers.
 */
export function definedScopes(resource: Resources, known: Pick<KnownResources, 'find'>): ReadonlySet<string> | null {
  const names = new Set<string>();
  if (resource.length === 0) return null;
  for (const uri of resource) {
    const scopes = known.find(uri)?.scopes ?? null;
    if (scopes === null) return null;
    for (const name of Object.keys(scopes)) names.add(name);
  }
  return names;
}

function fromRecord({ uri, scopes, ...settings }: ResourceServer): KnownResource {
  const { accessTokenFormat, accessTokenAlgorithm, accessTokenLifetimeSeconds, detailTypes = [] } = settings;
  const { introspectionClient = null } = settings;
  const own = Object.fromEntries(scopes.map(({ name, description }) => [name, description]));
  return {
    uri,
    scopes: scopes.length === 0 ? null : own,
    accessTokenFormat,
    accessTokenAlgorithm,
    accessTokenLifetimeSeconds,
    detailTypes,
    introspectionClient,
  };
}

function plainResource(uri: string): KnownResource {
  const none = { accessTokenFormat: null, accessTokenAlgorithm: null, accessTokenLifetimeSeconds: null };
  return { uri, scopes: null, detailTypes: [], introspectionClient: null, ...none };
}
