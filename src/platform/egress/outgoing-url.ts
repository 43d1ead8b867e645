import { isUrl } from '../urls.ts';

/** The URLs that the server may request. */
export interface OutgoingUrlSettings {
  /** Whether to use http as well as https. */
  readonly outgoingHttp: boolean;
}

/** Longer than any URL in use. */
const MAX_URL_LENGTH = 2_048;

/**
 * What is wrong with a URL that the server is to request, as the end of a sentence that starts with it; undefined if
 * nothing. Whether the host has a public address is known only when it is contacted.
 */
export function outgoingUrlProblem(text: string, { outgoingHttp }: OutgoingUrlSettings): string | undefined {
  if (text.length > MAX_URL_LENGTH) return `is longer than ${MAX_URL_LENGTH} characters`;
  if (!/^[\x21-\x7e]+$/.test(text)) return 'contains a character that must be percent-encoded';
  const [, scheme = '', authority = ''] = /^(https?):\/\/([^/?#\\]+)/i.exec(text) ?? [];
  if (scheme === '' || !isUrl(text)) return `is not an https${outgoingHttp ? ' or http' : ''} URL`;
  if (scheme.toLowerCase() === 'http' && !outgoingHttp) return 'must use https';
  if (authority.includes('@')) return 'must not have a user name or password';
  if (text.includes('\\')) return 'contains a character that must be percent-encoded';
  if (text.includes('#')) return 'must not have a fragment';
  return hasUsualHost(authority, new URL(text).hostname)
    ? undefined
    : 'has an address in an unusual form; write it like 192.0.2.1';
}

/** Whether an IPv4 address is in dotted decimal form. `URL` accepts 2130706433, 0x7f.1 and 0177.0.0.1 for 127.0.0.1. */
function hasUsualHost(authority: string, hostname: string): boolean {
  return !/^\d+\.\d+\.\d+\.\d+$/.test(hostname) || authority.replace(/:\d*$/, '') === hostname;
}
