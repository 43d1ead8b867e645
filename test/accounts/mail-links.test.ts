import { createSecretKey } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { createMailLinks, LINK_LIFETIMES, type LinkPurpose } from '../../src/accounts/mail-links.ts';
import { seededEntropy } from '../support/seeded-entropy.ts';

const PURPOSES = Object.keys(LINK_LIFETIMES) as readonly LinkPurpose[];
const NOW = 1_800_000_000;

const createLinks = (label = 'mail links') => {
  const entropy = seededEntropy(label);
  return createMailLinks(createSecretKey(entropy.bytes(32)), entropy);
};

describe('The token in an e-mail link', () => {
  it('is accepted only for its purpose, and only until it expires', () => {
    const mailLinks = createLinks();
    for (const purpose of PURPOSES) {
      const token = mailLinks.seal(purpose, { some: 'content' }, NOW);
      const lifetime = LINK_LIFETIMES[purpose];
      for (const otherPurpose of PURPOSES)
        expect(mailLinks.open(otherPurpose, token, NOW)).to.deep.equal(
          otherPurpose === purpose ? { some: 'content' } : undefined,
        );
      expect(mailLinks.open(purpose, token, NOW + lifetime - 1)).not.to.equal(undefined);
      expect(mailLinks.open(purpose, token, NOW + lifetime)).to.equal(undefined);
    }
  });

  it('is refused before its issue time', () => {
    const mailLinks = createLinks();
    expect(mailLinks.open('reset', mailLinks.seal('reset', {}, NOW + 3_600), NOW)).to.equal(undefined);
  });

  it('is refused if it was sealed with a different key, or changed', () => {
    const mailLinks = createLinks();
    const token = mailLinks.seal('reset', { userId: 'ada' }, NOW);
    expect(createLinks('another key').open('reset', token, NOW)).to.equal(undefined);
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.constantFrom('A', 'z', '_', '.', ' '), (index, character) => {
        const tampered = `${token.slice(0, index)}${character}${token.slice(index + 1)}`;
        // Some bits of the last base64url character do not belong to any byte.
        const isSame = Buffer.from(tampered, 'base64url').equals(Buffer.from(token, 'base64url'));
        if (!isSame || /[. ]/.test(tampered)) expect(mailLinks.open('reset', tampered, NOW)).to.equal(undefined);
      }),
    );
    for (const text of ['', 'A', token.slice(0, -4), `${token}AAAA`, '\u0000', 'é'])
      expect(mailLinks.open('reset', text, NOW), text).to.equal(undefined);
  });

  it('is different each time, and does not show its content', () => {
    const mailLinks = createLinks();
    const [token, otherToken] = [
      mailLinks.seal('verify', { userId: 'ada' }, NOW),
      mailLinks.seal('verify', { userId: 'ada' }, NOW),
    ];
    expect(token).not.to.equal(otherToken);
    expect(Buffer.from(token, 'base64url').toString('latin1')).not.to.include('ada');
  });
});
