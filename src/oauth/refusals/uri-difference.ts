import { sanitize } from './sanitize.ts';

/** One component (RFC 3986 §3) in which two URIs differ. Empty: it has none. */
export interface UriDifference {
  readonly component: 'scheme' | 'user information' | 'host' | 'port' | 'path' | 'query' | 'fragment';
  readonly expected: string;
  readonly seen: string;
}

type Components = Readonly<Record<UriDifference['component'], string>>;

/** RFC 3986, appendix B, with the authority taken apart. */
const URI = /^(?:([^:/?#]+):)?(?:\/\/([^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)(?::([^/?#]*))?)?([^?#]*)(\?[^#]*)?(#.*)?$/s;

/** Where `seen` is not `expected`, character by character; nothing of what it has in place of a secret. */
export function uriDifferences(expected: string, seen: string): readonly UriDifference[] {
  const [wanted, got] = [parseComponents(expected), parseComponents(seen)];
  return (Object.keys(wanted) as UriDifference['component'][])
    .filter((component) => wanted[component] !== got[component])
    .map((component) => ({
      component,
      expected: wanted[component],
      seen: sanitizeComponent(component, got[component]),
    }));
}

/** The one of `registered` that `seen` was most likely meant to be, and where it is not. */
export function closestUri(
  registered: readonly string[],
  seen: string,
): { readonly closest: string | null; readonly differences: readonly UriDifference[] } {
  const [first] = registered
    .map((uri) => ({ closest: uri, differences: uriDifferences(uri, seen) }))
    .toSorted((one, other) => distance(one.differences) - distance(other.differences));
  return first ?? { closest: null, differences: [] };
}

/** Another host is farther away than another path. */
function distance(differences: readonly UriDifference[]): number {
  return differences.reduce((sum, { component }) => sum + (component === 'host' ? 3 : component === 'path' ? 2 : 1), 0);
}

/** A query or a fragment may carry codes and tokens, and user information a password: of those only that there is one. */
function sanitizeComponent(component: UriDifference['component'], value: string): string {
  if (value === '' || !['user information', 'query', 'fragment'].includes(component)) return sanitize(value);
  return `[${value.length} characters]`;
}

function parseComponents(uri: string): Components {
  const [, scheme = '', user = '', host = '', port = '', path = '', query = '', fragment = ''] = URI.exec(uri) ?? [];
  return { scheme, 'user information': user, host, port, path, query, fragment };
}
