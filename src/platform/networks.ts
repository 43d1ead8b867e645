import { BlockList, isIP } from 'node:net';

interface Network {
  readonly address: string;
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
}

/** Reports whether the text is an IP address or a block of addresses in CIDR notation. */
export function isNetwork(text: string): boolean {
  return parseNetwork(text) !== undefined;
}

/**
 * Returns a function that checks whether an address is in one of the networks.
 * @param networks strings that `isNetwork` accepts
 */
export function networkMatcher(networks: readonly string[]): (address: string | undefined) => boolean {
  const list = new BlockList();
  for (const { address, prefix, family } of networks.map(parseNetwork).filter((network) => network !== undefined))
    list.addSubnet(address, prefix, family);
  return (remoteAddress = '') => {
    // A dual-stack socket reports IPv4 peers as IPv4-mapped IPv6 addresses.
    const address = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(remoteAddress)?.[1] ?? remoteAddress;
    const version = isIP(address);
    return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6');
  };
}

function parseNetwork(text: string): Network | undefined {
  const [, address = '', digits] = /^([\da-f.:]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0) return undefined;
  const bits = version === 4 ? 32 : 128;
  const prefix = digits === undefined ? bits : Number(digits);
  return prefix > bits ? undefined : { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' };
}
