import type { ClientType } from '../domain/values.ts';

export interface RedirectUriSettings {
  /** Whether plain http is allowed beyond the loopback. */
  readonly plainHttpRedirectUris: boolean;
  /** Private-use schemes without a dot that public clients may have. */
  readonly redirectUriSchemes: readonly string[];
}

const MAX_LENGTH = 2_048;
const LOOPBACK_HOSTS = ['127.0.0.1', '[::1]', 'localhost'];
/** Schemes that a browser runs or reads instead of visiting. */
const NEVER = ['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:', 'view-source:', 'ws:', 'wss:', 'ftp:'];

/**
 * What is wrong with registering `uri`, in words for the person who typed it; undefined when nothing is.
 * (RFC 6749 §3.1.2, RFC 8252 §7, RFC 9700 §2.1)
 */
export function redirectUriProblem(uri: string, clientType: ClientType, settings: RedirectUriSettings): string | undefined {
  if (uri.length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`;
  if (!/^[\x21-\x7e]+$/.test(uri)) return 'has a character that must be percent-encoded';
  if (!URL.canParse(uri)) return 'is not an absolute URI';
  const url = new URL(uri);
  if (uri.includes('#')) return 'must not have a fragment';
  if (url.username !== '' || url.password !== '' || /^[a-z][a-z0-9+.-]*:\/\/[^/?]*@/i.test(uri)) return 'must not have a user name or password';
  // `URL` finds a host in https:app.example all the same; a browser that comes from https takes it for a path of where it is.
  if (/^https?:(?!\/\/[^/])/i.test(uri)) return 'must have // and a host after the scheme';
  if (uri.includes('*')) return 'must not have a wildcard: register each address';
  if (/[\\<>"^`{|}]/.test(uri)) return 'has a character that must be percent-encoded';
  return schemeProblem(url, clientType, settings);
}

function schemeProblem(url: URL, clientType: ClientType, settings: RedirectUriSettings): string | undefined {
  const { protocol, hostname } = url;
  if (NEVER.includes(protocol)) return `must not use the scheme ${protocol}`;
  if (protocol === 'https:') return undefined;
  if (protocol === 'http:') {
    return settings.plainHttpRedirectUris || LOOPBACK_HOSTS.includes(hostname)
      ? undefined
      : 'must use https; http is for 127.0.0.1, [::1] and localhost';
  }
  if (clientType !== 'public') return 'must use https: a private-use scheme is for public clients';
  const scheme = protocol.slice(0, -1);
  return scheme.includes('.') || settings.redirectUriSchemes.includes(scheme)
    ? undefined
    : 'must use https, or a private-use scheme with a dot such as com.example.app';
}

/** Whether the code goes to the very machine that the browser runs on. */
export function isLoopback(uri: string): boolean {
  const { protocol, hostname } = new URL(uri);
  return protocol === 'http:' && LOOPBACK_HOSTS.includes(hostname);
}

/** http://127.0.0.1 and http://[::1], whose port an application may pick when it starts (RFC 8252 §7.3). */
const LOOPBACK_ADDRESS = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(?=[/?]|$)/;

/** Whether `presented` is `registered`, character by character, but for the port of a loopback address. */
export function redirectUriMatches(registered: string, presented: string): boolean {
  if (registered === presented) return true;
  if (!LOOPBACK_ADDRESS.test(registered) || !URL.canParse(presented)) return false;
  return registered.replace(LOOPBACK_ADDRESS, '$1') === presented.replace(LOOPBACK_ADDRESS, '$1');
}

/** `uri` with `parameters` added to its query, and nothing else about it changed (RFC 6749 §4.1.2). */
export function withParameters(uri: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.append(name, value);
  return `${uri}${uri.includes('?') ? '&' : '?'}${query.toString()}`;
}
