import { isUrl } from '../../platform/urls.ts';

/** The unreserved characters (RFC 3986 §2.3). */
const UNRESERVED = /[\w.~-]/;
const PERCENT_ENCODED = /%[0-9a-f]{2}/gi;

/**
 * Returns the URL of a request in normal form (RFC 3986 §6.2.2, §6.2.3), without query and fragment (RFC 9449 §4.3), or
 * undefined if it is not an http or https URL, or contains a user name or password. Equivalent URLs have the same
 * normal form: the case of scheme and host, the default port, dot segments and needless percent-encoding make no
 * difference.
 */
export function normalizeUrl(url: string): string | undefined {
  if (!isUrl(url)) return undefined;
  const { protocol, host, pathname, username, password } = new URL(url);
  if ((protocol !== 'https:' && protocol !== 'http:') || username !== '' || password !== '') return undefined;
  return `${protocol}//${host}${pathname.includes('%') ? normalizePath(pathname) : pathname}`;
}

function normalizePath(path: string): string {
  return path.replaceAll(PERCENT_ENCODED, (encoded) => {
    const character = String.fromCodePoint(Number.parseInt(encoded.slice(1), 16));
    return UNRESERVED.test(character) ? character : encoded.toUpperCase();
  });
}
