import { withoutEmptyPath, type Resources } from '../../domain/resource.ts';
import { sanitize } from '../refusals/sanitize.ts';
import { oauthError, type OAuthError } from './errors.ts';
import { repeatedValues, type Parameters } from './parameters.ts';
import { isUrl } from '../../platform/urls.ts';

/** The maximum number of resource servers in a request. The log and the tokens contain all of them. */
const MAX_RESOURCES = 10;

/**
 * Returns the resource servers in a request, without duplicates and in their registered spelling (RFC 8707 §2). An
 * empty list means all resource servers.
 * @param knownUris the URIs of the known resource servers
 * @throws OAuthError `invalid_target` if there are too many, or one is malformed or unknown
 */
export function requestedResources(parameters: Parameters, knownUris: readonly string[]): Resources {
  return registeredSpellings(repeatedValues(parameters, 'resource'), knownUris);
}

/** Like `requestedResources`, but for URIs from any parameter. */
export function registeredSpellings(uris: readonly string[], knownUris: readonly string[]): Resources {
  if (uris.length === 0) return uris;
  if (uris.length > MAX_RESOURCES)
    throw oauthError({ rule: 'too-many-resources', most: MAX_RESOURCES, seen: uris.length });
  return [...new Set(uris.map((uri) => registeredSpelling(uri, knownUris)))];
}

/**
 * Returns the resource servers to request from a grant: those in the request or, if it has none, the grant's resource
 * servers that are still known. If all of them are known, the list is empty, which requests all of them. If none is
 * known, the result is undefined, because an empty list would request the removed resource servers.
 */
export function remainingResources(
  requested: Resources,
  granted: Resources,
  knownUris: readonly string[],
): Resources | undefined {
  if (requested.length > 0 || granted.every((uri) => knownUris.includes(uri))) return requested;
  const remainingUris = granted.filter((uri) => knownUris.includes(uri));
  return remainingUris.length === 0 ? undefined : remainingUris;
}

/** Returns the error for a grant whose resource servers have all been removed. */
export function noResourceLeftError(granted: Resources, knownUris: readonly string[]): OAuthError {
  return oauthError({ rule: 'resource-unknown', seen: sanitize(granted.join(' ')), known: knownUris });
}

function registeredSpelling(uri: string, knownUris: readonly string[]): string {
  const match = knownUris.find((candidate) => withoutEmptyPath(candidate) === withoutEmptyPath(uri));
  if (match !== undefined) return match;
  const seen = sanitize(uri);
  throw oauthError(
    isAbsolute(uri) ? { rule: 'resource-unknown', seen, known: knownUris } : { rule: 'resource-malformed', seen },
  );
}

function isAbsolute(uri: string): boolean {
  return /^[\x21-\x7e]+$/.test(uri) && isUrl(uri) && !uri.includes('#');
}
