import type { Resources } from '../../domain/resource.ts';
import { sanitize } from '../refusals/sanitize.ts';
import { OAuthError } from './errors.ts';
import { repeatedValues, type Parameters } from './parameters.ts';

/** They go into the log and into tokens. */
const MAX_RESOURCES = 10;

/**
 * The resource servers that a request names, each once and as it is known; none: every one (RFC 8707 §2).
 * @param known their URIs
 * @throws OAuthError `invalid_target`: too many, no absolute URI without a fragment, or one that is not known
 */
export function requestedResources(parameters: Parameters, known: readonly string[]): Resources {
  const named = repeatedValues(parameters);
  if (named.length === 0) return named;
  if (named.length > MAX_RESOURCES)
    throw new OAuthError('invalid_target', `a request can name at most ${MAX_RESOURCES} resources`, {
      rule: 'too-many-resources',
      most: MAX_RESOURCES,
      seen: named.length,
    });
  return [...new Set(named.map((uri) => canonicalResource(uri, known)))];
}

/**
 * The resource servers to ask a grant for: those that the request names; when it names none, all that the grant is for,
 * without those that are no longer in the settings. Undefined when none is left: an empty list would mean all of them.
 */
export function remainingResources(
  named: Resources,
  granted: Resources,
  known: readonly string[],
): Resources | undefined {
  if (named.length > 0 || granted.every((uri) => known.includes(uri))) return named;
  const left = granted.filter((uri) => known.includes(uri));
  return left.length === 0 ? undefined : left;
}

export function noResourceLeft(granted: Resources, known: readonly string[]): OAuthError {
  return new OAuthError('invalid_target', 'the grant is for resource servers that this server no longer knows', {
    rule: 'resource-unknown',
    seen: sanitize(granted.join(' ')),
    known,
  });
}

function canonicalResource(uri: string, known: readonly string[]): string {
  const found = known.find((each) => withoutEmptyPath(each) === withoutEmptyPath(uri));
  if (found !== undefined) return found;
  const seen = sanitize(uri);
  if (!isAbsolute(uri))
    throw new OAuthError('invalid_target', 'resource must be an absolute URI without a fragment', {
      rule: 'resource-malformed',
      seen,
    });
  throw new OAuthError('invalid_target', 'resource names a resource server that this server does not know', {
    rule: 'resource-unknown',
    seen,
    known,
  });
}

function isAbsolute(uri: string): boolean {
  return /^[\x21-\x7e]+$/.test(uri) && URL.canParse(uri) && !uri.includes('#');
}

/** RFC 3986 §6.2.3: https://api.example and https://api.example/ are one. All else is compared character by character. */
function withoutEmptyPath(uri: string): string {
  return /^https?:\/\/[^/?]+\/$/i.test(uri) ? uri.slice(0, -1) : uri;
}
