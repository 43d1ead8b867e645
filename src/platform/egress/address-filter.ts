import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** A block of addresses in CIDR notation (RFC 4632, RFC 4291 §2.3). */
interface Block {
  readonly network: string;
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
}

/** Decides which addresses the server may contact. */
export interface AddressFilter {
  /** Returns the kind of `address`, such as `loopback`, or undefined if the server may contact it. */
  refusedKind(address: string): string | undefined;
}

/**
 * IANA's registries of special-purpose addresses (RFC 6890), and multicast. All global unicast IPv6 addresses are
 * assigned from 2000::/3, so everything outside that block, such as ::1, ::ffff:0:0/96, fe80::/10 and fc00::/7, is
 * special.
 */
const SPECIAL_IPV4: readonly (readonly [blocks: readonly string[], kind: string])[] = [
  [['0.0.0.0/8'], 'unspecified'],
  [['127.0.0.0/8'], 'loopback'],
  [['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'], 'private'],
  [['100.64.0.0/10'], 'carrier-grade NAT'],
  [['169.254.0.0/16'], 'link-local'],
  [['224.0.0.0/4'], 'multicast'],
  [
    ['192.0.0.0/24', '192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24', '192.175.48.0/24'],
    'reserved',
  ],
  [['198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '240.0.0.0/4'], 'reserved'],
];
const SPECIAL_IPV6: typeof SPECIAL_IPV4 = [
  [['::1/128'], 'loopback'],
  [['::/128'], 'unspecified'],
  [['fc00::/7'], 'private'],
  [['fe80::/10'], 'link-local'],
  [['ff00::/8'], 'multicast'],
  [['::/96', '64:ff9b:1::/48', '2002::/16', '2001::/32'], 'an embedded IPv4 address'],
  [['2001::/23', '2001:db8::/32', '2620:4f:8000::/48', '3fff::/20'], 'reserved'],
];
const IPV4_MAPPED = '::ffff:0:0/96';
const GLOBAL_IPV6 = '2000::/3';
/** RFC 6052: the last 32 bits are an IPv4 address, which is checked instead. */
const NAT64 = '64:ff9b::/96';

/** The only special addresses that an operator can allow: loopback, private and carrier-grade NAT addresses. */
const ALLOWABLE = [
  '127.0.0.0/8',
  '::1/128',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  'fc00::/7',
];

/**
 * Reports whether `text` is a block of addresses that an operator may allow the server to contact: loopback, private or
 * carrier-grade NAT addresses.
 */
export function isAllowableNetwork(text: string): boolean {
  const block = parseBlock(text);
  if (block === undefined) return false;
  return ALLOWABLE.map(mustParseBlock).some(
    (allowableBlock) =>
      allowableBlock.family === block.family &&
      allowableBlock.prefix <= block.prefix &&
      contains(blockList([allowableBlock]), block.network),
  );
}

/**
 * Creates a filter that admits public addresses and those in the allowed blocks.
 * @param allowedBlocks blocks that `isAllowableNetwork` accepts
 */
export function createAddressFilter(allowedBlocks: readonly string[]): AddressFilter {
  const allowedList = blockList(allowedBlocks.map(mustParseBlock));
  const toLists = (table: typeof SPECIAL_IPV4) =>
    table.map(([blocks, kind]) => ({ list: blockList(blocks.map(mustParseBlock)), kind }));
  const [special4, special6] = [toLists(SPECIAL_IPV4), toLists(SPECIAL_IPV6)];
  const mappedBlock = blockList([mustParseBlock(IPV4_MAPPED)]);
  const nat64Block = blockList([mustParseBlock(NAT64)]);
  const globalBlock = blockList([mustParseBlock(GLOBAL_IPV6)]);

  function refusedKind(address: string): string | undefined {
    if (isIPv4(address)) return kindIn(special4, address);
    if (!isIPv6(address) || address.includes('%')) return 'not an IP address, or one with a zone id';
    // Checked first, because the IPv4 lists also match IPv4-mapped addresses.
    if (contains(mappedBlock, address)) return 'an embedded IPv4 address';
    if (contains(nat64Block, address)) return refusedKind(embeddedIPv4(address));
    return (
      kindIn(special6, address) ??
      (contains(globalBlock, address) || contains(allowedList, address) ? undefined : 'reserved')
    );
  }

  function kindIn(lists: ReturnType<typeof toLists>, address: string): string | undefined {
    return contains(allowedList, address) ? undefined : lists.find(({ list }) => contains(list, address))?.kind;
  }

  return { refusedKind };
}

function parseBlock(text: string): Block | undefined {
  const [, network = '', digits = ''] = /^([\da-f.:]+)\/(\d{1,3})$/i.exec(text) ?? [];
  const prefix = Number(digits);
  if (isIPv4(network) && prefix <= 32) return { network, prefix, family: 'ipv4' };
  return isIPv6(network) && prefix <= 128 ? { network, prefix, family: 'ipv6' } : undefined;
}

function mustParseBlock(text: string): Block {
  const block = parseBlock(text);
  if (block === undefined) throw new RangeError(`${JSON.stringify(text)} is not a block of addresses`);
  return block;
}

function blockList(blocks: readonly Block[]): BlockList {
  const list = new BlockList();
  for (const { network, prefix, family } of blocks) list.addSubnet(network, prefix, family);
  return list;
}

function contains(list: BlockList, address: string): boolean {
  return list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}

/** Returns the last 32 bits of an IPv6 address in dotted form. `URL` writes the address in hexadecimal groups. */
function embeddedIPv4(address: string): string {
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':');
  const [high = 0, low = 0] = groups.slice(-2).map((group) => Number.parseInt(group === '' ? '0' : group, 16));
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}
