import { isUrl } from '../platform/urls.ts';

function isHttp(url: URL): boolean {
  return url.protocol === 'https:' || url.protocol === 'http:';
}

/**
 * Reports whether the text is an issuer (RFC 8414 §2). It may use http, for development, but must not contain user
 * information.
 */
export function isIssuer(text: string): boolean {
  if (!isUrl(text) || /[?#\s\\]/.test(text)) return false;
  const url = new URL(text);
  return isHttp(url) && url.username === '' && url.password === '';
}

/** Reports whether only the same machine can reach the issuer. */
export function isLoopbackIssuer(issuer: string): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(issuer).hostname);
}

/**
 * Reports whether the text is a path on this server, or an absolute http or https URL. `//host` is a different server.
 */
export function isLoginUrl(text: string): boolean {
  if (/[\s\\]/.test(text)) return false;
  if (text.startsWith('/')) return !text.startsWith('//');
  return isUrl(text) && isHttp(new URL(text));
}

/** Schemes that browsers handle themselves, or that no application owns. */
const WEB_SCHEMES = [
  'http',
  'https',
  'javascript',
  'data',
  'vbscript',
  'file',
  'blob',
  'about',
  'filesystem',
  'ftp',
  'ws',
  'wss',
];

/** Reports whether an application may use the scheme for its redirect URIs (RFC 8252 §7.1). */
export function isPrivateUseScheme(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*$/.test(text) && !WEB_SCHEMES.includes(text);
}
