import type { DetailType } from '../../domain/resource-settings.ts';
import { withoutEmptyPath, type Resources } from '../../domain/resource.ts';
import type { AccessTokenFormat, ClientId, SigningAlgorithm } from '../../domain/values.ts';
import { declaredTypes, type DeclaredType } from '../details/declared-types.ts';
import type { ResourceServer, ResourceServers } from '../../projections/resources.ts';

/**
 * A resource server that tokens can be restricted to. An access token setting is null if the setting of the client or
 * of this server applies.
 */
export interface KnownResource {
  readonly uri: string;
  /** The descriptions of the scopes that it defines, by name; null if it accepts the scopes in the settings. */
  readonly scopes: Readonly<Record<string, string>> | null;
  readonly accessTokenFormat: AccessTokenFormat | null;
  readonly accessTokenAlgorithm: SigningAlgorithm | null;
  readonly accessTokenLifetimeSeconds: number | null;
  readonly detailTypes: readonly DetailType[];
  /** The client that it uses for introspection; null if no such client is registered. */
  readonly introspectionClient: ClientId | null;
}

/** The current resource servers: this server, those in the settings, and those in the log. */
export interface KnownResources {
  uris(): readonly string[];
  find(uri: string): KnownResource | undefined;
  /** Returns the resource servers that define a scope of this name. */
  findByScope(scope: string): readonly KnownResource[];
  /**
   * Returns the descriptions of all scopes, by name: those in the settings, and those that resource servers define.
   */
  scopes(): Readonly<Record<string, string>>;
  /** Returns the types of authorization details that exactly one resource server declares, by name (RFC 9396). */
  detailTypes(): ReadonlyMap<string, DeclaredType>;
  /** Returns the clients that resource servers use for introspection. */
  introspectionClients(): ReadonlySet<ClientId>;
}

/** @param getConfiguredUris returns the URI of this server and those in the settings */
export function createKnownResources(
  registry: Pick<ResourceServers, 'all'>,
  getConfiguredUris: () => readonly string[],
  settings: { readonly scopes: Readonly<Record<string, string>> },
): KnownResources {
  let cached: ComputedResources | undefined;

  /** Returns the resource servers. They are recomputed only after a change, because most requests use them. */
  function current(): ComputedResources {
    const [records, configuredUris, settingsScopes] = [registry.all(), getConfiguredUris(), settings.scopes];
    if (
      cached?.records === records &&
      cached.settingsScopes === settingsScopes &&
      cached.configuredUris.length === configuredUris.length &&
      configuredUris.every((uri, index) => uri === cached?.configuredUris[index])
    )
      return cached;
    const recordedResources = records.map(fromRecord);
    const unrecordedUris = configuredUris.filter(
      (uri) => !recordedResources.some((server) => isSameUri(server.uri, uri)),
    );
    const scopeEntries = recordedResources.flatMap(({ scopes }) => Object.entries(scopes ?? {}));
    const introspectionClients = recordedResources.flatMap(({ introspectionClient }) => introspectionClient ?? []);
    cached = {
      records,
      configuredUris,
      settingsScopes,
      resources: [...recordedResources, ...unrecordedUris.map(plainResource)],
      uris: [...unrecordedUris, ...recordedResources.map(({ uri }) => uri)],
      scopes: scopeEntries.length === 0 ? settingsScopes : { ...Object.fromEntries(scopeEntries), ...settingsScopes },
      detailTypes: declaredTypes(recordedResources),
      introspectionClients: new Set(introspectionClients),
    };
    return cached;
  }

  return {
    uris: () => current().uris,
    find: (uri) => current().resources.find((resource) => resource.uri === uri),
    findByScope: (scope) => current().resources.filter(({ scopes }) => scopes !== null && Object.hasOwn(scopes, scope)),
    scopes: () => current().scopes,
    detailTypes: () => current().detailTypes,
    introspectionClients: () => current().introspectionClients,
  };
}

interface ComputedResources {
  readonly records: readonly ResourceServer[];
  readonly configuredUris: readonly string[];
  readonly settingsScopes: Readonly<Record<string, string>>;
  readonly resources: readonly KnownResource[];
  readonly uris: readonly string[];
  readonly scopes: Readonly<Record<string, string>>;
  readonly detailTypes: ReadonlyMap<string, DeclaredType>;
  readonly introspectionClients: ReadonlySet<ClientId>;
}

function isSameUri(a: string, b: string): boolean {
  return withoutEmptyPath(a) === withoutEmptyPath(b);
}

/** Returns resource servers without scopes or other settings. */
export function plainResources(uris: readonly string[], scopes: Readonly<Record<string, string>> = {}): KnownResources {
  return createKnownResources({ all: () => [] }, () => uris, { scopes });
}

/**
 * Returns the scopes that a token for these resource servers may have: those that at least one of the servers defines.
 * Returns null if the token may have every scope, because one of the servers defines no scopes or the token is for all
 * resource servers.
 */
export function definedScopes(
  resource: Resources,
  knownResources: Pick<KnownResources, 'find'>,
): ReadonlySet<string> | null {
  const names = new Set<string>();
  if (resource.length === 0) return null;
  for (const uri of resource) {
    const scopes = knownResources.find(uri)?.scopes ?? null;
    if (scopes === null) return null;
    for (const name of Object.keys(scopes)) names.add(name);
  }
  return names;
}

function fromRecord({ uri, scopes, ...settings }: ResourceServer): KnownResource {
  const { accessTokenFormat, accessTokenAlgorithm, accessTokenLifetimeSeconds, detailTypes = [] } = settings;
  const { introspectionClient = null } = settings;
  const descriptions = Object.fromEntries(scopes.map(({ name, description }) => [name, description]));
  return {
    uri,
    scopes: scopes.length === 0 ? null : descriptions,
    accessTokenFormat,
    accessTokenAlgorithm,
    accessTokenLifetimeSeconds,
    detailTypes,
    introspectionClient,
  };
}

function plainResource(uri: string): KnownResource {
  const noSettings = { accessTokenFormat: null, accessTokenAlgorithm: null, accessTokenLifetimeSeconds: null };
  return { uri, scopes: null, detailTypes: [], introspectionClient: null, ...noSettings };
}
