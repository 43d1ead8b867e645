/** Which texts may stand for the addresses that an operator sets. */

function isHttp(url: URL): boolean {
  return url.protocol === 'https:' || url.protocol === 'http:';
}

/** RFC 8414 §2, with http for a laptop: no query, no fragment; user-info has no place in it either. */
export function isIssuer(text: string): boolean {
  if (!URL.canParse(text) || /[?#\s\\]/.test(text)) return false;
  const url = new URL(text);
  return isHttp(url) && url.username === '' && url.password === '';
}

/** Whether only this machine can reach the issuer under its own name. */
export function isLoopbackIssuer(issuer: string): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(issuer).hostname);
}

/** RFC 8707 §2: an absolute URI; a fragment is for browsers. */
export function isResource(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:[\x21\x24-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]+$/i.test(text) && URL.canParse(text);
}

/** A path of this origin, or a page elsewhere. `//host` is elsewhere in disguise. */
export function isLoginUrl(text: string): boolean {
  if (/[\s\\]/.test(text)) return false;
  if (text.startsWith('/')) return !text.startsWith('//');
  return URL.canParse(text) && isHttp(new URL(text));
}

/** Schemes that a browser runs, reads or that are not anybody's own. */
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

export function isPrivateUseScheme(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*$/.test(text) && !WEB_SCHEMES.includes(text);
}
