import { message, type Text } from '../../language/message.ts';
import { sanitize } from './sanitize.ts';

/** A component (RFC 3986 §3) in which two URIs differ. A component that a URI lacks has an empty value. */
export interface UriDifference {
  readonly component: 'scheme' | 'user information' | 'host' | 'port' | 'path' | 'query' | 'fragment';
  readonly expected: string;
  readonly seen: string;
}

type Components = Readonly<Record<UriDifference['component'], string>>;

/** The pattern in RFC 3986, Appendix B, with the authority split into its parts. */
const URI = /^(?:([^:/?#]+):)?(?:\/\/([^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)(?::([^/?#]*))?)?([^?#]*)(\?[^#]*)?(#.*)?$/s;

/** Returns the components in which `actual` differs from `expected`, without revealing secrets. */
export function uriDifferences(expected: string, actual: string): readonly UriDifference[] {
  const [left, right] = [parseComponents(expected), parseComponents(actual)];
  return (Object.keys(left) as UriDifference['component'][])
    .filter((component) => left[component] !== right[component])
    .map((component) => ({
      component,
      expected: left[component],
      seen: sanitizeComponent(component, right[component]),
    }));
}

/** Returns the registered URI most similar to `actual` (or null if none is registered), and how the two differ. */
export function closestUri(
  registeredUris: readonly string[],
  actual: string,
): { readonly closest: string | null; readonly differences: readonly UriDifference[] } {
  const [first] = registeredUris
    .map((uri) => ({ closest: uri, differences: uriDifferences(uri, actual) }))
    .toSorted((a, b) => distance(a.differences) - distance(b.differences));
  return first ?? { closest: null, differences: [] };
}

/** Returns a weighted count of the differing components. The host weighs most, followed by the path. */
function distance(differences: readonly UriDifference[]): number {
  return differences.reduce((sum, { component }) => sum + (component === 'host' ? 3 : component === 'path' ? 2 : 1), 0);
}

/**
 * Returns the value to show. Queries, fragments and user information may contain secrets, so only their length is
 * shown.
 */
function sanitizeComponent(component: UriDifference['component'], value: string): string {
  if (value === '' || !['user information', 'query', 'fragment'].includes(component)) return sanitize(value);
  return `[${value.length} characters]`;
}

function parseComponents(uri: string): Components {
  const [, scheme = '', user = '', host = '', port = '', path = '', query = '', fragment = ''] = URI.exec(uri) ?? [];
  return { scheme, 'user information': user, host, port, path, query, fragment };
}

/** Returns the differing components with their values in one of the URIs, as text. */
export function formatDifferences(differences: readonly UriDifference[], side: 'expected' | 'seen'): Text {
  const parts = differences.map((difference): Text => {
    const component = difference.component === 'user information' ? 'user' : difference.component;
    const value = difference[side] === '' ? message('refusal.empty') : difference[side];
    return message('refusal.difference', { component, value });
  });
  return parts.length === 0 ? '' : parts.reduce((one, other) => message('refusal.differences', { one, other }));
}
