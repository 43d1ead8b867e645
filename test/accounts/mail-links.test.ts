import { createSecretKey } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { createMailLinks, LINK_LIFETIMES, type LinkPurpose } from '../../src/accounts/mail-links.ts';
import { seededEntropy } from '../support/seeded-entropy.ts';

const PURPOSES = Object.keys(LINK_LIFETIMES) as readonly LinkPurpose[];
const NOW = 1_800_000_000;

const links = (label = 'mail links') => {
  const entropy = seededEntropy(label);
  return createMailLinks(createSecretKey(entropy.bytes(32)), entropy);
};

describe('The token of a link in an e-mail', () => {
  it('is accepted for its purpose only, until it expires', () => {
    const mailLinks = links();
    for (const purpose of PURPOSES) {
      const token = mailLinks.seal(purpose, { some: 'content' }, NOW);
      const lifetime = LINK_LIFETIMES[purpose];
      for (const other of PURPOSES)
        expect(mailLinks.open(other, token, NOW)).to.deep.equal(other === purpose ? { some: 'content' } : undefined);
      expect(mailLinks.open(purpose, token, NOW + lifetime - 1)).not.to.equal(undefined);
      expect(mailLinks.open(purpose, token, NOW + lifetime)).to.equal(undefined);
    }
  });

  it('is refused before the time at which it was issued', () => {
    const mailLinks = links();
    expect(mailLinks.open('reset', mailLinks.seal('reset', {}, NOW + 3_600), NOW)).to.equal(undefined);
  });

  it('is refused with another key or after any change', () => {
    const mailLinks = links();
    const token = mailLinks.seal('reset', { userId: 'ada' }, NOW);
    expect(links('another key').open('reset', token, NOW)).to.equal(undefined);
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.constantFrom('A', 'z', '_', '.', ' '), (index, letter) => {
        const changed = `${token.slice(0, index)}${letter}${token.slice(index + 1)}`;
        // Some bits of the last base64url letter are not part of any byte.
        const isSame = Buffer.from(changed, 'base64url').equals(Buffer.from(token, 'base64url'));
        if (!isSame || /[. ]/.test(changed)) expect(mailLinks.open('reset', changed, NOW)).to.equal(undefined);
      }),
    );
    for (const text of ['', 'A', token.slice(0, -4), `${token}AAAA`, '\u0000', 'é'])
      expect(mailLinks.open('reset', text, NOW), text).to.equal(undefined);
  });

  it('is different each time, and does not show its content', () => {
    const mailLinks = links();
    const [one, other] = [
      mailLinks.seal('verify', { userId: 'ada' }, NOW),
      mailLinks.seal('verify', { userId: 'ada' }, NOW),
    ];
    expect(one).not.to.equal(other);
    expect(Buffer.from(one, 'base64url').toString('latin1')).not.to.include('ada');
  });
});
