import { createSecretKey } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import type { GrantId } from '../../../src/domain/values.ts';
import {
  hashCredential,
  isGeneratedSecret,
  mintClientId,
  mintClientSecret,
  mintId,
  mintNonce,
  parseAccessToken,
  parseCode,
  requestIdGenerator,
} from '../../../src/oauth/credentials/credentials.ts';
import { createRefreshTokens } from '../../../src/oauth/credentials/refresh-tokens.ts';
import { createTaggedCredentials } from '../../../src/oauth/credentials/tagged-credentials.ts';
import { grantId } from '../../support/domain-values.ts';
import { seededEntropy } from '../../support/seeded-entropy.ts';

const entropy = seededEntropy('credentials');
const GRANT = grantId('grant');
const KEY = createSecretKey(Buffer.alloc(32, 7));
const refreshTokens = createRefreshTokens(KEY);
const { mintAccessToken, deriveCode } = createTaggedCredentials(KEY);
const KINDS = [
  { kind: 'an access token', prefix: 'gla_', mint: () => mintAccessToken(entropy), parse: parseAccessToken },
  {
    kind: 'a refresh token',
    prefix: 'glr_',
    mint: () => refreshTokens.mint(GRANT, entropy),
    parse: refreshTokens.parse,
  },
  { kind: 'a code', prefix: 'glc_', mint: () => deriveCode(mintNonce(entropy)).code, parse: parseCode },
];
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'.split('');

for (const { kind, prefix, mint, parse } of KINDS) {
  describe(kind, () => {
    it('starts with the prefix of its kind, and needs no escaping', () => {
      expect(mint().value).to.match(new RegExp(`^${prefix}[\\w-]+$`));
    });

    it('is recognized, and identified by the hash of the whole value', () => {
      const { value, hash } = mint();
      const parsed = parse(value);
      expect(typeof parsed === 'object' ? parsed.hash : parsed).to.equal(hash);
      expect(hash).to.equal(hashCredential(value));
      if (typeof parsed === 'object')
        expect(parsed.grantId).to.equal(value.slice(prefix.length, prefix.length + GRANT.length));
    });

    it('is not recognized with any single character mistyped', () => {
      const { value } = mint();
      fc.assert(
        fc.property(fc.nat(value.length - 1), fc.constantFrom(...ALPHABET, '.', ' ', 'é'), (index, character) => {
          fc.pre(value[index] !== character);
          expect(parse(value.slice(0, index) + character + value.slice(index + 1))).to.equal(undefined);
        }),
        { numRuns: 1000 },
      );
    });

    it('is not recognized with two adjacent characters swapped', () => {
      const { value } = mint();
      for (let index = 0; index + 1 < value.length; index += 1) {
        if (value[index] === value[index + 1]) continue;
        expect(
          parse(value.slice(0, index) + value.charAt(index + 1) + value.charAt(index) + value.slice(index + 2)),
        ).to.equal(undefined);
      }
    });

    it('is not recognized when truncated anywhere or surrounded by other text', () => {
      const { value } = mint();
      for (let length = 0; length < value.length; length += 1) {
        expect(parse(value.slice(0, length))).to.equal(undefined);
        expect(parse(value.slice(value.length - length))).to.equal(undefined);
      }
      for (const text of [`${value} `, ` ${value}`, `${value}\n`, `${value}=`, `${value}${value}`])
        expect(parse(text)).to.equal(undefined);
    });

    it('is not mistaken for another kind', () => {
      const { value } = mint();
      for (const otherKind of KINDS) if (otherKind.kind !== kind) expect(otherKind.parse(value)).to.equal(undefined);
    });

    it('is different each time', () => {
      const values = Array.from({ length: 200 }, () => mint().value);
      expect(new Set(values).size).to.equal(200);
    });

    it('is not recognized in arbitrary text', () => {
      fc.assert(
        fc.property(
          fc.oneof(
            fc.string(),
            fc
              .string({ unit: fc.constantFrom(...ALPHABET), minLength: 40, maxLength: 90 })
              .map((text) => prefix + text),
          ),
          (text) => parse(text) === undefined,
        ),
      );
    });
  });
}

describe('a code and the grant that it starts', () => {
  it('are determined by the nonce and the key, and the code does not contain the nonce', () => {
    const nonce = mintNonce(entropy);
    const { grantId: id, code } = deriveCode(nonce);
    expect(deriveCode(nonce)).to.deep.include({ grantId: id, code });
    expect(parseCode(code.value)).to.deep.equal({ grantId: id, hash: code.hash });
    const otherResults = [
      createTaggedCredentials(createSecretKey(Buffer.alloc(32, 8))).deriveCode(nonce),
      deriveCode(mintNonce(entropy)),
      deriveCode(id),
    ];
    for (const otherResult of otherResults) {
      expect(otherResult.grantId).not.to.equal(id);
      expect(otherResult.code.value).not.to.equal(code.value);
    }
    expect(code.value).not.to.include(nonce);
  });
});

describe('a client id and a client secret', () => {
  it('consist of letters and digits, so that no encoding changes them', () => {
    for (let count = 0; count < 200; count += 1) {
      expect(mintClientId(entropy)).to.match(/^[0-9A-Za-z]{22}$/);
      const { value, hash } = mintClientSecret(entropy);
      expect(value).to.match(/^gls[0-9A-Za-z]{49}$/);
      expect(hash).to.equal(hashCredential(value));
      expect(encodeURIComponent(value)).to.equal(value);
    }
  });

  it('are recognized as generated, unlike user-chosen secrets', () => {
    const { value } = mintClientSecret(entropy);
    expect(isGeneratedSecret(value)).to.equal(true);
    const lastCharacter = value.endsWith('0') ? '1' : '0';
    for (const secret of [
      '',
      'gls',
      value.slice(1),
      `${value}0`,
      `${value.slice(0, -1)}${lastCharacter}`,
      value.toUpperCase(),
      `${value}\n`,
      'hunter2',
    ])
      expect(isGeneratedSecret(secret), secret).to.equal(false);
  });

  it('keep all their random bits', () => {
    const zeros = { bytes: (length: number) => Buffer.alloc(length) };
    const ones = { bytes: (length: number) => Buffer.alloc(length, 0xff) };
    expect(mintClientId(zeros)).to.equal('0'.repeat(22));
    expect(mintClientId(ones)).to.not.match(/^0/);
    expect(mintClientSecret(ones).value).to.not.match(/^gls0/);
  });
});

describe('an id', () => {
  it('has 22 base64url characters', () => {
    for (let count = 0; count < 50; count += 1) expect(mintId<GrantId>(entropy)).to.match(/^[\w-]{22}$/);
  });

  it('of a request never begins like a command-line option', () => {
    for (let byte = 0; byte < 256; byte += 1) {
      const nextId = requestIdGenerator({ bytes: (length) => Buffer.alloc(length, byte) });
      for (let count = 0; count < 40; count += 1) expect(nextId()).to.match(/^\w[\w-]{21}$/);
    }
  });

  it('of a request is unique', () => {
    const nextId = requestIdGenerator(entropy);
    expect(new Set(Array.from({ length: 1_000 }, nextId)).size).to.equal(1_000);
  });
});

describe('a JWT', () => {
  const encodePart = (text: string): string => Buffer.from(text).toString('base64url');
  const jwt = `${encodePart('{"alg":"EdDSA"}')}.${encodePart('{"iss":"x"}')}.${'A'.repeat(86)}`;

  it('is recognized as a possible access token, without a check of its content', () => {
    expect(parseAccessToken(jwt)).to.equal(hashCredential(jwt));
    expect([refreshTokens.parse(jwt), parseCode(jwt)]).to.deep.equal([undefined, undefined]);
  });

  it('is malformed unless it has two JSON objects and a third part that has the length of a signature', () => {
    const [header = '', payload = '', signature = ''] = jwt.split('.');
    for (const text of [
      `${header}.${payload}`,
      `${header}.${payload}.`,
      `${jwt}A`,
      jwt.slice(0, -1),
      `${jwt}.${signature}`,
      `${encodePart('1')}.${payload}.${signature}`,
      `${header}.${encodePart('[1]')}.${signature}`,
      jwt.replace('A', '='),
      ` ${jwt}`,
    ]) {
      expect(parseAccessToken(text), text).to.equal(undefined);
    }
  });
});
