import { expect } from 'chai';
import fc from 'fast-check';
import { createAddressFilter, isAllowableNetwork } from '../../../src/platform/egress/address-filter.ts';

const DEFAULT_FILTER = createAddressFilter([]);

const NOT_AN_ADDRESS = 'not an IP address, or one with a zone id';

const SPECIAL_ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.1', '127.255.255.254', '::1'],
  unspecified: ['0.0.0.0', '0.1.2.3', '::'],
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fdff::1'],
  'carrier-grade NAT': ['100.64.0.1', '100.127.255.255'],
  'link-local': ['169.254.169.254', 'fe80::1', 'febf::1'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1'],
  reserved: [
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '240.0.0.1',
    '255.255.255.255',
    '2001:db8::1',
    '2001:20::1',
    '3fff::1',
    'fec0::1',
    '4000::1',
    '100::1',
    '5f00::1',
  ],
  'an embedded IPv4 address': [
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '0:0:0:0:0:ffff:a9fe:a9fe',
    '::ffff:8.8.8.8',
    '::127.0.0.1',
    '::8.8.8.8',
    '2002:7f00:1::',
    '2001:0:4136:e378::',
    '64:ff9b:1::a9fe:a9fe',
  ],
  [NOT_AN_ADDRESS]: ['fe80::1%eth0', '::1%lo', '2606:4700::1%1', '127.1', '0177.0.0.1', 'a.example'],
};

describe('the address of an outgoing request', () => {
  for (const [kind, addresses] of Object.entries(SPECIAL_ADDRESSES)) {
    it(`is refused as ${kind}`, () => {
      for (const address of addresses) expect(DEFAULT_FILTER.refusedKind(address), address).to.equal(kind);
    });
  }

  it('may be any public address', () => {
    for (const address of ['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::1'])
      expect(DEFAULT_FILTER.refusedKind(address), address).to.equal(undefined);
  });

  it('is checked as the IPv4 address that NAT64 translates it to', () => {
    expect(DEFAULT_FILTER.refusedKind('64:ff9b::8.8.8.8')).to.equal(undefined);
    expect(DEFAULT_FILTER.refusedKind('64:ff9b::169.254.169.254')).to.equal('link-local');
    expect(DEFAULT_FILTER.refusedKind('64:ff9b::7f00:1')).to.equal('loopback');
    expect(DEFAULT_FILTER.refusedKind('64:ff9b::')).to.equal('unspecified');
  });

  it('is never an IPv4-mapped address, and is a translated address only if its IPv4 address may be contacted', () => {
    const octet = fc.nat(255);
    fc.assert(
      fc.property(octet, octet, octet, octet, (...octets) => {
        const ipv4 = octets.join('.');
        expect(DEFAULT_FILTER.refusedKind(`::ffff:${ipv4}`)).to.equal('an embedded IPv4 address');
        expect(DEFAULT_FILTER.refusedKind(`64:ff9b::${ipv4}`)).to.equal(DEFAULT_FILTER.refusedKind(ipv4));
      }),
    );
  });
});

describe('a network that the operator allows', () => {
  it('is a block of loopback or private addresses', () => {
    for (const block of ['127.0.0.0/8', '127.0.0.1/32', '::1/128', '10.1.0.0/16', '192.168.0.0/16', 'fd12::/16'])
      expect(isAllowableNetwork(block), block).to.equal(true);
    for (const block of [
      '0.0.0.0/0',
      '::/0',
      '169.254.0.0/16',
      '10.0.0.0/7',
      '8.8.8.8/32',
      '::ffff:127.0.0.1/128',
      'fe80::/10',
      '127.0.0.1',
      '127.0.0.0/33',
      '10.0.0.0/',
      'fd12::1%eth0/64',
      'localhost/8',
      '',
      '127.0.0.0/-1',
    ])
      expect(isAllowableNetwork(block), block).to.equal(false);
  });

  it('allows only its own addresses, and no IPv6 address that embeds an IPv4 address', () => {
    const { refusedKind } = createAddressFilter(['127.0.0.0/8', 'fd12::/16']);
    for (const address of ['127.0.0.1', '127.9.9.9', 'fd12::1']) expect(refusedKind(address)).to.equal(undefined);
    expect(refusedKind('::1')).to.equal('loopback');
    expect(refusedKind('fd13::1')).to.equal('private');
    expect(refusedKind('::ffff:127.0.0.1')).to.equal('an embedded IPv4 address');
    expect(refusedKind('::127.0.0.1')).to.equal('an embedded IPv4 address');
    expect(refusedKind('::ffff:8.8.8.8')).to.equal('an embedded IPv4 address');
  });
});
