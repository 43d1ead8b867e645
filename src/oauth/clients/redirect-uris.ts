import { MAX_LENGTH } from '../../domain/lengths.ts';
import { DEFAULT_OPENID, type OpenIdSettings } from '../../domain/openid-settings.ts';
import type { ApplicationType, ClientType } from '../../domain/values.ts';
import { isUrl, parseUrl } from '../../platform/urls.ts';
import { message, type Message, type Text } from '../../language/message.ts';

export interface RedirectUriSettings {
  /** Whether plain http is allowed for hosts other than loopback hosts. */
  readonly plainHttpRedirectUris: boolean;
  /** Private-use schemes without a dot that public clients may use. */
  readonly redirectUriSchemes: readonly string[];
}

const LOOPBACK_HOSTS = ['127.0.0.1', '[::1]', 'localhost'];
/** Schemes that browsers handle themselves, for example by executing the URI. They never lead to an application. */
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
 * Returns the problem with `uri`, as the end of a sentence that starts with it, or undefined if it is allowed. Every
 * URI is checked when it is registered and again when it is used (RFC 6749 §3.1.2, RFC 8252 §7, RFC 9700 §2.1).
 */
export function redirectUriProblem(
  uri: string,
  clientType: ClientType,
  settings: RedirectUriSettings,
): Message | undefined {
  const url = parseUri(uri);
  return url instanceof URL ? schemeProblem(url, clientType, settings) : url;
}

const NOT_A_URL = message('uri.not-full');

/** Reports whether the text starts with a URI scheme. */
export function hasScheme(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(text);
}

/** Returns the problem with the syntax of a URI of any scheme, or undefined if its syntax is valid. */
export function uriFormProblem(uri: string): Message | undefined {
  const url = parseUri(uri);
  return url instanceof URL ? undefined : url;
}

/** Returns the parsed URI of any scheme, or the problem with its syntax. */
function parseUri(uri: string): URL | Message {
  if (uri.length > MAX_LENGTH.redirectUri) return message('uri.too-long', { limit: MAX_LENGTH.redirectUri });
  if (!hasScheme(uri)) return NOT_A_URL;
  if (!/^[\x21-\x7e]+$/.test(uri)) return message('uri.percent-encoding');
  const url = parseUrl(uri);
  if (url === undefined) return NOT_A_URL;
  if (uri.includes('#')) return message('uri.fragment');
  if (url.username !== '' || url.password !== '' || /^[a-z][a-z0-9+.-]*:\/\/[^/?]*@/i.test(uri))
    return message('uri.user');
  // `URL` finds a host in https:app.example, but a browser on an https page treats this text as a relative path.
  if (/^https?:(?!\/\/[^/])/i.test(uri)) return message('uri.host');
  if (uri.includes('*')) return message('uri.wildcard');
  if (/[\\<>"^`{|}]/.test(uri)) return message('uri.percent-encoding');
  return url;
}

function schemeProblem(url: URL, clientType: ClientType, settings: RedirectUriSettings): Message | undefined {
  const { protocol, hostname } = url;
  if (FORBIDDEN_SCHEMES.includes(protocol)) return message('uri.forbidden-scheme', { scheme: protocol });
  if (protocol === 'https:') return undefined;
  if (protocol === 'http:') {
    return settings.plainHttpRedirectUris || LOOPBACK_HOSTS.includes(hostname)
      ? undefined
      : message('uri.https-or-loopback');
  }
  if (clientType !== 'public') return message('uri.https-for-confidential');
  const scheme = protocol.slice(0, -1);
  return scheme.includes('.') || settings.redirectUriSchemes.includes(scheme) ? undefined : message('uri.https-or-dot');
}

/** Returns the setting that could be changed to allow a forbidden `uri`, or null if no setting would allow it. */
export function settingToAllow(
  uri: string,
  clientType: ClientType,
  settings: RedirectUriSettings,
): keyof RedirectUriSettings | null {
  const scheme = uri.slice(0, uri.indexOf(':')).toLowerCase();
  const candidates = [
    ['plainHttpRedirectUris', { ...settings, plainHttpRedirectUris: true }],
    ['redirectUriSchemes', { ...settings, redirectUriSchemes: [scheme] }],
  ] as const;
  return (
    candidates.find(([, changedSettings]) => redirectUriProblem(uri, clientType, changedSettings) === undefined)?.[0] ??
    null
  );
}

export interface ForbiddenRedirectUri {
  readonly uri: string;
  /** The end of a sentence that starts with the URI. */
  readonly problem: Text;
  /** The setting that would allow the URI; null if no setting would. */
  readonly setting: keyof RedirectUriSettings | null;
}

/** Returns the registered redirect URIs that the settings do not allow. */
export function forbiddenRedirectUris(
  { redirectUris, clientType }: { readonly redirectUris: readonly string[]; readonly clientType: ClientType },
  settings: RedirectUriSettings,
): readonly ForbiddenRedirectUri[] {
  return redirectUris.flatMap((uri) => {
    const problem = redirectUriProblem(uri, clientType, settings);
    return problem === undefined ? [] : [{ uri, problem, setting: settingToAllow(uri, clientType, settings) }];
  });
}

/** The URIs of a client that the settings may forbid. */
export interface ClientUris {
  readonly redirectUris: readonly string[];
  readonly openid: Pick<OpenIdSettings, 'postLogoutRedirectUris' | 'backchannelLogoutUri'>;
}

/**
 * Returns the URIs that an update need not check again. If the client type changes, all URIs must be checked, because
 * the type affects which URIs are allowed.
 */
export function alreadyCheckedUris(
  existingClient: (ClientUris & { readonly clientType: string }) | undefined,
  update: { readonly clientType: string },
): ClientUris {
  return existingClient?.clientType === update.clientType
    ? existingClient
    : { redirectUris: [], openid: DEFAULT_OPENID };
}

/** Reports whether the URI uses plain http and leads to the machine that the browser runs on. */
export function isLoopback(uri: string): boolean {
  const { protocol, hostname } = new URL(uri);
  return protocol === 'http:' && LOOPBACK_HOSTS.includes(hostname);
}

/** http://127.0.0.1 and http://[::1], where an application may choose the port at startup (RFC 8252 §7.3). */
const LOOPBACK_ADDRESS = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(?=[/?]|$)/;
/** Loopback addresses and http://localhost. */
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(?=[/?]|$)/;

/** The part of a registration that the comparison of redirect URIs depends on. */
export interface RedirectClient {
  readonly clientType: ClientType;
  readonly applicationType?: ApplicationType | undefined;
}

/**
 * Reports whether the URIs are equal character by character, except for the port of a loopback address. If the host is
 * localhost, the port may differ only for public native clients, whose users are warned, because the name may resolve
 * to another machine (RFC 8252 §8.3).
 */
export function redirectUriMatches(registeredUri: string, presentedUri: string, client: RedirectClient): boolean {
  if (registeredUri === presentedUri) return true;
  const loopback = isPublicNative(client) ? LOOPBACK : LOOPBACK_ADDRESS;
  if (!loopback.test(registeredUri)) return false;
  const differsOnlyInPort = registeredUri.replace(loopback, '$1') === presentedUri.replace(loopback, '$1');
  return differsOnlyInPort && isUrl(presentedUri); // parsed last: a long internationalized name takes quadratic time
}

function isPublicNative({ clientType, applicationType }: RedirectClient): boolean {
  return clientType === 'public' && applicationType === 'native';
}

/** Adds `parameters` to the query of `uri` and leaves the rest of the URI unchanged (RFC 6749 §4.1.2). */
export function withParameters(uri: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.append(name, value);
  return `${uri}${uri.includes('?') ? '&' : '?'}${query.toString()}`;
}
