import { message, type Message } from '../../language/message.ts';
import { isUrl } from '../urls.ts';

/** Settings that limit which URLs the server may request. */
export interface OutgoingUrlSettings {
  /** Whether http is allowed as well as https. */
  readonly outgoingHttp: boolean;
}

/** Longer than the URLs that other servers use in practice. */
const MAX_URL_LENGTH = 2_048;

/**
 * Returns why the server must not request the URL, phrased to follow the URL in a sentence, or undefined if it may. The
 * address of the host is checked later, when the host is contacted.
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
  return hasCanonicalHost(authority, new URL(text).hostname) ? undefined : message('url.unusual-host');
}

/**
 * Returns false for an IPv4 address in any form but dotted decimal: `URL` also parses 2130706433, 0x7f.1 and 0177.0.0.1
 * as 127.0.0.1.
 */
function hasCanonicalHost(authority: string, hostname: string): boolean {
  return !/^\d+\.\d+\.\d+\.\d+$/.test(hostname) || authority.replace(/:\d*$/, '') === hostname;
}
