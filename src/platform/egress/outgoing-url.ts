import { message, type Message } from '../../language/message.ts';
import { isUrl } from '../urls.ts';

/** Limits the URLs that the server may request. */
export interface OutgoingUrlSettings {
  /** Whether http is allowed as well as https. */
  readonly outgoingHttp: boolean;
}

/** Longer than the URLs that other servers use in practice. */
const MAX_URL_LENGTH = 2_048;

/**
 * Returns the problem with a URL that the server is to request, as the end of a sentence that starts with the URL, or
 * undefined if it may be requested. The address of the host is checked later, when the host is contacted.
 */
export function outgoingUrlProblem(text: string, { outgoingHttp }: OutgoingUrlSettings): Message | undefined {
  if (text.length > MAX_URL_LENGTH) return message('url.long', { limit: MAX_URL_LENGTH });
  if (!/^[\x21-\x7e]+$/.test(text)) return message('url.encoding');
  const [, scheme = '', authority = ''] = /^(https?):\/\/([^/?#\\]+)/i.exec(text) ?? [];
  if (scheme === '' || !isUrl(text)) return message(outgoingHttp ? 'url.not-web' : 'url.not-https');
  if (scheme.toLowerCase() === 'http' && !outgoingHttp) return message('url.https');
  if (authority.includes('@')) return message('url.user');
  if (text.includes('\\')) return message('url.encoding');
  if (text.includes('#')) return message('url.fragment');
  return hasUsualHost(authority, new URL(text).hostname) ? undefined : message('url.unusual-host');
}

/**
 * Reports whether a host that is an IPv4 address is written in dotted decimal form. `URL` accepts 2130706433, 0x7f.1
 * and 0177.0.0.1 for 127.0.0.1.
 */
function hasUsualHost(authority: string, hostname: string): boolean {
  return !/^\d+\.\d+\.\d+\.\d+$/.test(hostname) || authority.replace(/:\d*$/, '') === hostname;
}
