import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';

interface Request {
  readonly headers: IncomingHttpHeaders;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/**
 * Returns the key that identifies the caller in rate limits: an IPv4 address, or the /64 prefix of an IPv6 address,
 * because a household or a machine usually gets a whole /64.
 * @param trustedProxies the number of the operator's proxies in front of the server. Each proxy appends the address of
 *   its peer to `X-Forwarded-For`, so only that many entries at the end are trusted; callers can forge earlier entries
 */
export function clientAddress({ headers, socket }: Request, trustedProxies: number): string {
  const peer = socket.remoteAddress ?? '';
  if (trustedProxies === 0) return networkKey(peer);
  const forwardedAddresses = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .slice(-trustedProxies)
    .map(withoutPort);
  // Proxies append only valid addresses, so an empty or malformed entry, and all entries before it, are ignored.
  let clientIp = peer;
  for (const address of forwardedAddresses.toReversed()) {
    if (isIP(address) === 0) break;
    clientIp = address;
  }
  return networkKey(clientIp);
}

/** Returns the entry without its port. Some proxies write `192.0.2.1:4711` and `[2001:db8::1]:4711`. */
function withoutPort(entry: string): string {
  const text = entry.trim();
  return /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([^:]*):\d+$/.exec(text)?.[1] ?? text;
}

function networkKey(address: string): string {
  if (!address.includes(':')) return address;
  const mappedAddress = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mappedAddress !== undefined) return mappedAddress;
  const [head = '', tail] = address.split('::');
  const headGroups = head.split(':').filter(Boolean);
  const tailGroups = (tail ?? '').split(':').filter(Boolean);
  const suffixGroups = /\./.test(tail ?? head) ? 1 : 0; // an IPv4 suffix stands for two groups
  const length = headGroups.length + tailGroups.length + suffixGroups;
  const groups = [...headGroups, ...Array<string>(Math.max(0, 8 - length)).fill('0'), ...tailGroups];
  return `${groups
    .slice(0, 4)
    .map((group) => parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
