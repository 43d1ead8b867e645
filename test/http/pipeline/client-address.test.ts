import { expect } from 'chai';
import { clientAddress } from '../../../src/http/pipeline/client-address.ts';

const PROXY = '10.0.0.1';
const addressFor = (remoteAddress: string | undefined, forwardedFor?: string, trustedProxies = 0): string =>
  clientAddress(
    { headers: forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }, socket: { remoteAddress } },
    trustedProxies,
  );

describe('The client address for rate limits', () => {
  it("is the peer's, whatever X-Forwarded-For says, unless proxies are trusted", () => {
    expect(addressFor('192.0.2.1')).to.equal('192.0.2.1');
    expect(addressFor('192.0.2.1', '203.0.113.9')).to.equal('192.0.2.1');
    expect(addressFor(undefined)).to.equal('');
  });

  it('is the one that the outermost trusted proxy saw; earlier entries can be forged', () => {
    expect(addressFor(PROXY, '198.51.100.7, 203.0.113.9', 1)).to.equal('203.0.113.9');
    expect(addressFor(PROXY, '198.51.100.7, 203.0.113.9, 10.0.0.2', 2)).to.equal('203.0.113.9');
    expect(addressFor(PROXY, '203.0.113.9', 2)).to.equal('203.0.113.9');
    expect(addressFor(PROXY, '203.0.113.9:4711', 1)).to.equal('203.0.113.9');
    expect(addressFor(PROXY, '[2001:db8:1:2::3]:4711', 1)).to.equal('2001:db8:1:2::/64');
  });

  it("is the proxy's if the proxy's entry is missing or invalid", () => {
    for (const forwardedFor of [undefined, '', 'unknown', '203.0.113.9, _hidden', '203.0.113.9,'])
      expect(addressFor(PROXY, forwardedFor, 1), forwardedFor).to.equal(PROXY);
  });

  it('is the /64 of an IPv6 address in any notation, or its mapped IPv4 address', () => {
    for (const address of [
      '2001:db8:1:2::1',
      '2001:DB8:1:2:ffff:ffff:ffff:ffff',
      '2001:0db8:0001:0002::',
      '2001:db8:1:2::192.0.2.1',
      '2001:db8:1:2:0:0:192.0.2.1',
    ]) {
      expect(addressFor(address), address).to.equal('2001:db8:1:2::/64');
    }
    expect(addressFor('2001:db8::1:2:3:4:5')).to.equal('2001:db8:0:1::/64');
    expect(addressFor('::1')).to.equal('0:0:0:0::/64');
    expect(addressFor('fe80::1%eth0')).to.equal('fe80:0:0:0::/64');
    expect(addressFor('::ffff:192.0.2.1')).to.equal('192.0.2.1');
  });
});
