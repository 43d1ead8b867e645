import { MAX_LENGTH } from '../../domain/lengths.ts';
import type { ClientType } from '../../domain/values.ts';

export interface RedirectUriSettings {
  /** Whether plain http is allowed beyond the loopback. */
  readonly plainHttpRedirectUris: boolean;
  /** Private-use schemes without a dot that public clients may have. */
  readonly redirectUriSchemes: readonly string[];
}

const LOOPBACK_HOSTS = ['127.0.0.1', '[::1]', 'localhost'];
/** Schemes that a browser runs or reads instead of visiting. */
const FORBIDDEN_SCHEMES = [
  'javascript:',
  'data:',
  'vbscript:',
  'file:',
  'blob:',
  'about:',
  'view-source:',
  'ws:',
  'wss:',
  'ftp:',
];

/**
 * What is wrong with `uri`, completing a sentence that begins with it; undefined when nothing is. It decides what may
 * be registered, and of that, what may be used. (RFC 6749 §3.1.2, RFC 8252 §7, RFC 9700 §2.1)
 */
export function redirectUriProblem(
  uri: string,
  clientType: ClientType,
  settings: RedirectUriSettings,
): string | undefined {
  if (uri.length > MAX_LENGTH.redirectUri) return `is longer than ${MAX_LENGTH.redirectUri} characters`;
  if (!/^[\x21-\x7e]+$/.test(uri)) return 'has a character that must be percent-encoded';
  if (!URL.canParse(uri)) return 'is not an absolute URI';
  const url = new URL(uri);
  if (uri.includes('#')) return 'must not have a fragment';
  if (url.username !== '' || url.password !== '' || /^[a-z][a-z0-9+.-]*:\/\/[^/?]*@/i.test(uri))
    return 'must not have a user name or password';
  // `URL` finds a host in https:app.example all the same; a browser that comes from https takes it for a path of where it is.
  if (/^https?:(?!\/\/[^/])/i.test(uri)) return 'must have // and a host after the scheme';
  if (uri.includes('*')) return 'must not have a wildcard: register each address';
  if (/[\\<>"^`{|}]/.test(uri)) return 'has a character that must be percent-encoded';
  return schemeProblem(url, clientType, settings);
}

function schemeProblem(url: URL, clientType: ClientType, settings: RedirectUriSettings): string | undefined {
  const { protocol, hostname } = url;
  if (FORBIDDEN_SCHEMES.includes(protocol)) return `must not use the scheme ${protocol}`;
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

/** The setting that would have to change for `uri` to be allowed; null when no setting allows it. */
export function settingToAllow(
  uri: string,
  clientType: ClientType,
  settings: RedirectUriSettings,
): keyof RedirectUriSettings | null {
  const scheme = uri.slice(0, uri.indexOf(':')).toLowerCase();
  const loosened = [
    ['plainHttpRedirectUris', { ...settings, plainHttpRedirectUris: true }],
    ['redirectUriSchemes', { ...settings, redirectUriSchemes: [scheme] }],
  ] as const;
  return loosened.find(([, changed]) => redirectUriProblem(uri, clientType, changed) === undefined)?.[0] ?? null;
}

export interface ForbiddenRedirectUri {
  readonly uri: string;
  /** Completes a sentence that begins with it. */
  readonly problem: string;
  /** The setting that would allow it; null when none would. */
  readonly setting: keyof RedirectUriSettings | null;
}

/** The registered redirect URIs that cannot be used under `settings`. */
export function forbiddenRedirectUris(
  { redirectUris, clientType }: { readonly redirectUris: readonly string[]; readonly clientType: ClientType },
  settings: RedirectUriSettings,
): readonly ForbiddenRedirectUri[] {
  return redirectUris.flatMap((uri) => {
    const problem = redirectUriProblem(uri, clientType, settings);
    return problem === undefined ? [] : [{ uri, problem, setting: settingToAllow(uri, clientType, settings) }];
  });
}

/** The redirect URIs that an update need not check again. Which ones are allowed also depends on the client type. */
export function unchangedRedirectUris(
  known: { readonly clientType: string; readonly redirectUris: readonly string[] } | undefined,
  changed: { readonly clientType: string },
): readonly string[] {
  return known?.clientType === changed.clientType ? known.redirectUris : [];
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
  if (!LOOPBACK_ADDRESS.test(registered)) return false;
  const isSame = registered.replace(LOOPBACK_ADDRESS, '$1') === presented.replace(LOOPBACK_ADDRESS, '$1');
  return isSame && URL.canParse(presented); // parsed last: a long international host name takes quadratic time
}

/** `uri` with `parameters` added to its query, and nothing else about it changed (RFC 6749 §4.1.2). */
export function withParameters(uri: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.append(name, value);
  return `${uri}${uri.includes('?') ? '&' : '?'}${query.toString()}`;
}
